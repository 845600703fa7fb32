// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What element functions are written in: operations on one number.
//
// An element function (arithmetic.h, division.h, functions.h, reductions.h) is a template over the
// type N of its numbers. Kernels instantiate it with types of C++, whose operations are here; the
// compiler with values of the IR, for which compiler/codegen/elements/EmittedNumbers.h has
// operations of the same names. Either is found by the type of the operands, so a function is
// written once and both worlds give the same bits.
//
// Wrapping sums, differences, products and negation are in runtime/base/arithmetic.h, with kIsInt,
// kIsFloat and kIsComplex, by which functions tell numbers apart.
#pragma once

#include "runtime/base/arithmetic.h"
#include "runtime/base/float_bits.h"

#include <cmath>

namespace sluice::rt::element {

template <typename N> inline constexpr bool kIsSigned = std::is_signed_v<N>;
template <typename N> inline constexpr bool kIsF32 = std::is_same_v<N, float>;
template <typename N> inline constexpr bool kIsF64 = std::is_same_v<N, double>;

// `constant` as a number like `x`.
template <typename N, typename C> N like(const N &, C constant) { return static_cast<N>(constant); }

// ---- Conditions ---------------------------------------------------------------------------------

// Both numbers are computed.
template <typename N> N select(bool condition, const N &yes, const N &no) {
  return condition ? yes : no;
}
template <typename N> bool equals(const N &x, const N &y) { return x == y; }
template <typename N> bool differs(const N &x, const N &y) { return !(x == y); }
template <typename N> bool less(const N &x, const N &y) { return x < y; }
template <typename N> bool lessOrEqual(const N &x, const N &y) { return x <= y; }
inline bool both(bool x, bool y) { return x & y; }
inline bool either(bool x, bool y) { return x | y; }
inline bool oneOf(bool x, bool y) { return x != y; }
inline bool opposite(bool x) { return !x; }

// ---- Floats -------------------------------------------------------------------------------------

// The quotient of floats or complex numbers, rounded once; `truncatedQuotient` is that of integers.
template <typename N> N over(const N &x, const N &y) { return x / y; }
template <typename N> N squareRoot(const N &x) { return std::sqrt(x); }
// x * y + z, rounded once.
inline float fused(float x, float y, float z) { return __builtin_elementwise_fma(x, y, z); }
inline double fused(double x, double y, double z) { return __builtin_elementwise_fma(x, y, z); }
template <typename N> N magnitude(N x) { return std::abs(x); }
template <typename N> N withSign(N x, N sign) { return std::copysign(x, sign); }
template <typename N> N roundedDown(N x) { return std::floor(x); }
template <typename N> N roundedUp(N x) { return std::ceil(x); }
// Halves go to even numbers, which is the rounding mode of every thread.
template <typename N> N roundedToEven(N x) { return std::nearbyint(x); }

// Calls a function of the C library, or one that is made of its functions, where `Op` gives what
// `function` does. Compiled code calls the runtime's function of the op instead (elements.def).
template <typename Op, typename Function, typename N, typename... More>
N library(const Function &function, const N &x, const More &...more) {
  return function(x, more...);
}

// ---- Integers -----------------------------------------------------------------------------------

// Rounded toward zero; the lowest integer divided by -1 is itself. Nobody divides by 0.
template <typename N> N truncatedQuotient(N x, N y) {
  if constexpr (kIsSigned<N>)
    if (y == N(-1))
      return wrapNeg(x);
  return static_cast<N>(x / y);
}
// x - y * truncatedQuotient(x, y)
template <typename N> N truncatedRemainder(N x, N y) {
  if constexpr (kIsSigned<N>)
    if (y == N(-1))
      return 0;
  return static_cast<N>(x % y);
}
// Of what is not negative.
template <typename N> N halved(N x) { return static_cast<N>(x >> 1); }
template <typename N> bool isOdd(N x) { return x & 1; }
// Whether nothing is left of `x` after it was halved some times. Compiled code, which knows no
// numbers, halves as often as there are bits.
template <typename N> bool isUsedUp(N x, int) { return x == 0; }

} // namespace sluice::rt::element

// ---- Bits of f32 --------------------------------------------------------------------------------

namespace sluice::rt {

// The low half of the product, and the high half of that of numbers without signs.
inline Bits operator*(Bits x, Bits y) { return {x.value * y.value}; }
inline Bits highProduct(Bits x, Bits y) {
  return {static_cast<uint32_t>(uint64_t{x.value} * y.value >> 32)};
}
// By less than 32 places; zeros come in.
inline Bits shiftedLeft(Bits x, Bits places) { return {x.value << places.value}; }
inline Bits shiftedRight(Bits x, Bits places) { return {x.value >> places.value}; }

} // namespace sluice::rt
