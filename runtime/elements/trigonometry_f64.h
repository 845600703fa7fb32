// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin and cos of f64, each as one fixed sequence of operations, as those of f32 are
// (trigonometry_f32.h): the argument is counted in turns, whose integers drop whole ones.
//
// Within 1.5 units in the last place everywhere. sin passes denormals on where they are allowed.
//
// Beside what polynomials need, F needs signedNumber, which converts its integers.
#pragma once

#include "runtime/elements/polynomials_f64.h"

#include <array>

namespace sluice::rt {
inline double signedNumber(LongBits bits) {
  return static_cast<double>(static_cast<int64_t>(bits.value));
}
} // namespace sluice::rt

namespace sluice::rt::element::f64 {

// The bits of 1 / 2 pi, after 64 zeros.
inline constexpr std::array<uint64_t, 20> kBitsOfTurn = {
    0x0000000000000000, 0x28be60db9391054a, 0x7f09d5f47d4d3770, 0x36d8a5664f10e410,
    0x7f9458eaf7aef158, 0x6dc91b8e909374b8, 0x01924bba82746487, 0x3f877ac72c4a69cf,
    0xba208d7d4baed121, 0x3a671c09ad17df90, 0x4e64758e60d4ce7d, 0x272117e2ef7e4a0e,
    0xc7fe25fff7816603, 0xfbcbc462d6829b47, 0xdb4d9fb3c9f2c26d, 0xd3d18fd9a797fa8b,
    0x5d49eeb1faf97c5e, 0xcf41ce7de294a4ba, 0x9afed7ec47e35742, 0x1580cc11bf1edaea};

// The 192 bits of `kBitsOfTurn` from place `place` on, which is at most 1035.
template <typename I> struct ThreeWords {
  I first, second, third;
};
template <typename I> [[gnu::always_inline]] ThreeWords<I> bitsOfTurnFrom(I place) {
  // The words from the one on that all higher bits of the place ask for; fewer with each bit.
  constexpr int kMost = 19;
  I words[kMost + 16] = {};
  for (int i = 0; i < kMost; ++i)
    words[i] = like(place, kBitsOfTurn[static_cast<size_t>(i)]);
  auto hasNot = [&](uint64_t bit) { return equals(place & like(place, bit), like(place, 0)); };
  auto skip = [&](uint64_t bit, int left) {
    auto stays = hasNot(bit);
    int step = static_cast<int>(bit / 64);
    for (int i = 0; i < left; ++i) // what lies beyond the last word is asked for by no place
      words[i] = i + step < kMost ? select(stays, words[i], words[i + step]) : words[i];
  };
  auto stays = hasNot(1024);
  for (int i = 0; i < 4; ++i)
    words[i] = select(stays, words[i], like(place, kBitsOfTurn[static_cast<size_t>(i) + 16]));
  skip(512, 11);
  skip(256, 7);
  skip(128, 5);
  skip(64, 4);
  I shift = place & like(place, 63), opposite = like(place, 63) - shift;
  auto join = [&](I word, I next) {
    return shiftedLeft(word, shift) | shiftedRight(next >> 1, opposite);
  };
  return {join(words[0], words[1]), join(words[1], words[2]), join(words[2], words[3])};
}

// The part of a turn that is left of whole ones, in two words: 64 bits and 63 bits.
template <typename I> struct Turn {
  I high, low;
};
// Of the positive float with these bits, from 2^-12 on.
template <typename I> [[gnu::always_inline]] Turn<I> turnOf(I bits) {
  // Bits that stand before this place only make whole turns.
  auto factor = bitsOfTurnFrom((bits >> kFractionBits) - like(bits, 1011));
  I fraction = (bits & like(bits, kFractionMask)) | like(bits, kFractionMask + 1);
  // The product, but for what stands above its 128 bits in the middle, or below.
  I low = ((fraction * factor.second) >> 1) + (highProduct(fraction, factor.third) >> 1);
  I high = fraction * factor.first + highProduct(fraction, factor.second) + (low >> 63);
  return {high, low & like(bits, ~uint64_t(0) >> 1)};
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
  constexpr double kSmall = 0.5;
  // 2 pi / 2^56 as the sum of two floats.
  constexpr double kUnitHigh = 0x1.921fb54442d18p-54, kUnitLow = 0x1.1a62633145c07p-108;
  constexpr uint64_t kEighth = uint64_t(1) << 61;
  auto bits = bitsOf(size);
  auto turn = turnOf(bits);
  auto quarters = turn.high + like(bits, kEighth);
  auto rest = (quarters & like(bits, 2 * kEighth - 1)) - like(bits, kEighth);
  // In units of 1 / 2^56 turns: 54 bits with the sign, the 53 that follow, and the last 18.
  F whole = signedNumber(rest - (rest & like(bits, 255))); // exact
  F front = whole * like(size, 0x1p-8);
  F middle = signedNumber(((rest & like(bits, 255)) << 45) | (turn.low >> 18));
  F back = signedNumber(turn.low & like(bits, 0x3ffff));
  F behind = fused(middle, like(size, 0x1p-53), back * like(size, 0x1p-71));
  F units = front + behind;
  F lost = behind - (units - front);
  F high = units * like(size, kUnitHigh);
  F low = fused(units, like(size, kUnitHigh), wrapNeg(high)) +
          fused(units, like(size, kUnitLow), lost * like(size, kUnitHigh));
  auto isSmall = less(size, like(size, kSmall));
  return Angle<F, decltype(bits)>{select(isSmall, like(bits, 0), quarters >> 62),
                                  select(isSmall, size, high),
                                  select(isSmall, like(size, 0.0), low)};
}

// The sine of an angle, and its cosine if one is added to its quarters.
template <typename F, typename I> [[gnu::always_inline]] F sineOf(const Angle<F, I> &angle) {
  // sin(x) = x + x^3 * polynomial(x^2), cos(x) = 1 - x^2 / 2 + x^4 * polynomial(x^2)
  constexpr double kSine[] = {-0x1.5555555555555p-3, 0x1.111111111111p-7,    -0x1.a01a01a019937p-13,
                              0x1.71de3a54607a5p-19, -0x1.ae64541295cdfp-26, 0x1.61217ee5cca1bp-33,
                              -0x1.ab17bdcbd33b3p-41};
  constexpr double kCosine[] = {
      0x1.5555555555555p-5,  -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d0ap-16, -0x1.27e4fb7712ca2p-22,
      0x1.1eed8deb82809p-29, -0x1.9394b9eb4d56dp-37, 0x1.ab78473be5981p-45};
  F x = angle.high, square = x * x, one = like(x, 1.0);
  F sine = x + fused(x * square, polynomial(square, kSine), angle.low);
  F half = square * like(x, 0.5);
  F most = one - half;
  F lost = (one - most) - half;
  F cosine =
      most + (lost + fused(square * square, polynomial(square, kCosine), wrapNeg(x * angle.low)));
  auto isEven = equals(angle.quarters & like(angle.quarters, 1), like(angle.quarters, 0));
  // A sum with the bit of the sign changes it.
  return floatOf(bitsOf(select(isEven, sine, cosine)) +
                 ((angle.quarters & like(angle.quarters, 2)) << 62));
}

template <typename F> [[gnu::always_inline]] F sin(F x) {
  auto sign = bitsOf(x) & like(bitsOf(x), uint64_t(1) << 63);
  F result = floatOf(bitsOf(sineOf(angleOf(magnitude(x)))) + sign);
  return fused(x, like(x, 0.0), result); // NaN for infinity and NaN
}

template <typename F> [[gnu::always_inline]] F cos(F x) {
  auto angle = angleOf(magnitude(x));
  angle.quarters = angle.quarters + like(angle.quarters, 1);
  return fused(x, like(x, 0.0), sineOf(angle));
}

} // namespace sluice::rt::element::f64
