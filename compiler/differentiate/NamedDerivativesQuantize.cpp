// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of names of roundings, which are those of what is rounded: elements that were cut off
// count for the bounds of the range, if at all.
#include "compiler/differentiate/NamedDerivatives.h"

#include "dialects/nd/Formulas.h"
#include "dialects/nd/Quantization.h"
#include "dialects/nd/SizeArithmetic.h"

using namespace mlir;

namespace sluice::differentiate {

using namespace nd::formula;

namespace {

int64_t integerIn(DictionaryAttr parameters, StringRef name, int64_t other) {
  auto attr = parameters ? parameters.getAs<IntegerAttr>(name) : IntegerAttr();
  return attr ? attr.getValue().getSExtValue() : other;
}
bool flagIn(DictionaryAttr parameters, StringRef name) {
  auto attr = parameters ? parameters.getAs<BoolAttr>(name) : BoolAttr();
  return attr && attr.getValue();
}
float floatIn(DictionaryAttr parameters, StringRef name, float other) {
  auto attr = parameters ? parameters.getAs<FloatAttr>(name) : FloatAttr();
  return attr ? static_cast<float>(attr.getValueAsDouble()) : other;
}

nd::QuantizedRange integersOf(DictionaryAttr parameters) {
  return {integerIn(parameters, "num_bits", 8), flagIn(parameters, "narrow_range")};
}

void fakeQuantArgs(Gradient &g, DictionaryAttr parameters) {
  NamedOp op(g);
  nd::NudgedRange range(g, floatIn(parameters, "min", -6), floatIn(parameters, "max", 6),
                        integersOf(parameters));
  op.set(0, mul(g, g.ofResult(), nd::isBetween(g, op.input(0), range.min, range.max)));
}

void fakeQuant(Gradient &g, DictionaryAttr parameters) {
  NamedOp op(g);
  Value dy = g.ofResult(), x = op.input(0), none = numberLike(g, dy, 0);
  nd::NudgedRange range(g, op.input(1), op.input(2), integersOf(parameters));
  if (op.wants(0))
    op.set(0,
           select(g, range.isNothing, dy, mul(g, dy, nd::isBetween(g, x, range.min, range.max))));
  auto ofOutside = [&](Value isOutside) {
    Value part = mul(g, dy, g.one<nd::CastOp>(Gradient::elementOf(dy), isOutside));
    return select(g, range.isNothing, none, part);
  };
  op.setSummed(1, [&] { return ofOutside(nd::compared<nd::LessOp>(g, x, range.min)); });
  op.setSummed(2, [&] { return ofOutside(nd::compared<nd::GreaterOp>(g, x, range.max)); });
}

// As if nothing were rounded and cut off.
void passedOn(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  if (op.wants(0))
    op.set(0, g.ofResult());
}

// One bound, or those along an axis, under the dims from there on.
Value spread(Gradient &g, Value bound, Value x, int64_t axis) {
  if (axis < 0)
    return nd::scalarOf(g, bound);
  Value others = nd::difference(g, nd::rankOf(g, x), g.ints({axis + 1}));
  Value ones = g.one<nd::FillOp>(g.builder().getI64Type(), {others, g.int64(1)});
  return g.like<nd::ReshapeOp>({bound, nd::joined(g, {g.ints({-1}), ones})});
}

void quantizeInRange(Gradient &g, DictionaryAttr parameters) {
  NamedOp op(g);
  if (!op.wants(0))
    return;
  const int64_t axis = integerIn(parameters, "axis", -1);
  Value x = op.input(0);
  Value low = spread(g, op.input(1), x, axis), high = spread(g, op.input(2), x, axis);
  op.set(0, mul(g, g.ofResult(), nd::isBetween(g, x, low, high)));
}

constexpr NamedLine kLines[] = {
    {"FakeQuantWithMinMaxArgs", fakeQuantArgs},
    {"FakeQuantWithMinMaxVars", fakeQuant},
    {"FakeQuantWithMinMaxVarsPerChannel", fakeQuant},
    {"QuantizeAndDequantizeV2", passedOn},
    {"QuantizeAndDequantizeV3", passedOn},
    {"QuantizeAndDequantizeV4", quantizeInRange},
};

} // namespace

ArrayRef<NamedLine> namedQuantize() { return kLines; }

} // namespace sluice::differentiate
