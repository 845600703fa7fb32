// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element functions of quotients, remainders and powers, and the conditions on their second
// operand: where one applies to a type of numbers, somebody looks at all elements before, because
// loops cannot report an error.
#pragma once

#include "runtime/elements/powers_f32.h"
#include "runtime/elements/powers_f64.h"
#include "runtime/elements/vocabulary.h"

namespace sluice::rt::element {

struct NotZero {
  template <typename N> static constexpr bool kApplies = kIsInt<N>;
  static constexpr const char *kError = "Integer division by zero";
  template <typename N> static auto isBrokenBy(const N &y) { return equals(y, like(y, 0)); }
};
struct NotNegative {
  template <typename N> static constexpr bool kApplies = kIsInt<N> && kIsSigned<N>;
  static constexpr const char *kError = "Integers to negative integer powers are not allowed";
  template <typename N> static auto isBrokenBy(const N &y) { return less(y, like(y, 0)); }
};

struct Div {
  template <typename N> static N apply(const N &x, const N &y) {
    if constexpr (kIsInt<N>)
      return truncatedQuotient(x, y);
    else
      return over(x, y);
  }
};

// Whether truncation rounded up: there is a remainder and the signs of the two others differ.
template <typename N> auto isAboveFloor(const N &remainder, const N &x, const N &y) {
  N zero = like(x, 0);
  return both(differs(remainder, zero), oneOf(less(x, zero), less(y, zero)));
}

struct FloorDiv {
  template <typename N> static N apply(const N &x, const N &y) {
    if constexpr (kIsFloat<N>) {
      return roundedDown(over(x, y));
    } else {
      N quotient = truncatedQuotient(x, y);
      if constexpr (!kIsSigned<N>)
        return quotient;
      else
        return select(isAboveFloor(truncatedRemainder(x, y), x, y), wrapSub(quotient, like(x, 1)),
                      quotient);
    }
  }
};

// It has the sign of the dividend.
struct TruncMod {
  template <typename N> static N apply(const N &x, const N &y) {
    if constexpr (kIsInt<N>)
      return truncatedRemainder(x, y);
    else
      return library<TruncMod>([](const auto &v, const auto &w) { return remainderOfFloats(v, w); },
                               x, y);
  }

private:
  // The C library computes it with integers, so it may be a denormal.
  template <typename N> static N remainderOfFloats(const N &x, const N &y) {
    N remainder = std::fmod(x, y);
    bool isDenormal = std::abs(remainder) < std::numeric_limits<N>::min();
    return isDenormal ? std::copysign(N(0), remainder) : remainder;
  }
};

// It has the sign of the divisor.
struct FloorMod {
  template <typename N> static N apply(const N &x, const N &y) {
    N remainder = TruncMod::apply(x, y);
    if constexpr (kIsInt<N> && !kIsSigned<N>)
      return remainder;
    else
      return select(isAboveFloor(remainder, remainder, y), wrapAdd(remainder, y), remainder);
  }
};

struct Pow {
  template <typename N> static N apply(const N &x, const N &y) {
    if constexpr (kIsInt<N>)
      return powerOfIntegers(x, y);
    else if constexpr (kIsF32<N>)
      return f32::pow(x, y);
    else if constexpr (kIsF64<N>)
      return f64::pow(x, y);
    else
      return powerOfComplex(x, y);
  }

private:
  // Squares and multiplies, once for each bit of the exponent.
  template <typename N> static N powerOfIntegers(const N &x, const N &y) {
    N result = like(x, 1), square = x, rest = y;
    for (int bit = 0; !isUsedUp(rest, bit); ++bit) {
      result = select(isOdd(rest), wrapMul(result, square), result);
      square = wrapMul(square, square);
      rest = halved(rest);
    }
    return result;
  }
  template <typename N> static N powerOfComplex(const N &x, const N &y) {
    if (y == N(0))
      return N(1);
    if (x == N(0) && y.real() > 0)
      return N(0);
    return std::pow(x, y);
  }
};

} // namespace sluice::rt::element
