// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of one element behind roots, exponentials, logarithms, trigonometry, remainders and
// powers, for every element type. Plain kernels and the functions that compiled code calls are made
// of these.
#pragma once

#include "runtime/base/arithmetic.h"
#include "runtime/kernels/math_f32.h"

#include <cmath>
#include <limits>

namespace sluice::rt {

struct Sqrt {
  template <typename T> static T apply(const T &x) { return std::sqrt(x); }
};
struct Rsqrt {
  template <typename T> static T apply(const T &x) { return T(1) / std::sqrt(x); }
};
struct Exp {
  static float apply(float x) { return f32::exp(x); }
  template <typename T> static T apply(const T &x) { return std::exp(x); }
};
struct Log {
  static float apply(float x) { return f32::log(x); }
  template <typename T> static T apply(const T &x) { return std::log(x); }
};
struct Tanh {
  static float apply(float x) { return f32::tanh(x); }
  template <typename T> static T apply(const T &x) { return std::tanh(x); }
};
struct Sin {
  template <typename T> static T apply(const T &x) { return std::sin(x); }
};
struct Cos {
  template <typename T> static T apply(const T &x) { return std::cos(x); }
};

// exp is only taken of what is not positive, so it cannot overflow.
struct Sigmoid {
  static float apply(float x) { return f32::sigmoid(x); }
  template <typename T> static T apply(const T &x) {
    if constexpr (kIsComplex<T>) {
      if (x.real() >= 0)
        return T(1) / (T(1) + std::exp(-x));
      T e = std::exp(x);
      return e / (T(1) + e);
    } else {
      T e = std::exp(-std::abs(x));
      return (x < 0 ? e : T(1)) / (T(1) + e);
    }
  }
};

// Complex: 1 + x would lose small x, so magnitude and angle are computed apart.
struct Log1p {
  template <typename T> static T apply(const T &x) {
    if constexpr (kIsComplex<T>) {
      auto re = x.real(), im = x.imag();
      auto magnitude = std::abs(re) < 0.5 && std::abs(im) < 0.5
                           ? std::log1p(re * (2 + re) + im * im) / 2
                           : std::log(std::hypot(1 + re, im));
      return {magnitude, std::atan2(im, 1 + re)};
    } else {
      return std::log1p(x);
    }
  }
};

// Complex: exp(re) cos(im) - 1 without cancellation near 0.
struct Expm1 {
  template <typename T> static T apply(const T &x) {
    if constexpr (kIsComplex<T>) {
      auto e = std::expm1(x.real()), half = std::sin(x.imag() / 2);
      if (x.imag() == 0)
        return {e, x.imag()};
      return {e * std::cos(x.imag()) - 2 * half * half, (e + 1) * std::sin(x.imag())};
    } else {
      return std::expm1(x);
    }
  }
};

// The C library computes it with integers, so it may be a denormal.
template <typename T> T truncatedRemainder(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    T remainder = std::fmod(x, y);
    bool isDenormal = std::abs(remainder) < std::numeric_limits<T>::min();
    return isDenormal ? std::copysign(T(0), remainder) : remainder;
  } else {
    if constexpr (std::is_signed_v<T>)
      if (y == T(-1))
        return 0;
    return static_cast<T>(x % y);
  }
}

// The result has the sign of the divisor.
struct FloorMod {
  static constexpr bool kCheap = false;
  template <typename T> static T apply(T x, T y) {
    T remainder = truncatedRemainder(x, y);
    bool moves = remainder != T(0) && (remainder < T(0)) != (y < T(0));
    return moves ? static_cast<T>(remainder + y) : remainder;
  }
};
struct TruncMod {
  static constexpr bool kCheap = false;
  template <typename T> static T apply(T x, T y) { return truncatedRemainder(x, y); }
};

struct Pow {
  static constexpr bool kCheap = false;
  template <typename T> static T apply(const T &x, const T &y) {
    if constexpr (kIsInt<T>) {
      T result = 1, square = x;
      for (auto rest = static_cast<Wrap<T>>(y); rest; rest >>= 1) {
        if (rest & 1)
          result = wrapMul(result, square);
        square = wrapMul(square, square);
      }
      return result;
    } else if constexpr (kIsComplex<T>) {
      if (y == T(0))
        return T(1);
      return x == T(0) && y.real() > 0 ? T(0) : std::pow(x, y);
    } else {
      return std::pow(x, y);
    }
  }
};

} // namespace sluice::rt
