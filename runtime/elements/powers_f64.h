// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expm1, log1p and pow of f64, each as one fixed sequence of operations, as those of f32 are
// (powers_f32.h).
//
// Within 1.5 units in the last place everywhere. Denormal results of pow are zero and its denormal
// arguments count as such; expm1 and log1p pass denormals on where they are allowed.
#pragma once

#include "runtime/elements/polynomials_f64.h"

namespace sluice::rt::element::f64 {

template <typename F> [[gnu::always_inline]] F expm1(F x) {
  // From here on expm1(x) is x, -1, infinity.
  constexpr double kTiny = 0x1p-54, kMinusOne = -40, kInfinite = 710;
  // expm1(x) = x + x^2 * polynomial(x) for |x| <= ln 2 / 2
  constexpr double kCoefficients[] = {0x1p-1,
                                      0x1.5555555555555p-3,
                                      0x1.5555555555557p-5,
                                      0x1.1111111111111p-7,
                                      0x1.6c16c16c15a6cp-10,
                                      0x1.a01a01a0196aep-13,
                                      0x1.a01a01a9e8139p-16,
                                      0x1.71de3a5aa6efbp-19,
                                      0x1.27e4d41d657d2p-22,
                                      0x1.ae642c8725b5ap-26,
                                      0x1.1f7f20132b4f4p-29,
                                      0x1.61bfa2413f7fcp-33};
  F bounded = atMost(atLeast(x, kMinusOne), kInfinite);
  F rounded = fused(bounded, like(x, kLog2E), like(x, kRound));
  F n = rounded - like(x, kRound);
  F rest = fused(n, like(x, -kLn2High), bounded); // exact
  F lost = n * like(x, -kLn2Low);
  F sum = rest + lost;
  F tail = fused(sum * sum, polynomial(sum, kCoefficients), lost);
  // Half of the result, since 2^1024 has no float: scale * (1 + rest + tail) - 1/2.
  auto exponent = bitsOf(rounded) << kFractionBits;
  F scale = floatOf(exponent + like(exponent, kBitsOfOne - (uint64_t(1) << kFractionBits)));
  F first = scale - like(x, 0.5);
  F high = fused(scale, rest, first);
  F low = fused(scale, tail, fused(scale, rest, first - high));
  F half = high + low;
  return select(less(magnitude(x), like(x, kTiny)), x, half + half);
}

template <typename F> [[gnu::always_inline]] F log1p(F x) {
  constexpr uint64_t kBitsOfFour = 0x4010000000000000;
  // 1 + x = 2^n * (1 + f), where n is that of a rounded sum, but f is not.
  auto parts = splitLog(bitsOf(x + like(x, 1.0)));
  F scaled = floatOf(bitsOf(x) - parts.exponent);
  // Of 4 / 2^n, since 1 / 2^1024 is no normal float.
  F scale = floatOf(like(parts.exponent, kBitsOfFour) - parts.exponent);
  F first = fused(scale, like(x, 0.25), like(x, -1.0));
  F f = first + scaled;
  F lost = scaled - (f - first);
  F result = logOfParts(parts.n, f, lost);
  result = select(less(x, like(x, kInfinity)), result, x); // infinity and NaN
  F outside = select(less(x, like(x, -1.0)), like(x, kNan), like(x, -kInfinity));
  return withSign(select(lessOrEqual(x, like(x, -1.0)), outside, result), x);
}

// Of pow; the logarithm has an error below 2^-64 of it, since the power has that times 1024.
struct Width {
  static constexpr double kInfinity = f64::kInfinity, kNan = f64::kNan;
  static constexpr double kLeastNormal = f64::kLeastNormal, kFar = 2048;

