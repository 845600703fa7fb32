// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element arithmetic shared by kernels: wrapping integers, and the type in which 16-bit floats
// compute.
#pragma once

#include "runtime/base/dtype.h"

#include <limits>
#include <type_traits>

namespace sluice::rt {

template <typename T>
inline constexpr bool kIsSmallFloat = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <typename T> inline constexpr bool kIsComplex = false;
template <typename T> inline constexpr bool kIsComplex<std::complex<T>> = true;
template <typename T>
inline constexpr bool kIsFloat = kIsSmallFloat<T> || std::is_floating_point_v<T>;
// Integers without bool.
template <typename T>
inline constexpr bool kIsInt = std::is_integral_v<T> && !std::is_same_v<T, bool>;

// The type in which one op on elements of type T computes.
template <typename T> using Compute = std::conditional_t<kIsSmallFloat<T>, float, T>;

// Unsigned, and at least as wide as `unsigned`, so that promotion to `int` cannot overflow.
template <typename T, bool = kIsInt<T>> struct WrapType { using type = T; };
template <typename T> struct WrapType<T, true> {
  using type =
      std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;
};
template <typename T> using Wrap = typename WrapType<T>::type;

// Integers wrap around; everything else is the plain operator.
template <typename T> T wrapAdd(const T &a, const T &b) {
  return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
}
template <typename T> T wrapSub(const T &a, const T &b) {
  return static_cast<T>(static_cast<Wrap<T>>(a) - static_cast<Wrap<T>>(b));
}
template <typename T> T wrapMul(const T &a, const T &b) {
  return static_cast<T>(static_cast<Wrap<T>>(a) * static_cast<Wrap<T>>(b));
}
template <typename T> T wrapNeg(const T &a) {
  if constexpr (kIsInt<T>)
    return static_cast<T>(Wrap<T>(0) - static_cast<Wrap<T>>(a));
  else
    return -a;
}

} // namespace sluice::rt
