// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas of derivatives, in TensorFlow's order of operations.
#include "dialects/nd/Formulas.h"

#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::nd::formula {

Value add(Gradient &g, Value a, Value b) { return g.like<AddOp>({a, b}); }
Value sub(Gradient &g, Value a, Value b) { return g.like<SubOp>({a, b}); }
Value mul(Gradient &g, Value a, Value b) { return g.like<MulOp>({a, b}); }
Value div(Gradient &g, Value a, Value b) { return g.like<DivOp>({a, b}); }
Value neg(Gradient &g, Value x) { return g.like<NegOp>(x); }
Value numberLike(Gradient &g, Value x, double value) {
  return g.scalar(Gradient::elementOf(x), value);
}
Value select(Gradient &g, Value condition, Value a, Value b) {
  return g.one<SelectOp>(Gradient::elementOf(a), {condition, a, b}, g.flag("leading", false));
}
Value equalsNumber(Gradient &g, Value x, double value) {
  return g.one<EqualOp>(g.builder().getI1Type(), {x, numberLike(g, x, value)});
}

// By the op's name: this dialect does not know the other one.
Value knownAs(Gradient &g, StringRef name, Value value, ValueRange inputs,
              DictionaryAttr parameters) {
  OperationState state(g.loc(), "flow.known_as");
  state.addTypes(value.getType());
  state.addOperands(value);
  state.addOperands(inputs);
  state.addAttribute("name", g.builder().getStringAttr(name));
  if (parameters)
    state.addAttribute("parameters", parameters);
  state.addAttribute("operandSegmentSizes",
                     g.builder().getDenseI32ArrayAttr({1, static_cast<int32_t>(inputs.size())}));
  return g.builder().create(state)->getResult(0);
}

Value conjugate(Gradient &g, Value x) {
  if (!isa<ComplexType>(Gradient::elementOf(x)))
    return x;
  Value same;
  if (auto type = dyn_cast<RankedTensorType>(x.getType())) {
    same = g.ints(llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  } else {
    Value rank = g.one<RankOp>(g.builder().getI64Type(), x);
    same = g.like<RangeOp>({g.int64(0), rank, g.int64(1)});
  }
  return g.like<TransposeOp>({x, same}, g.flag("conjugate", true));
}

Value reciprocal(Gradient &g, Value x) {
  return knownAs(g, "tf.Reciprocal", div(g, numberLike(g, x, 1), x), x, {});
}

Value zeroWhereZero(Gradient &g, Value dy, Value product) {
  return select(g, equalsNumber(g, dy, 0), numberLike(g, dy, 0), product);
}

Value sqrtGrad(Gradient &g, Value y, Value dy) {
  Value quotient = div(g, mul(g, dy, numberLike(g, dy, 0.5)), conjugate(g, y));
  return knownAs(g, "tf.SqrtGrad", zeroWhereZero(g, dy, quotient), {y, dy}, {});
}

Value rsqrtGrad(Gradient &g, Value y, Value dy) {
  Value conj = conjugate(g, y);
  Value scaled = mul(g, numberLike(g, y, -0.5), mul(g, dy, conj));
  Value product = mul(g, scaled, mul(g, conj, conj));
  return knownAs(g, "tf.RsqrtGrad", zeroWhereZero(g, dy, product), {y, dy}, {});
}

Value sigmoidGrad(Gradient &g, Value y, Value dy) {
  Value product = mul(g, dy, mul(g, y, sub(g, numberLike(g, y, 1), y)));
  return knownAs(g, "tf.SigmoidGrad", product, {y, dy}, {});
}

// Needs no name: the chain rule gives the same bits.
Value tanhGrad(Gradient &g, Value y, Value dy) {
  return mul(g, dy, sub(g, numberLike(g, y, 1), mul(g, y, y)));
}

} // namespace sluice::nd::formula
