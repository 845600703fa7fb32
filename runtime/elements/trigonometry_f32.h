// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin and cos of f32, each as one fixed sequence of operations, as in polynomials_f32.h.
//
// The argument is counted in turns: it is multiplied by 1 / 2 pi in integers, whose overflow drops
// whole turns, however many there are. So large arguments are as exact as small ones, and need no
// way of their own.
//
// Within 1.5 units in the last place everywhere. sin passes denormals on where they are allowed.
#pragma once

#include "runtime/elements/polynomials_f32.h"

#include <array>

namespace sluice::rt::element::f32 {

// The bits of 1 / 2 pi, after 32 zeros; the last three words are read and dropped.
inline constexpr std::array<uint32_t, 11> kBitsOfTurn = {
    0x00000000, 0x28be60db, 0x9391054a, 0x7f09d5f4, 0x7d4d3770, 0x36d8a566, 0x4f10e410, 0x7f9458ea};

// The 96 bits of `kBitsOfTurn` from place `place` on, which is at most 136.
template <typename I> struct ThreeWords {
  I first, second, third;
};
template <typename I> [[gnu::always_inline]] ThreeWords<I> bitsOfTurnFrom(I place) {
  auto hasNot = [&](uint32_t bit) { return equals(place & like(place, bit), like(place, 0u)); };
  auto hasNot128 = hasNot(128), hasNot64 = hasNot(64), hasNot32 = hasNot(32);
  auto after128 = [&](int i) {
    return select(hasNot128, like(place, kBitsOfTurn[i]), like(place, kBitsOfTurn[i + 4]));
  };
  auto after64 = [&](int i) { return select(hasNot64, after128(i), after128(i + 2)); };
  auto after32 = [&](int i) { return select(hasNot32, after64(i), after64(i + 1)); };
  I shift = place & like(place, 31u), opposite = like(place, 31u) - shift, one = like(place, 1u);
  auto join = [&](I word, I next) {
    return shiftedLeft(word, shift) | shiftedRight(shiftedRight(next, one), opposite);
  };
  I first = after32(0), second = after32(1), third = after32(2), fourth = after32(3);
  return {join(first, second), join(second, third), join(third, fourth)};
}

// The part of a turn that is left of whole ones, in two words: 32 bits and 31 bits.
template <typename I> struct Turn {
  I high, low;
};
// Of the positive float with these bits, from 2^-9 on.
template <typename I> [[gnu::always_inline]] Turn<I> turnOf(I bits) {
  // Bits that stand before this place only make whole turns.
  auto factor = bitsOfTurnFrom((bits >> kFractionBits) - like(bits, 118u));
  I fraction = (bits & like(bits, kFractionMask)) | like(bits, kFractionMask + 1);
  // The product, but for what stands above its 64 bits in the middle, or below.
  I one = like(bits, 1u);
  I low = shiftedRight(fraction * factor.second, one) +
          shiftedRight(highProduct(fraction, factor.third), one);
  I high = fraction * factor.first + highProduct(fraction, factor.second) +
           shiftedRight(low, like(bits, 31u));
  return {high, low & like(bits, 0x7fffffffu)};
}

// Quarters of a turn, of which the two low bits count, and what is left: at most an eighth of a
// turn to either side, in radians, as the sum of two floats.
template <typename F, typename I> struct Angle {
  I quarters;
  F high, low;
};
// Of a number that is not negative.
template <typename F> [[gnu::always_inline]] auto angleOf(F size) {
  // From here on turns are counted.
  constexpr float kSmall = 0.5f;
  // 2 pi / 2^26 as the sum of two floats.
  constexpr float kUnitHigh = 0x1.921fb6p-24f, kUnitLow = -0x1.777a5cp-49f;
  auto bits = bitsOf(size);
  auto turn = turnOf(bits);
  auto quarters = turn.high + like(bits, 0x20000000u);
  auto rest = (quarters & like(bits, 0x3fffffffu)) - like(bits, 0x20000000u);
  // In units of 1 / 2^26 turns: 24 bits, the 23 that follow, and the last 14.
  F front = wholeNumber(rest >> 6);
  F middle = wholeNumber(((rest & like(bits, 63u)) << 17) | (turn.low >> 14));
  F back = wholeNumber(turn.low & like(bits, 0x3fffu));
  F behind = fused(middle, like(size, 0x1p-23f), back * like(size, 0x1p-37f));
  F units = front + behind;
  F lost = behind - (units - front);
  F high = units * like(size, kUnitHigh);
  F low = fused(units, like(size, kUnitHigh), wrapNeg(high)) +
          fused(units, like(size, kUnitLow), lost * like(size, kUnitHigh));
  auto isSmall = less(size, like(size, kSmall));
  return Angle<F, decltype(bits)>{select(isSmall, like(bits, 0u), quarters >> 30),
                                  select(isSmall, size, high),
                                  select(isSmall, like(size, 0.0f), low)};
}

// The sine of an angle, and its cosine if one is added to its quarters.
template <typename F, typename I> [[gnu::always_inline]] F sineOf(const Angle<F, I> &angle) {
  // sin(x) = x + x^3 * polynomial(x^2), cos(x) = 1 - x^2 / 2 + x^4 * polynomial(x^2)
  constexpr float kSine[] = {-0x1.555546p-3f, 0x1.110778p-7f, -0x1.995408p-13f};
  constexpr float kCosine[] = {0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e80cp-16f};
  F x = angle.high, square = x * x;
  F sine = x + fused(x * square, polynomial(square, kSine), angle.low);
  F cosine = fused(square, like(x, -0.5f), like(x, 1.0f)) +
             fused(square * square, polynomial(square, kCosine), wrapNeg(x * angle.low));
  auto isEven = equals(angle.quarters & like(angle.quarters, 1u), like(angle.quarters, 0u));
  // A sum with the bit of the sign changes it.
  return floatOf(bitsOf(select(isEven, sine, cosine)) +
                 ((angle.quarters & like(angle.quarters, 2u)) << 30));
}

template <typename F> [[gnu::always_inline]] F sin(F x) {
  auto sign = bitsOf(x) & like(bitsOf(x), 0x80000000u);
  F result = floatOf(bitsOf(sineOf(angleOf(magnitude(x)))) + sign);
  return fused(x, like(x, 0.0f), result); // NaN for infinity and NaN
}

template <typename F> [[gnu::always_inline]] F cos(F x) {
  auto angle = angleOf(magnitude(x));
  angle.quarters = angle.quarters + like(angle.quarters, 1u);
  return fused(x, like(x, 0.0f), sineOf(angle));
}

} // namespace sluice::rt::element::f32
