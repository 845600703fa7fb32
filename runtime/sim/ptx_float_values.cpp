// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small floats, and rounding to odd.
#include "runtime/sim/ptx_float_values.h"

namespace sluice::rt::sim {

uint16_t smallOf(double x, int exponentBits, int fractionBits) {
  if (std::isnan(x))
    return 0x7fff;
  int most = (1 << exponentBits) - 1, bias = most >> 1;
  uint16_t sign = uint16_t(std::signbit(x)) << 15;
  x = std::fabs(x);
  if (std::isinf(x))
    return sign | uint16_t(most << fractionBits);
  int exponent = 0;
  std::frexp(x, &exponent);
  --exponent; // x is from 2^exponent on
  if (exponent < 1 - bias || x == 0)
    exponent = 1 - bias; // denormals have the smallest exponent's step
  // In steps of the last bit; what rounds up to the next power of two is right without more ado.
  double steps = std::nearbyint(std::ldexp(x, fractionBits - exponent));
  auto whole = int64_t(steps) + (int64_t(exponent + bias - 1) << fractionBits);
  int64_t infinity = int64_t(most) << fractionBits;
  return sign | uint16_t(whole < infinity ? whole : infinity);
}

double valueOfSmall(uint16_t bits, int exponentBits, int fractionBits) {
  int most = (1 << exponentBits) - 1, bias = most >> 1;
  int exponent = bits >> fractionBits & most, fraction = bits & ((1 << fractionBits) - 1);
  double sign = bits >> 15 ? -1 : 1;
  if (exponent == most)
    return fraction ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(fraction, 1 - bias - fractionBits);
  return sign * std::ldexp(fraction + (1 << fractionBits), exponent - bias - fractionBits);
}

// `sum` was rounded to nearest, and `error` is what it lacks.
static double toOdd(double sum, double error) {
  if (error == 0 || std::isnan(error) || std::isinf(sum))
    return sum;
  auto bits = std::bit_cast<uint64_t>(sum);
  if (bits & 1)
    return sum;
  // The neighbour on the error's side is the odd one.
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

double multiplyAddToOdd(double a, double b, double c) {
  double product = a * b, sum = product + c;
  double part = sum - product;
  return toOdd(sum, (product - (sum - part)) + (c - part));
}

double integerToOdd(int64_t x) {
  return x < 0 ? -integerToOdd(-uint64_t(x)) : integerToOdd(uint64_t(x));
}

double integerToOdd(uint64_t x) {
  constexpr int kSpare = 16; // more bits than any small float has remain
  if (x >> (64 - 11) == 0)
    return double(x);
  uint64_t high = x >> kSpare;
  return std::ldexp(double(high | ((x & ((1u << kSpare) - 1)) != 0)), kSpare);
}

} // namespace sluice::rt::sim
