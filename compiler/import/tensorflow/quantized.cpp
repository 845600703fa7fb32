// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "quantized": floats as quantized numbers, which are integers here,
// and back.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/SizeVectors.h"

#include <limits>

using namespace mlir;

namespace sluice::import {

namespace {

Value larger(Expansion &e, Value a, Value b) { return e.like<nd::MaximumOp>({a, b}); }
Value smaller(Expansion &e, Value a, Value b) { return e.like<nd::MinimumOp>({a, b}); }
Value number(Expansion &e, double value) { return e.scalar(e.builder().getF32Type(), value); }

// The integers of a type.
struct Integers {
  explicit Integers(Type type) {
    auto integer = cast<IntegerType>(type);
    isSigned = !integer.isUnsigned();
    steps = std::ldexp(1.0, static_cast<int>(integer.getWidth()));
    low = isSigned ? -steps / 2 : 0;
    high = low + steps - 1;
  }
  bool isSigned;
  double low, high, steps;
};

// Away from zero, exactly also next to a half.
Value rounded(Expansion &e, Value x) {
  Value size = e.like<nd::AbsOp>(x), down = e.like<nd::FloorOp>(size);
  Value isUp = e.compare<nd::GreaterEqualOp>(sub(e, size, down), constantLike(e, x, 0.5));
  Value result = add(e, down, converted(e, isUp, e.elementOf(x)));
  return select(e, e.compare<nd::LessOp>(x, constantLike(e, x, 0)), neg(e, result), result);
}

// Computed with 64 bits, as TensorFlow does it.
Value quotient(Expansion &e, Value a, Value b) {
  Type f64 = e.builder().getF64Type();
  return converted(e, div(e, converted(e, a, f64), converted(e, b, f64)), e.builder().getF32Type());
}

// Bounds are scalars, or a number for each place of the axis.
struct Range {
  Value min, max;
};
Range rangeOf(Expansion &e, Checks &checks, Value x, Value min, Value max) {
  const int64_t axis = e.intAttr("axis");
  Value dims = dimsOf(e, x), sizes = e.ints({}), size = e.ints({1});
  if (axis >= 0) {
    checks.require(e.compare<nd::GreaterOp>(rankOf(e, x), e.int32(axis)),
                   "the axis must be one of the input's", dims);
    size = part(e, checks.checked(dims), e.int32(axis), e.int32(1));
    Value others = sub(e, rankOf(e, x), e.int32(axis + 1));
    sizes = joined(e, {size, filled(e, flat(e, others), e.int32(1))});
  }
  for (Value *bound : {&min, &max}) {
    checks.require(e.compare<nd::EqualOp>(flat(e, sizeOf(e, *bound)), size),
                   "min_range and max_range must have a number, or one for each place of the axis",
                   *bound);
    *bound = reshaped(e, checks.checked(*bound), sizes);
  }
  return {min, max};
}

// ---- There

// At least with 0 in it, and so wide that its ends are different numbers.
Range widened(Expansion &e, const Range &given) {
  Value zero = number(e, 0);
  Value size = larger(e, e.like<nd::AbsOp>(given.min), e.like<nd::AbsOp>(given.max));
  Value least =
      mul(e, larger(e, number(e, 1), size), number(e, e.floatAttr("ensure_minimum_range")));
  Value min = smaller(e, zero, given.min);
  return {min, larger(e, zero, larger(e, given.max, add(e, min, least)))};
}

Value quantizedFromMin(Expansion &e, Value x, const Range &range, const Integers &integers) {
  Value width = sub(e, range.max, range.min);
  Value scale = quotient(e, number(e, integers.steps - 1), width);
  Value at = mul(e, sub(e, larger(e, smaller(e, x, range.max), range.min), range.min), scale);
  if (!integers.isSigned)
    return e.like<nd::FloorOp>(add(e, at, number(e, 0.5)));
  return rounded(e, sub(e, at, number(e, integers.steps / 2)));
}

Value quantizedByMin(Expansion &e, Value x, const Range &range, const Integers &integers) {
  Value scale = quotient(e, number(e, integers.steps - 1), sub(e, range.max, range.min));
  Value least = rounded(e, mul(e, range.min, scale));
  Value shifted = sub(e, rounded(e, mul(e, x, scale)), sub(e, least, number(e, integers.low)));
  // The greatest float that is such an integer.
  const double high = integers.high < 1 << 24 ? integers.high : integers.high - 127;
  return smaller(e, larger(e, shifted, number(e, integers.low)), number(e, high));
}

// Changes the range to that of the integers.
Value quantizedScaled(Expansion &e, Value x, Range &range, const Integers &integers) {
  Value low = number(e, integers.low + (e.boolAttr("narrow_range") ? 1 : 0));
  Value high = number(e, integers.high);
  auto side = [&](Value integer, Value bound) {
    Value holds = e.compare<nd::GreaterOp>(mul(e, integer, bound), number(e, 0));
    return select(e, holds, div(e, integer, bound), number(e, std::numeric_limits<float>::max()));
  };
  Value scale = smaller(e, side(low, range.min), side(high, range.max));
  range = {div(e, low, scale), div(e, high, scale)};
  Value steps = mul(e, larger(e, smaller(e, x, range.max), range.min), scale);
  return e.stringAttr("round_mode") == "HALF_TO_EVEN" ? e.like<nd::RoundOp>(steps)
                                                      : rounded(e, steps);
}

// As in TensorFlow.
bool hasKernel(Expansion &e) {
  if (e.stringAttr("mode") != "MIN_FIRST" || e.intAttr("axis") == -1)
    return true;
  e.unsupported("attribute 'axis': expected -1 where 'mode' is 'MIN_FIRST' but got " +
                std::to_string(e.intAttr("axis")));
  return false;
}

void quantize(Expansion &e) {
  if (!hasKernel(e))
    return;
  const std::string mode = e.stringAttr("mode");
  const bool isScaled = mode == "SCALED";
  auto inputs = e.afterAllInputs(e.inputs());
  if (!isScaled && (e.boolAttr("narrow_range") || e.stringAttr("round_mode") == "HALF_TO_EVEN"))
    return e.fail(ExitCode::kBadGraph, "attributes 'narrow_range' and 'round_mode': expected their "
                                       "defaults unless 'mode' is 'SCALED'");
  Type type = e.resultElement(0);
  const Integers integers(type);
  Checks checks(e);
  Range range = rangeOf(e, checks, inputs[0], inputs[1], inputs[2]);
  checks.require(e.compare<nd::LessEqualOp>(range.min, range.max),
                 "min_range must not be larger than max_range", range.min);
  Value x = checks.checked(inputs[0]);
  range = widened(e, range);
  Value found = isScaled              ? quantizedScaled(e, x, range, integers)
                : mode == "MIN_FIRST" ? quantizedByMin(e, x, range, integers)
                                      : quantizedFromMin(e, x, range, integers);
  e.result(0, converted(e, found, type));
  Value dims = dimsOf(e, inputs[1]);
  e.result(1, reshaped(e, range.min, dims));
  e.result(2, reshaped(e, range.max, dims));
}

// ---- And back

void dequantize(Expansion &e) {
  if (!hasKernel(e))
    return;
  const std::string mode = e.stringAttr("mode");
  auto inputs = e.afterAllInputs(e.inputs());
  const Integers integers(e.elementOf(inputs[0]));
  Checks checks(e);
  Range range = rangeOf(e, checks, inputs[0], inputs[1], inputs[2]);
  Value x = converted(e, checks.checked(inputs[0]), e.builder().getF32Type()), found;
  Value width = sub(e, range.max, range.min), steps = number(e, integers.steps - 1);
  if (mode == "MIN_COMBINED") {
    Value half = number(e, integers.isSigned ? integers.steps / 2 : 0);
    found = add(e, mul(e, add(e, x, half), div(e, width, steps)), range.min);
  } else if (mode == "SCALED") {
    Value scale = div(e, range.max, number(e, integers.high));
    const double low = integers.low + (e.boolAttr("narrow_range") ? 1 : 0);
    if (integers.isSigned)
      scale = larger(e, div(e, range.min, number(e, low)), scale);
    found = mul(e, x, scale);
  } else {
    Value scale = quotient(e, width, steps);
    Value isPoint = e.compare<nd::EqualOp>(width, number(e, 0));
    Value least = mul(e, rounded(e, div(e, range.min, scale)), scale);
    least = select(e, isPoint, range.min, least);
    found = add(e, sub(e, least, mul(e, number(e, integers.low), scale)), mul(e, x, scale));
  }
  e.result(0, converted(e, found, e.resultElement(0)));
}

constexpr OpExpansion kOps[] = {
    {"Dequantize", dequantize, Style::kPure, "mode narrow_range axis"},
    {"QuantizeV2", quantize, Style::kPure,
     "mode round_mode narrow_range axis ensure_minimum_range"},
};

} // namespace

ArrayRef<OpExpansion> quantizedOps() { return kOps; }

} // namespace sluice::import
