// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of floating point as a card has them: one pattern for NaN, small floats, rounding.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace sluice::rt::sim {

// A card forgets what a NaN was and answers with these. So bits of NaN differ from a host's.
inline float settled(float x) { return std::isnan(x) ? std::bit_cast<float>(0x7fffffffu) : x; }
inline double settled(double x) {
  return std::isnan(x) ? std::bit_cast<double>(uint64_t(0xfff8000000000000)) : x;
}

// `.ftz`: a denormal is a zero of its sign.
inline float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? x * 0.0f : x; }

enum class Rounding : uint8_t { kNearest, kZero, kDown, kUp };

// The nearest float, or its neighbour on the side that is asked for.
inline float narrowed(double x, Rounding rounding) {
  float nearest = float(x);
  bool tooHigh = double(nearest) > x, tooLow = double(nearest) < x;
  bool down = rounding == Rounding::kDown || (rounding == Rounding::kZero && x > 0);
  bool up = rounding == Rounding::kUp || (rounding == Rounding::kZero && x < 0);
  if (down && tooHigh)
    return std::nextafter(nearest, -INFINITY);
  if (up && tooLow)
    return std::nextafter(nearest, INFINITY);
  return nearest;
}

// Of small floats: `exponentBits` and `fractionBits` are 5 and 10, or 8 and 7. `x` has been
// rounded to odd, or not at all.
uint16_t smallOf(double x, int exponentBits, int fractionBits);
double valueOfSmall(uint16_t bits, int exponentBits, int fractionBits);

// Sums, products and integers in double, such that rounding them once more to a small float is
// as if they had been rounded once: an inexact result has an odd last bit.
double multiplyAddToOdd(double a, double b, double c); // a * b is exact
double integerToOdd(int64_t x);
double integerToOdd(uint64_t x);

struct F16 {
  uint16_t bits;
  static F16 of(double x) { return {smallOf(x, 5, 10)}; }
  double value() const { return valueOfSmall(bits, 5, 10); }
};
struct BF16 {
  uint16_t bits;
  static BF16 of(double x) { return {smallOf(x, 8, 7)}; }
  double value() const { return valueOfSmall(bits, 8, 7); }
};

} // namespace sluice::rt::sim
