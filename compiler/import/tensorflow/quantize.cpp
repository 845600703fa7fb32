// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "quantize": numbers rounded as if integers stood for them. They stay
// floats.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/SizeVectors.h"

#include "dialects/nd/Quantization.h"
#include "runtime/memory/shape.h"

#include <limits>
#include <numeric>

using namespace mlir;

namespace sluice::import {

namespace {

Value larger(Expansion &e, Value a, Value b) { return e.like<nd::MaximumOp>({a, b}); }
Value smaller(Expansion &e, Value a, Value b) { return e.like<nd::MinimumOp>({a, b}); }
Value sumOf(Expansion &e, Value x, int64_t axis) {
  return e.like<nd::ReduceSumOp>({x, e.ints({axis})}, e.flag("keep_dims", false));
}

// ---- Ranges that are moved

// Nothing, after a diagnostic, if there are no such integers.
std::optional<nd::QuantizedRange> quantizedRange(Expansion &e) {
  int64_t bits = e.intAttr("num_bits");
  if (bits >= 2 && bits <= 16)
    return nd::QuantizedRange(bits, e.boolAttr("narrow_range"));
  e.fail(ExitCode::kBadGraph,
         "attribute 'num_bits': expected 2 to 16 but got " + std::to_string(bits));
  return std::nullopt;
}

// Divided by the scale, or multiplied by its inverse, as TensorFlow does it for the op.
Value rounded(Expansion &e, Value x, const nd::NudgedRange &range, bool divides) {
  Value shifted = sub(e, larger(e, smaller(e, x, range.max), range.min), range.min);
  Value steps = divides ? div(e, shifted, range.scale) : mul(e, shifted, range.inverse);
  steps = add(e, sub(e, steps, range.zeroPoint), constantLike(e, x, 0.5));
  Value result = mul(e, e.like<nd::FloorOp>(steps), range.scale);
  return range.isNothing ? select(e, range.isNothing, constantLike(e, x, 0), result) : result;
}

// From the attributes.
std::optional<nd::NudgedRange> knownRange(Expansion &e) {
  auto integers = quantizedRange(e);
  auto min = static_cast<float>(e.floatAttr("min")), max = static_cast<float>(e.floatAttr("max"));
  if (!integers)
    return std::nullopt;
  if (min < max)
    return nd::NudgedRange(e, min, max, *integers);
  e.fail(ExitCode::kBadGraph, "attributes 'min' and 'max': expected a range with numbers in it");
  return std::nullopt;
}

void fakeQuantArgs(Expansion &e) {
  if (auto range = knownRange(e))
    e.result(0, rounded(e, e.input(0), *range, /*divides=*/false));
}

void fakeQuantArgsGradient(Expansion &e) {
  if (auto range = knownRange(e))
    e.result(0, mul(e, e.input(0), nd::isBetween(e, e.input(1), range->min, range->max)));
}

// Inputs are a range of as many numbers as the op wants: one, or one for each channel.
Value bound(Expansion &e, Value bound, Value x, bool ofChannels) {
  return reshaped(e, bound, ofChannels ? flat(e, sizeFromEnd(e, dimsOf(e, x), -1)) : e.ints({}));
}

template <bool ofChannels> void fakeQuant(Expansion &e) {
  auto integers = quantizedRange(e);
  if (!integers)
    return;
  Value x = e.input(0);
  nd::NudgedRange range(e, bound(e, e.input(1), x, ofChannels), bound(e, e.input(2), x, ofChannels),
                        *integers);
  e.result(0, rounded(e, x, range, !ofChannels));
}

// Inputs: gradients, inputs, min, max.
template <bool ofChannels> void fakeQuantGradient(Expansion &e) {
  auto integers = quantizedRange(e);
  if (!integers)
    return;
  SmallVector<Value> in = e.afterAllInputs(e.inputs());
  Value dy = in[0], x = in[1];
  nd::NudgedRange range(e, bound(e, in[2], x, ofChannels), bound(e, in[3], x, ofChannels),
                        *integers);
  e.result(0,
           select(e, range.isNothing, dy, mul(e, dy, nd::isBetween(e, x, range.min, range.max))));
  auto outside = [&](Value isOutside) {
    Value all = mul(e, dy, converted(e, isOutside, e.elementOf(dy)));
    Value rows = ofChannels ? joined(e, {e.ints({-1}), flat(e, sizeFromEnd(e, dimsOf(e, x), -1))})
                            : e.ints({-1});
    return select(e, range.isNothing, constantLike(e, dy, 0), sumOf(e, reshaped(e, all, rows), 0));
  };
  e.result(1, outside(e.compare<nd::LessOp>(x, range.min)));
  e.result(2, outside(e.compare<nd::GreaterOp>(x, range.max)));
}

// ---- Ranges that are scaled

// Numbers of one range each: of all elements, or of those at one place of an axis.
struct Channels {
  Channels(Expansion &e, Value x, int64_t axis) {
    if (axis < 0)
      return;
    Value dims = dimsOf(e, x), one = e.int32(1), at = e.int32(axis), after = e.int32(axis + 1);
    Value others = sub(e, rankOf(e, x), after);
    sizes = joined(e, {part(e, dims, at, one), filled(e, flat(e, others), one)});
    // As a constant: what is computed of constants alone would be outside of a loop.
    SmallVector<int64_t> first(std::min<int64_t>(axis, rt::Shape::kMaxRank));
    std::iota(first.begin(), first.end(), 0);
    axes = joined(e, {e.ints(first), e.like<nd::RangeOp>({after, rankOf(e, x), one})});
  }
  // Under the dims of the axis and those behind it.
  Value spread(Expansion &e, Value bound) const {
    return reshaped(e, bound, sizes ? sizes : e.ints({}));
  }
  template <typename ReduceOp> Value extreme(Expansion &e, Value x) const {
    Value all = axes ? axes : e.like<nd::RangeOp>({e.int32(0), rankOf(e, x), e.int32(1)});
    return spread(e, e.like<ReduceOp>({x, all}, e.flag("keep_dims", false)));
  }

