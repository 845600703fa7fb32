// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, log, tanh and sigmoid of f64, each as one fixed sequence of operations, as those of f32 are
// (polynomials_f32.h); powers_f64.h and trigonometry_f64.h go on.
//
// Within 2 units in the last place (sigmoid: 3) everywhere. Denormals count as zero, as arguments
// and as results; tanh passes them on where they are allowed.
//
// F needs what it needs there, of integers of 64 bits, but for wholeNumber: processors lack vector
// instructions that convert these.
#pragma once

#include "runtime/elements/float_parts.h"
#include "runtime/elements/long_bits.h"

namespace sluice::rt::element::f64 {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLeastNormal = std::numeric_limits<double>::min();
inline constexpr int kFractionBits = 52;
inline constexpr uint64_t kFractionMask = (uint64_t(1) << kFractionBits) - 1;
inline constexpr uint64_t kBitsOfOne = 0x3ff0000000000000;
// Adding this rounds to a whole number, which then is in the low bits.
inline constexpr double kRound = 0x1.8p+52;
inline constexpr uint64_t kBitsOfRound = 0x4338000000000000;
inline constexpr double kLog2E = 0x1.71547652b82fep+0;
// ln 2 as the sum of two floats, of which the first has 11 bits less than it could.
inline constexpr double kLn2High = 0x1.62e42fefa3800p-1;
inline constexpr double kLn2Low = 0x1.ef35793c76730p-45;
// exp of less than this is less than the least normal float.
inline constexpr double kExpUnderflow = -0x1.6232bdd7abcd2p+9;
// exp of this or more is more than the greatest float.
inline constexpr double kExpOverflow = 0x1.62e42fefa39f0p+9;

// exp(x) = fraction * 2^n, with n in the place where floats have their exponent.
template <typename F, typename I> struct ExpParts {
  F fraction;
  I exponent;
};
template <typename F> auto splitExp(F x) {
  constexpr double kCoefficients[] = {1,
                                      1,
                                      0x1p-1,
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
  F rounded = fused(x, like(x, kLog2E), like(x, kRound));
  F n = rounded - like(x, kRound);
  F rest = fused(n, like(x, -kLn2High), x); // exact
  rest = fused(n, like(x, -kLn2Low), rest);
  auto exponent = bitsOf(rounded) << kFractionBits;
  return ExpParts<F, decltype(exponent)>{polynomial(rest, kCoefficients), exponent};
}

// exp(x) where it is a normal float and at most 2^1023; NaN for NaN; anything elsewhere.
template <typename F> F expInRange(F x) {
  auto parts = splitExp(x);
  return parts.fraction * floatOf(parts.exponent + like(parts.exponent, kBitsOfOne));
}

template <typename F> F exp(F x) {
  auto parts = splitExp(x);
  // Not a product, since 2^1024 has no float. Wrong for NaN, as what follows is not.
  F result = floatOf(bitsOf(parts.fraction) + parts.exponent);
  result = select(less(x, like(x, kExpUnderflow)), like(x, 0.0), result);
  // The sum is infinity, or NaN for NaN.
  return select(less(x, like(x, kExpOverflow)), result, x + like(x, kInfinity));
}

// ---- Logarithms ---------------------------------------------------------------------------------

inline constexpr uint64_t kBitsOfRootHalf = 0x3fe6a09e667f3bcd;

// x = 2^n * (1 + f), between the roots of 1/2 and 2, of which `upper` has the bits, and `exponent`
// those of n where floats have their exponent.
template <typename F, typename I> struct LogParts {
  F n;
  I exponent, upper;
};
template <typename I> auto splitLog(I bits) {
  constexpr uint64_t kBias = 1023; // so that n is not negative
  auto rootHalf = like(bits, kBitsOfRootHalf);
  auto aboveRootHalf = bits - rootHalf;
  auto biased = (aboveRootHalf + like(bits, kBias << kFractionBits)) >> kFractionBits;
  auto n = floatOf(biased + like(bits, kBitsOfRound)) - floatOf(like(bits, kBitsOfRound + kBias));
  return LogParts<decltype(n), I>{n, aboveRootHalf & like(bits, ~kFractionMask),
                                  (aboveRootHalf & like(bits, kFractionMask)) + rootHalf};
}

// n ln 2 + log(1 + f) + low, by s = f / (2 + f), of which log(1 + f) = 2 s + s^3 * polynomial(s^2).
template <typename F> F logOfParts(F n, F f, F low) {
  constexpr double kCoefficients[] = {
      0x1.5555555555555p-1, 0x1.9999999999a38p-2, 0x1.2492492476c87p-2, 0x1.c71c720160b47p-3,
      0x1.745cf901605f5p-3, 0x1.3b1c360763bddp-3, 0x1.0fbe83c2cb59ep-3, 0x1.0c04595976d29p-3};
  F s = f / (f + like(f, 2.0)), square = s * s;
  F half = f * f * like(f, 0.5);
  F behind = fused(s, fused(square, polynomial(square, kCoefficients), half),
                   fused(n, like(f, kLn2Low), low));
  return fused(n, like(f, kLn2High), f - (half - behind));
}

template <typename F> F log(F x) {
  auto parts = splitLog(bitsOf(x));
  F f = floatOf(parts.upper) - like(x, 1.0);
  F result = logOfParts(parts.n, f, like(x, 0.0));
  result = select(less(x, like(x, kInfinity)), result, x); // infinity and NaN
  F notPositive = select(less(like(x, -kLeastNormal), x), like(x, -kInfinity), like(x, kNan));
  return select(less(x, like(x, kLeastNormal)), notPositive, result);
}

// ---- Curves -------------------------------------------------------------------------------------

template <typename F> F tanh(F x) {
  // From here on tanh(x) is 1.
  constexpr double kOne = 20;
  constexpr double kSmall = 0.625;
  // tanh(x) = x + x^3 * polynomial(x^2) for |x| < kSmall
  constexpr double kCoefficients[] = {
      -0x1.5555555555555p-2,  0x1.11111111110a8p-3,  -0x1.ba1ba1ba0f126p-5,  0x1.664f487e0a749p-6,
      -0x1.226e3473dce5cp-7,  0x1.d6d39ae3905e2p-9,  -0x1.7d9f6f23e867bp-10, 0x1.3526e9ed54d65p-11,
      -0x1.f243823c8c6d1p-13, 0x1.8445870f6f49ep-14, -0x1.05bbdae894ee3p-15, 0x1.b33642a11e6cfp-18};
  F square = x * x;
  F small = fused(x * square, polynomial(square, kCoefficients), x);
  F size = magnitude(x);
  F bounded = atMost(size, kOne);
  F e = expInRange(bounded + bounded);
  F large = like(x, 1.0) - like(x, 2.0) / (e + like(x, 1.0));
  return withSign(select(less(size, like(x, kSmall)), small, large), x);
}

// exp is only taken of what is not positive, so it cannot overflow.
template <typename F> F sigmoid(F x) {
  F zero = like(x, 0.0), one = like(x, 1.0);
  F negative = zero - magnitude(x);
  F e = select(less(negative, like(x, kExpUnderflow)), zero, expInRange(negative));
  return select(less(x, zero), e, one) / (one + e);
}

} // namespace sluice::rt::element::f64