  template <typename F> [[gnu::always_inline]] static TwoFloats<F> log2(F x) {
    // log2(1 + f) = s * (kFirst + s^2 * (kThird + s^2 * polynomial(s^2))) with s = f / (2 + f)
    constexpr double kFirstHigh = 0x1.71547652b82fep+1, kFirstLow = 0x1.777d0ffda0d24p-55;
    constexpr double kThirdHigh = 0x1.ec709dc3a03fdp-1, kThirdLow = 0x1.d27f05548af0cp-55;
    constexpr double kCoefficients[] = {
        0x1.2776c50ef9bfep-1, 0x1.a61762a7adfa8p-2, 0x1.484b13d79c3b6p-2, 0x1.0c9a84bf5081cp-2,
        0x1.c68f2f01d5105p-3, 0x1.89fed27be422bp-3, 0x1.59e08811edd1ep-3, 0x1.5a60ae4e114a8p-3};
    auto parts = splitLog(bitsOf(x));
    F f = floatOf(parts.upper) - like(x, 1.0);
    auto divisor = exactSum(like(x, 2.0), f);
    F inverse = like(x, 1.0) / divisor.high;
    F s = f * inverse, minusS = wrapNeg(s);
    F sLow = fused(minusS, divisor.low, fused(minusS, divisor.high, f)) * inverse;
    F square = s * s;
    F squareLow = fused(s, s, wrapNeg(square)) + (s + s) * sLow;
    F beyond = square * polynomial(square, kCoefficients);
    auto third = exactSum(like(x, kThirdHigh), beyond);
    third.low = third.low + like(x, kThirdLow);
    F more = square * third.high;
    F moreLow =
        fused(square, third.high, wrapNeg(more)) + fused(square, third.low, squareLow * third.high);
    auto first = exactSum(like(x, kFirstHigh), more);
    F firstLow = first.low + (moreLow + like(x, kFirstLow));
    F product = s * first.high;
    F productLow = fused(s, first.high, wrapNeg(product)) + fused(s, firstLow, sLow * first.high);
    auto sum = exactSum(parts.n, product);
    return exactSum(sum.high, sum.low + productLow);
  }

  template <typename F> [[gnu::always_inline]] static F exp2(F x, F low) {
    // From here on 2^x is 0, infinity.
    constexpr double kZero = -1022.5, kInfinite = 1024.5;
    // ln 2 as the sum of two whole floats.
    constexpr double kHigh = 0x1.62e42fefa39efp-1, kLow = 0x1.abc9e3b39803fp-56;
    // 2^x = 1 + x ln 2 + x^2 * polynomial(x) for |x| <= 1/2
    constexpr double kCoefficients[] = {
        0x1.ebfbdff82c58fp-3,  0x1.c6b08d704a0cp-5,   0x1.3b2ab6fba4e79p-7,  0x1.5d87fe78a6732p-10,
        0x1.430912f86b7dbp-13, 0x1.ffcbfc588a53p-17,  0x1.62c02242b879cp-20, 0x1.b5253d3f8c6d6p-24,
        0x1.e4cf10dec0f59p-28, 0x1.e8ca978b167cbp-32, 0x1.c4a29324a1038p-36, 0x1.820b006ee4522p-40};
    F bounded = atMost(atLeast(x, kZero), kInfinite);
    F rounded = bounded + like(x, kRound);
    F rest = bounded - (rounded - like(x, kRound));
    F sum = rest + low;
    F tail = fused(rest, like(x, kLow), low * like(x, kHigh));
    tail = fused(sum * sum, polynomial(sum, kCoefficients), tail);
    F fraction = like(x, 1.0) + fused(rest, like(x, kHigh), tail);
    // What is too small has no exponent, or a sign; what is too large is infinity or NaN.
    F result = floatOf(bitsOf(fraction) + (bitsOf(rounded) << kFractionBits));
    result = select(less(result, like(x, kLeastNormal)), like(x, 0.0), result);
    return select(less(result, like(x, kInfinity)), result, like(x, kInfinity));
  }
};

template <typename F> [[gnu::always_inline]] F pow(F x, F y) { return power<Width>(x, y); }

} // namespace sluice::rt::element::f64
