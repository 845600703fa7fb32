// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roots, exponentials, logarithms and trigonometry of one operand.
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"

#include <cmath>

namespace sluice::rt {
namespace {

struct Sqrt {
  template <typename T> static T apply(const T &x) { return std::sqrt(x); }
};
struct Rsqrt {
  template <typename T> static T apply(const T &x) { return T(1) / std::sqrt(x); }
};
struct Exp {
  template <typename T> static T apply(const T &x) { return std::exp(x); }
};
struct Log {
  template <typename T> static T apply(const T &x) { return std::log(x); }
};
struct Tanh {
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

} // namespace

SLUICE_UNARY_KERNELS(nd_sqrt, FLOAT_COMPLEX, Sqrt, nullptr)
SLUICE_UNARY_KERNELS(nd_rsqrt, FLOAT_COMPLEX, Rsqrt, nullptr)
SLUICE_UNARY_KERNELS(nd_exp, FLOAT_COMPLEX, Exp, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_log, FLOAT_COMPLEX, Log, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_tanh, FLOAT_COMPLEX, Tanh, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_sigmoid, FLOAT_COMPLEX, Sigmoid, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_sin, FLOAT_COMPLEX, Sin, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_cos, FLOAT_COMPLEX, Cos, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_log1p, FLOAT_COMPLEX, Log1p, transcendentalWork)
SLUICE_UNARY_KERNELS(nd_expm1, FLOAT_COMPLEX, Expm1, transcendentalWork)

} // namespace sluice::rt