  Value sizes, axes; // null of all elements
};

// The least and the largest integer, as numbers of the elements' type.
struct Integers {
  Value low, high;
};

Integers knownIntegers(Expansion &e, Value x) {
  const auto bits = e.intAttr("num_bits");
  const bool isSigned = e.boolAttr("signed_input"), isNarrow = e.boolAttr("narrow_range");
  const double half = std::ldexp(1.0, static_cast<int>(bits - 1));
  return {constantLike(e, x, isSigned ? (isNarrow ? 1 - half : -half) : 0),
          constantLike(e, x, isSigned ? half - 1 : 2 * half - 1)};
}

// By a number of bits that is an input.
Integers integersOf(Expansion &e, Value x, Value bits) {
  Type f64 = e.builder().getF64Type(), type = e.elementOf(x);
  Value one = e.scalar(f64, 1), two = e.scalar(f64, 2);
  Value all = e.like<nd::PowOp>({two, converted(e, single(e, bits), f64)});
  Value half = div(e, all, two);
  if (!e.boolAttr("signed_input"))
    return {e.scalar(type, 0), converted(e, sub(e, all, one), type)};
  Value low = e.boolAttr("narrow_range") ? sub(e, one, half) : neg(e, half);
  return {converted(e, low, type), converted(e, sub(e, half, one), type)};
}

// As far as one side allows; without limit if its numbers have another sign.
Value scaleOf(Expansion &e, Value integer, Value bound) {
  const llvm::fltSemantics &kind = cast<FloatType>(e.elementOf(bound)).getFloatSemantics();
  Value none = constantLike(e, bound, APFloat::getLargest(kind).convertToDouble());
  Value isPositive = e.compare<nd::GreaterOp>(mul(e, integer, bound), constantLike(e, bound, 0));
  return select(e, isPositive, div(e, integer, bound), none);
}

// The result follows from all inputs of a name, also from those that only other attributes ask for.
Value alsoOf(Expansion &e, Value result, Value input) {
  Value never = e.compare<nd::LessOp>(sizeOf(e, input), e.int32(0));
  return select(e, never, constantLike(e, result, 0), result);
}

void quantize(Expansion &e, Value x, Integers integers, bool roundsUp) {
  const Channels channels(e, x, e.intAttr("axis"));
  const bool isGiven = e.boolAttr("range_given");
  Value min = isGiven ? channels.spread(e, e.input(1)) : channels.extreme<nd::ReduceMinOp>(e, x);
  Value max = isGiven ? channels.spread(e, e.input(2)) : channels.extreme<nd::ReduceMaxOp>(e, x);
  Value ofMin = scaleOf(e, integers.low, min), ofMax = scaleOf(e, integers.high, max);
  Value isMin = e.compare<nd::LessOp>(ofMin, ofMax);
  Value scale = select(e, isMin, ofMin, ofMax);
  Value inverse = select(e, isMin, div(e, min, integers.low), div(e, max, integers.high));
  Value inside = x;
  if (isGiven) {
    Value most = select(e, isMin, mul(e, integers.high, inverse), max);
    Value least = select(e, isMin, min, mul(e, integers.low, inverse));
    inside = larger(e, smaller(e, x, most), least);
  }
  Value steps = mul(e, inside, scale);
  steps = roundsUp ? e.like<nd::FloorOp>(add(e, steps, constantLike(e, x, 0.5)))
                   : e.like<nd::RoundOp>(steps);
  Value result = mul(e, steps, inverse);
  if (!isGiven)
    result = alsoOf(e, alsoOf(e, result, e.input(1)), e.input(2));
  e.result(0, result);
}

void quantizeAndDequantize(Expansion &e) {
  const int64_t bits = e.intAttr("num_bits"), least = e.boolAttr("signed_input") ? 2 : 1;
  if (bits < least || bits > 62)
    return e.fail(ExitCode::kBadGraph, "attribute 'num_bits': expected " + std::to_string(least) +
                                           " to 62 but got " + std::to_string(bits));
  quantize(e, e.input(0), knownIntegers(e, e.input(0)), e.stringAttr("round_mode") == "HALF_UP");
}

void quantizeAndDequantizeV3(Expansion &e) {
  quantize(e, e.input(0), integersOf(e, e.input(0), e.input(3)), false);
}

// Inputs: gradients, input, input_min, input_max.
void quantizeAndDequantizeGrad(Expansion &e) {
  SmallVector<Value> in = e.afterAllInputs(e.inputs());
  const Channels channels(e, in[1], e.intAttr("axis"));
  Value inside = nd::isBetween(e, in[1], channels.spread(e, in[2]), channels.spread(e, in[3]));
  e.result(0, mul(e, in[0], inside));
  for (uint32_t side : {1, 2})
    e.result(side, filled(e, dimsOf(e, in[side + 1]), constantLike(e, in[0], 0)));
}

constexpr llvm::StringLiteral kArgs = "min max num_bits narrow_range";
constexpr llvm::StringLiteral kVars = "num_bits narrow_range";
constexpr llvm::StringLiteral kScaled =
    "signed_input num_bits range_given round_mode narrow_range axis";

constexpr OpExpansion kOps[] = {
    composite({"FakeQuantWithMinMaxArgs", fakeQuantArgs, Style::kPure, kArgs}),
    {"FakeQuantWithMinMaxArgsGradient", fakeQuantArgsGradient, Style::kPure, kArgs},
    composite({"FakeQuantWithMinMaxVars", fakeQuant<false>, Style::kPure, kVars}),
    {"FakeQuantWithMinMaxVarsGradient", fakeQuantGradient<false>, Style::kPure, kVars},
    composite({"FakeQuantWithMinMaxVarsPerChannel", fakeQuant<true>, Style::kPure, kVars}),
    {"FakeQuantWithMinMaxVarsPerChannelGradient", fakeQuantGradient<true>, Style::kPure, kVars},
    composite({"QuantizeAndDequantizeV2", quantizeAndDequantize, Style::kPure, kScaled}),
    composite({"QuantizeAndDequantizeV3", quantizeAndDequantizeV3, Style::kPure,
               "signed_input range_given narrow_range axis"}),
    composite({"QuantizeAndDequantizeV4", quantizeAndDequantize, Style::kPure, kScaled}),
    {"QuantizeAndDequantizeV4Grad", quantizeAndDequantizeGrad, Style::kPure, "axis"},
};

} // namespace

ArrayRef<OpExpansion> quantizeOps() { return kOps; }

} // namespace sluice::import
