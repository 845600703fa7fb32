// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element functions of exponentials, logarithms and trigonometry. Those of f32 and f64 are
// fixed sequences of operations; those of complex numbers are the C library's.
#pragma once

#include "runtime/elements/powers_f32.h"
#include "runtime/elements/powers_f64.h"
#include "runtime/elements/trigonometry_f32.h"
#include "runtime/elements/trigonometry_f64.h"
#include "runtime/elements/vocabulary.h"

namespace sluice::rt::element {

struct Exp {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsF32<N>)
      return f32::exp(x);
    else if constexpr (kIsF64<N>)
      return f64::exp(x);
    else
      return std::exp(x);
  }
};
struct Log {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsF32<N>)
      return f32::log(x);
    else if constexpr (kIsF64<N>)
      return f64::log(x);
    else
      return std::log(x);
  }
};
struct Tanh {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsF32<N>)
      return f32::tanh(x);
    else if constexpr (kIsF64<N>)
      return f64::tanh(x);
    else
      return std::tanh(x);
  }
};
struct Sin {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsF32<N>)
      return f32::sin(x);
    else if constexpr (kIsF64<N>)
      return f64::sin(x);
    else
      return std::sin(x);
  }
};
struct Cos {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsF32<N>)
      return f32::cos(x);
    else if constexpr (kIsF64<N>)
      return f64::cos(x);
    else
      return std::cos(x);
  }
};

// exp is only taken of what is not positive, so it cannot overflow.
struct Sigmoid {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsF32<N>) {
      return f32::sigmoid(x);
    } else if constexpr (kIsF64<N>) {
      return f64::sigmoid(x);
    } else {
      if (x.real() >= 0)
        return N(1) / (N(1) + std::exp(-x));
      N e = std::exp(x);
      return e / (N(1) + e);
    }
  }
};

// Complex: 1 + x would lose small x, so magnitude and angle are computed apart.
struct Log1p {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsComplex<N>) {
      auto re = x.real(), im = x.imag();
      auto magnitude = std::abs(re) < 0.5 && std::abs(im) < 0.5
                           ? std::log1p(re * (2 + re) + im * im) / 2
                           : std::log(std::hypot(1 + re, im));
      return {magnitude, std::atan2(im, 1 + re)};
    } else if constexpr (kIsF32<N>) {
      return f32::log1p(x);
    } else if constexpr (kIsF64<N>) {
      return f64::log1p(x);
    } else {
      return std::log1p(x);
    }
  }
};

// Complex: exp(re) cos(im) - 1 without cancellation near 0.
struct Expm1 {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsComplex<N>) {
      auto e = std::expm1(x.real()), half = std::sin(x.imag() / 2);
      if (x.imag() == 0)
        return {e, x.imag()};
      return {e * std::cos(x.imag()) - 2 * half * half, (e + 1) * std::sin(x.imag())};
    } else if constexpr (kIsF32<N>) {
      return f32::expm1(x);
    } else if constexpr (kIsF64<N>) {
      return f64::expm1(x);
    } else {
      return std::expm1(x);
    }
  }
};

} // namespace sluice::rt::element
