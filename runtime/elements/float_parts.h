// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions of f32 and functions of f64 are made of. F is a number of either kind.
#pragma once

#include "runtime/elements/vocabulary.h"

namespace sluice::rt::element {

// c[0] + c[1] x + c[2] x^2 + …
template <typename F, typename C, int n> F polynomial(F x, const C (&c)[n]) {
  F sum = like(x, c[n - 1]);
  for (int i = n - 2; i >= 0; --i)
    sum = fused(sum, x, like(x, c[i]));
  return sum;
}

// NaN stays.
template <typename F, typename C> F atMost(F x, C bound) {
  return select(less(like(x, bound), x), like(x, bound), x);
}
template <typename F, typename C> F atLeast(F x, C bound) {
  return select(less(x, like(x, bound)), like(x, bound), x);
}

// A number as the sum of two floats.
template <typename F> struct TwoFloats {
  F high, low;
};
// Exact, where `large` is not smaller than `small`, or 0.
template <typename F> [[gnu::always_inline]] TwoFloats<F> exactSum(F large, F small) {
  F high = large + small;
  return {high, small - (high - large)};
}

// ---- Powers -------------------------------------------------------------------------------------

// Of a kind of floats, `Width` has
//   log2(x)       of a positive normal float, as the sum of two floats
//   exp2(x, low)  2^(x + low), or 0 where that is a denormal; anything for NaN
// and the constants kInfinity, kNan, kLeastNormal, and kFar, from whose size on 2^x is 0 or
// infinity.

// size^y for a size that is not negative.
template <typename Width, typename F> [[gnu::always_inline]] F powerOfSize(F size, F y) {
  F infinity = like(size, Width::kInfinity), one = like(size, 1);
  auto logarithm = Width::log2(size);
  auto isNormal = both(lessOrEqual(like(size, Width::kLeastNormal), size), less(size, infinity));
  F notNormal = select(less(size, one), like(size, -Width::kInfinity), size); // also NaN
  F high = select(isNormal, logarithm.high, notNormal);
  F exponent = y * high;
  F low = fused(y, logarithm.low, fused(y, high, wrapNeg(exponent)));
  low = select(less(magnitude(exponent), like(size, Width::kFar)), low, like(size, 0));
  F result = select(differs(exponent, exponent), exponent, Width::exp2(exponent, low));
  return select(equals(size, one), one, result);
}

// x^2 or x^3, as models ask for: a few operations.
template <typename Width, typename F> [[gnu::always_inline]] F smallPower(F x, F y) {
  F square = x * x, lost = fused(x, x, wrapNeg(square)) * x;
  lost = select(less(square, like(x, Width::kInfinity)), lost, like(x, 0));
  F result = select(equals(y, like(x, 2)), square, fused(square, x, lost));
  return select(less(magnitude(result), like(x, Width::kLeastNormal)), withSign(like(x, 0), result),
                result);
}

// What the C standard says of zeros, infinities, NaN and negative numbers holds.
template <typename Width, typename F> [[gnu::always_inline]] F power(F x, F y) {
  F one = like(x, 1), half = y * like(x, 0.5f);
  auto isWhole = equals(roundedDown(y), y);
  auto isOdd = both(isWhole, differs(roundedDown(half), half));
  F result = withSign(powerOfSize<Width>(magnitude(x), y), select(isOdd, x, one));
  auto isNegative =
      both(less(like(x, -Width::kInfinity), x), lessOrEqual(x, like(x, -Width::kLeastNormal)));
  result = select(both(isNegative, opposite(isWhole)), like(x, Width::kNan), result);
  // 1 to the power of NaN is 1, and so is NaN to the power of 0.
  auto isOne = either(equals(x, one), less(magnitude(y), like(y, Width::kLeastNormal)));
  result = select(isOne, one, result);
  auto isSmall = either(equals(y, like(x, 2)), equals(y, like(x, 3)));
  return select(isSmall, smallPower<Width>(x, y), result);
}

} // namespace sluice::rt::element
