// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers rounded to those that an integer type could stand for: formulas that import and
// derivatives share. A builder makes ops as Gradient and Expansion do.
#pragma once

#include "dialects/nd/Nd.h"

#include <algorithm>
#include <cmath>

namespace sluice::nd {

template <typename OpT, typename B>
mlir::Value made(B &b, mlir::Type element, mlir::ValueRange operands,
                 llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
  if constexpr (requires { b.template one<OpT>(element, operands, attributes); })
    return b.template one<OpT>(element, operands, attributes);
  else
    return b.template tensor<OpT>(element, operands, attributes);
}
template <typename OpT, typename B> mlir::Value compared(B &b, mlir::Value x, mlir::Value y) {
  return made<OpT>(b, b.builder().getI1Type(), {x, y});
}
template <typename B>
mlir::Value chosen(B &b, mlir::Value condition, mlir::Value x, mlir::Value y) {
  return made<SelectOp>(b, B::elementOf(x), {condition, x, y}, b.flag("leading", false));
}
// Whether x is in [low, high], as 1 or 0.
template <typename B>
mlir::Value isBetween(B &b, mlir::Value x, mlir::Value low, mlir::Value high) {
  mlir::Value inside = b.template like<LogicalAndOp>(
      {compared<GreaterEqualOp>(b, x, low), compared<LessEqualOp>(b, x, high)});
  return made<CastOp>(b, B::elementOf(x), inside);
}

// Integers from `low` to `high`.
struct QuantizedRange {
  QuantizedRange(int64_t bits, bool isNarrow)
      : low(isNarrow ? 1 : 0), high(static_cast<float>((int64_t{1} << bits) - 1)) {}
  float low, high;
};

// A range of f32, moved so that 0 is one of the numbers. All are scalars, or vectors of channels.
struct NudgedRange {
  // Of numbers that are known.
  template <typename B> NudgedRange(B &b, float least, float most, QuantizedRange range) {
    mlir::Type f32 = b.builder().getF32Type();
    const float step = (most - least) / (range.high - range.low);
    const float zero = std::round(std::clamp(range.low - least / step, range.low, range.high));
    const float inverseStep = (range.high - range.low) / (most - least);
    const float low = (range.low - zero) * step;
    min = b.scalar(f32, low);
    max = b.scalar(f32, (range.high - zero) * step);
    scale = b.scalar(f32, step);
    inverse = b.scalar(f32, inverseStep);
    zeroPoint = b.scalar(f32, std::floor(-low * inverseStep + 0.5f));
  }
  // Of others. A range of nothing but 0 has none of the numbers.
  template <typename B>
  NudgedRange(B &b, mlir::Value least, mlir::Value most, QuantizedRange range) {
    mlir::Type f32 = b.builder().getF32Type();
    mlir::Value low = b.scalar(f32, range.low), high = b.scalar(f32, range.high);
    mlir::Value width = b.scalar(f32, range.high - range.low), half = b.scalar(f32, 0.5);
    mlir::Value extent = b.template like<SubOp>({most, least});
    scale = b.template like<DivOp>({extent, width});
    inverse = b.template like<DivOp>({mlir::Value(width), extent});
    mlir::Value zero = b.template like<SubOp>({low, b.template like<DivOp>({least, scale})});
    mlir::Value inside =
        chosen(b, compared<LessOp>(b, zero, low), low,
               chosen(b, compared<GreaterOp>(b, zero, high), high, halfUp(b, zero)));
    min = b.template like<MulOp>({b.template like<SubOp>({low, inside}), scale});
    max = b.template like<MulOp>({b.template like<SubOp>({high, inside}), scale});
    mlir::Value below = b.template like<MulOp>({b.template like<NegOp>(min), inverse});
    zeroPoint = b.template like<FloorOp>(b.template like<AddOp>({below, half}));
    mlir::Value none = b.scalar(f32, 0);
    isNothing = b.template like<LogicalAndOp>(
        {compared<EqualOp>(b, least, none), compared<EqualOp>(b, most, none)});
  }

  mlir::Value min, max, scale, inverse, zeroPoint;
  mlir::Value isNothing; // null where it is not asked

private:
  // Of a positive number.
  template <typename B> static mlir::Value halfUp(B &b, mlir::Value x) {
    mlir::Type f32 = b.builder().getF32Type();
    mlir::Value down = b.template like<FloorOp>(x), one = b.scalar(f32, 1);
    mlir::Value isUp =
        compared<GreaterEqualOp>(b, b.template like<SubOp>({x, down}), b.scalar(f32, 0.5));
    return chosen(b, isUp, b.template like<AddOp>({down, one}), down);
  }
};

} // namespace sluice::nd
