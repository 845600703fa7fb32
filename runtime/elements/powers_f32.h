// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expm1, log1p and pow of f32, each as one fixed sequence of operations, as in polynomials_f32.h.
//
// Within 1.1 units in the last place everywhere. Denormal results of pow are zero and its denormal
// arguments count as such; expm1 and log1p pass denormals on where they are allowed.
#pragma once

#include "runtime/elements/polynomials_f32.h"

namespace sluice::rt::element::f32 {

template <typename F> [[gnu::always_inline]] F expm1(F x) {
  // From here on expm1(x) is x, -1, infinity.
  constexpr float kTiny = 0x1p-25f, kMinusOne = -18, kInfinite = 89;
  // expm1(x) = x + x^2 * polynomial(x) for |x| <= ln 2 / 2
  constexpr float kCoefficients[] = {0.5f,           0x1.555554p-3f,  0x1.5554b2p-5f,
                                     0x1.11118ap-7f, 0x1.6d71e6p-10f, 0x1.a032dep-13f};
  F bounded = atMost(atLeast(x, kMinusOne), kInfinite);
  F rounded = fused(bounded, like(x, kLog2E), like(x, kRound));
  F n = rounded - like(x, kRound);
  F rest = fused(n, like(x, -kLn2High), bounded); // exact
  F lost = n * like(x, -kLn2Low);
  F sum = rest + lost;
  F tail = fused(sum * sum, polynomial(sum, kCoefficients), lost);
  // Half of the result, since 2^128 has no float: scale * (1 + rest + tail) - 1/2.
  auto exponent = bitsOf(rounded) << kFractionBits;
  F scale = floatOf(exponent + like(exponent, kBitsOfOne - (1u << kFractionBits)));
  F first = scale - like(x, 0.5f);
  F high = fused(scale, rest, first);
  F low = fused(scale, tail, fused(scale, rest, first - high));
  F half = high + low;
  return select(less(magnitude(x), like(x, kTiny)), x, half + half);
}

template <typename F> [[gnu::always_inline]] F log1p(F x) {
  constexpr uint32_t kBitsOfFour = 0x40800000;
  // 1 + x = 2^n * (1 + f), where n is that of a rounded sum, but f is not.
  auto bits = bitsOf(x + like(x, 1.0f));
  auto aboveRootHalf = bits - like(bits, kBitsOfRootHalf);
  auto exponent = aboveRootHalf & like(bits, ~kFractionMask);
  F n = wholeNumber(aboveRootHalf >> kFractionBits);
  F scaled = floatOf(bitsOf(x) - exponent);
  // Of 4 / 2^n, since 1 / 2^128 is no normal float.
  F scale = floatOf(like(bits, kBitsOfFour) - exponent);
  F first = fused(scale, like(x, 0.25f), like(x, -1.0f));
  F f = first + scaled;
  F lost = scaled - (f - first);
  F low = fused(f * f, polynomial(f, kLogCoefficients), fused(n, like(x, kLn2Low), lost));
  F result = fused(n, like(x, kLn2High), f + low);
  result = select(less(x, like(x, kInfinity)), result, x); // infinity and NaN
  F outside = select(less(x, like(x, -1.0f)), like(x, kNan), like(x, -kInfinity));
  return withSign(select(lessOrEqual(x, like(x, -1.0f)), outside, result), x);
}

// Of pow; the logarithm has an error below 2^-34 of it, since the power has that times 128.
struct Width {
  static constexpr float kInfinity = f32::kInfinity, kNan = f32::kNan;
  static constexpr float kLeastNormal = f32::kLeastNormal, kFar = 256;

  template <typename F> [[gnu::always_inline]] static TwoFloats<F> log2(F x) {
    // log2(1 + f) = s * (kFirst + s^2 * (kThird + s^2 * polynomial(s^2))) with s = f / (2 + f)
    constexpr float kFirstHigh = 0x1.715476p+1f, kFirstLow = 0x1.4ae0c0p-25f;
    constexpr float kThirdHigh = 0x1.ec709ep-1f, kThirdLow = -0x1.e2fe02p-28f;
    constexpr float kCoefficients[] = {0x1.27770ep-1f, 0x1.a5bbfep-2f, 0x1.59ed6cp-2f};
    // x = 2^n * (1 + f)
    auto bits = bitsOf(x);
    auto rootHalf = like(bits, kBitsOfRootHalf);
    auto aboveRootHalf = bits - rootHalf;
    F n = wholeNumber(aboveRootHalf >> kFractionBits);
    F f = floatOf((aboveRootHalf & like(bits, kFractionMask)) + rootHalf) - like(x, 1.0f);
    auto divisor = exactSum(like(x, 2.0f), f);
    F inverse = like(x, 1.0f) / divisor.high;
    F s = f * inverse, minusS = wrapNeg(s);
    F sLow = fused(minusS, divisor.low, fused(minusS, divisor.high, f)) * inverse;
    F square = s * s;
    F squareLow = fused(s, s, wrapNeg(square)) + (s + s) * sLow;
    F beyond = fused(square, polynomial(square, kCoefficients), like(x, kThirdLow));
    auto third = exactSum(like(x, kThirdHigh), beyond);
    F more = square * third.high;
    F moreLow =
        fused(square, third.high, wrapNeg(more)) + fused(square, third.low, squareLow * third.high);
    auto first = exactSum(like(x, kFirstHigh), more);
    F firstLow = first.low + (moreLow + like(x, kFirstLow));
    F product = s * first.high;
    F productLow = fused(s, first.high, wrapNeg(product)) + fused(s, firstLow, sLow * first.high);
    auto sum = exactSum(n, product);
    return exactSum(sum.high, sum.low + productLow);
  }

  template <typename F> [[gnu::always_inline]] static F exp2(F x, F low) {
    // From here on 2^x is 0, infinity.
    constexpr float kZero = -126.5f, kInfinite = 128.5f;
    // 2^x = 1 + x ln 2 + x^2 * polynomial(x) for |x| <= 1/2
    constexpr float kCoefficients[] = {0x1.ebfbdcp-3f, 0x1.c6af84p-5f, 0x1.3b2db0p-7f,
                                       0x1.5f0696p-10f, 0x1.41a360p-13f};
    F bounded = atMost(atLeast(x, kZero), kInfinite);
    F rounded = bounded + like(x, kRound);
    F rest = bounded - (rounded - like(x, kRound));
    F sum = rest + low;
    F tail = fused(rest, like(x, kLn2Low), low * like(x, kLn2High));
    tail = fused(sum * sum, polynomial(sum, kCoefficients), tail);
    F fraction = like(x, 1.0f) + fused(rest, like(x, kLn2High), tail);
    // What is too small has no exponent, or a sign; what is too large is infinity or NaN.
    F result = floatOf(bitsOf(fraction) + (bitsOf(rounded) << kFractionBits));
    result = select(less(result, like(x, kLeastNormal)), like(x, 0.0f), result);
    return select(less(result, like(x, kInfinity)), result, like(x, kInfinity));
  }
};

template <typename F> [[gnu::always_inline]] F pow(F x, F y) { return power<Width>(x, y); }

} // namespace sluice::rt::element::f32
