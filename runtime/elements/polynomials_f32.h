// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, log, tanh and sigmoid of f32, as polynomials; powers_f32.h and trigonometry_f32.h go on.
//
// Each function is one fixed sequence of operations that are each rounded once, without tables,
// branches or calls. So kernels and compiled code give the same bits, and so do scalars, vectors
// and the tails of vectors.
//
// Within 2 units in the last place (sigmoid: 3) everywhere. Denormals count as zero, as arguments
// and as results, whatever the control register of the thread says (tanh alone passes them on where
// they are allowed).
//
// Beside the vocabulary, F needs + - * /, and: bitsOf, into integers with + - & << >>; floatOf, its
// opposite; wholeNumber, which converts.
#pragma once

#include "runtime/base/float_bits.h"
#include "runtime/elements/float_parts.h"

namespace sluice::rt::element::f32 {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kLeastNormal = std::numeric_limits<float>::min();
inline constexpr int kFractionBits = 23;
inline constexpr uint32_t kFractionMask = (1u << kFractionBits) - 1;
inline constexpr uint32_t kBitsOfOne = 0x3f800000;
// Adding this rounds to a whole number, which then is in the low bits.
inline constexpr float kRound = 0x1.8p+23f;
inline constexpr float kLog2E = 0x1.715476p+0f;
// ln 2 as the sum of two floats.
inline constexpr float kLn2High = 0x1.62e430p-1f;
inline constexpr float kLn2Low = -0x1.05c610p-29f;
// exp of less than this is less than the least normal float.
inline constexpr float kExpUnderflow = -0x1.5d589ep+6f;
// exp of this or more is more than the greatest float.
inline constexpr float kExpOverflow = 0x1.62e430p+6f;

// exp(x) = fraction * 2^n, with n in the place where floats have their exponent.
template <typename F, typename I> struct ExpParts {
  F fraction;
  I exponent;
};
template <typename F> auto splitExp(F x) {
  // 1, 1 and the minimax fit of the rest for |x| <= ln 2 / 2.
  constexpr float kCoefficients[] = {
      1, 1, 0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558f2p-5f, 0x1.1239e2p-7f, 0x1.6a2434p-10f};
  F rounded = fused(x, like(x, kLog2E), like(x, kRound));
  F n = rounded - like(x, kRound);
  F rest = fused(n, like(x, -kLn2High), x); // exact
  rest = fused(n, like(x, -kLn2Low), rest);
  auto exponent = bitsOf(rounded) << kFractionBits;
  return ExpParts<F, decltype(exponent)>{polynomial(rest, kCoefficients), exponent};
}

// exp(x) where it is a normal float and at most 2^127; NaN for NaN; anything elsewhere.
template <typename F> F expInRange(F x) {
  auto parts = splitExp(x);
  return parts.fraction * floatOf(parts.exponent + like(parts.exponent, kBitsOfOne));
}

template <typename F> F exp(F x) {
  auto parts = splitExp(x);
  // Not a product, since 2^128 has no float. Wrong for NaN, as what follows is not.
  F result = floatOf(bitsOf(parts.fraction) + parts.exponent);
  result = select(less(x, like(x, kExpUnderflow)), like(x, 0.0f), result);
  // The sum is infinity, or NaN for NaN.
  return select(less(x, like(x, kExpOverflow)), result, x + like(x, kInfinity));
}

inline constexpr uint32_t kBitsOfRootHalf = 0x3f3504f3;
// log(1 + f) = f + f^2 * polynomial(f), between the roots of 1/2 and 2.
inline constexpr float kLogCoefficients[] = {-0.5f,           0x1.555554p-2f,  -0x1.000226p-2f,
                                             0x1.99a008p-3f,  -0x1.547244p-3f, 0x1.22da1cp-3f,
                                             -0x1.0d8540p-3f, 0x1.055b6cp-3f,  -0x1.38b588p-4f};

template <typename F> F log(F x) {
  // x = 2^n * (1 + f)
  auto bits = bitsOf(x);
  auto rootHalf = like(bits, kBitsOfRootHalf);
  auto aboveRootHalf = bits - rootHalf;
  F n = wholeNumber(aboveRootHalf >> kFractionBits);
  F f = floatOf((aboveRootHalf & like(bits, kFractionMask)) + rootHalf) - like(x, 1.0f);
  F low = fused(f * f, polynomial(f, kLogCoefficients), n * like(x, kLn2Low));
  F result = fused(n, like(x, kLn2High), f + low);
  result = select(less(x, like(x, kInfinity)), result, x); // infinity and NaN
  F notPositive = select(less(like(x, -kLeastNormal), x), like(x, -kInfinity), like(x, kNan));
  return select(less(x, like(x, kLeastNormal)), notPositive, result);
}

template <typename F> F tanh(F x) {
  // From here on tanh(x) is 1.
  constexpr float kOne = 10;
  constexpr float kSmall = 0.625f;
  // tanh(x) = x + x^3 * polynomial(x^2) for |x| < kSmall
  constexpr float kCoefficients[] = {-0x1.555532p-2f, 0x1.110724p-3f, -0x1.b83c5ap-5f,
                                     0x1.52269cp-6f, -0x1.75e1cep-8f};
  F square = x * x;
  F small = fused(x * square, polynomial(square, kCoefficients), x);
  F size = magnitude(x);
  F bounded = select(less(like(x, kOne), size), like(x, kOne), size);
  F e = expInRange(bounded + bounded);
  F large = like(x, 1.0f) - like(x, 2.0f) / (e + like(x, 1.0f));
  return withSign(select(less(size, like(x, kSmall)), small, large), x);
}

// exp is only taken of what is not positive, so it cannot overflow.
template <typename F> F sigmoid(F x) {
  F zero = like(x, 0.0f), one = like(x, 1.0f);
  F negative = zero - magnitude(x);
  F e = select(less(negative, like(x, kExpUnderflow)), zero, expInRange(negative));
  return select(less(x, zero), e, one) / (one + e);
}

} // namespace sluice::rt::element::f32
