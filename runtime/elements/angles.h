// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The angle of a point, as one fixed sequence of operations, as those of polynomials_f32.h are.
//
// Within 2.5 units in the last place; denormal results are zero.
#pragma once

#include "runtime/elements/widths.h"

namespace sluice::rt::element::special {

template <typename F> [[gnu::always_inline]] F angleOfPoint(F y, F x) {
  // atan(r) = r + r^3 * polynomial(r^2) up to an eighth of a half turn
  constexpr auto kCoefficients = chosen<F>(
      {-0x1.55554ap-2f, 0x1.9991aap-3f, -0x1.23b67ep-3f, 0x1.b1ff1p-4f, -0x1.f247a8p-5f},
      {-0x1.555555555553dp-2, 0x1.9999999995843p-3, -0x1.24924922ad7a3p-3, 0x1.c71c70e657828p-4,
       -0x1.745cf8e8d820ap-4, 0x1.3b111a2bf0152p-4, -0x1.10ebc5dc3fdb2p-4, 0x1.df102009e74d8p-5,
       -0x1.9cd6aa4e20326p-5, 0x1.37dfed484b386p-5, -0x1.25814c1ffca89p-6});
  constexpr float kTangentOfEighth = 0x1.a82798p-2f;
  // Sides of less are made longer, since their difference may be denormal.
  constexpr auto kShort = chosen<F>(0x1p-90f, 0x1p-900), kLonger = chosen<F>(0x1p+30f, 0x1p+100);
  // Sides of this or more are made shorter, since their sum may overflow.
  constexpr auto kLong = chosen<F>(0x1p+120f, 0x1p+1000);
  using W = WidthOf<F>;
  F zero = like(x, 0), one = like(x, 1);
  F width = magnitude(x), height = magnitude(y);
  auto isSteep = less(width, height);
  F longer = select(isSteep, height, width), shorter = select(isSteep, width, height);
  F scale = select(lessOrEqual(like(x, kLong), longer), like(x, 0.25f), one);
  scale = select(less(longer, like(x, kShort)), like(x, kLonger), scale);
  longer = longer * scale;
  shorter = shorter * scale;
  // The angle above that of (1, 1) from where on it is nearer than that of (1, 0).
  auto isDiagonal = less(longer * like(x, kTangentOfEighth), shorter);
  F ratio =
      select(isDiagonal, shorter - longer, shorter) / select(isDiagonal, shorter + longer, longer);
  auto isEqual = equals(shorter, longer); // infinities and zeros, too
  ratio = select(isEqual, zero, ratio);
  isDiagonal = both(either(isDiagonal, isEqual), less(zero, longer));
  F square = ratio * ratio;
  F rest = fused(ratio * square, polynomial(square, kCoefficients), ratio);
  // Quarters of π behind it, of which only what matters of the low part is summed up.
  F sum = select(isDiagonal, one, zero);
  F angle = rest;
  rest = select(isSteep, wrapNeg(angle), angle);
  sum = select(isSteep, like(x, 2) - sum, sum);
  auto isLeft = less(withSign(one, x), zero);
  rest = select(isLeft, wrapNeg(rest), rest);
  sum = select(isLeft, like(x, 4) - sum, sum);
  angle = fused(sum, like(x, W::kPiHigh / 4), fused(sum, like(x, W::kPiLow / 4), rest));
  angle = select(less(angle, like(x, W::kLeastNormal)), zero, angle);
  angle = withSign(angle, y);
  angle = select(differs(x, x), x, angle);
  return select(differs(y, y), y, angle);
}

} // namespace sluice::rt::element::special
