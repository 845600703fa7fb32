// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element functions of exponentials, logarithms and trigonometry. Those of f32 are fixed
// sequences of operations; others are the C library's.
#pragma once

#include "runtime/elements/polynomials_f32.h"
#include "runtime/elements/powers_f32.h"
#include "runtime/elements/trigonometry_f32.h"
#include "runtime/elements/vocabulary.h"

namespace sluice::rt::element {

struct Exp {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsF32<N>)
      return f32::exp(x);
    else
      return library<Exp>([](const auto &v) { return std::exp(v); }, x);
  }
};
struct Log {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsF32<N>)
      return f32::log(x);
    else
      return library<Log>([](const auto &v) { return std::log(v); }, x);
  }
};
struct Tanh {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsF32<N>)
      return f32::tanh(x);
    else
      return library<Tanh>([](const auto &v) { return std::tanh(v); }, x);
  }
};
struct Sin {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsF32<N>)
      return f32::sin(x);
    else
      return library<Sin>([](const auto &v) { return std::sin(v); }, x);
  }
};
struct Cos {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsF32<N>)
      return f32::cos(x);
    else
      return library<Cos>([](const auto &v) { return std::cos(v); }, x);
  }
};

// exp is only taken of what is not positive, so it cannot overflow.
struct Sigmoid {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsF32<N>) {
      return f32::sigmoid(x);
    } else if constexpr (kIsComplex<N>) {
      if (x.real() >= 0)
        return N(1) / (N(1) + std::exp(-x));
      N e = std::exp(x);
      return e / (N(1) + e);
    } else {
      N one = like(x, 1), e = Exp::apply(wrapNeg(magnitude(x)));
      return over(select(less(x, like(x, 0)), e, one), wrapAdd(one, e));
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
    } else {
      return library<Log1p>([](const auto &v) { return std::log1p(v); }, x);
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
    } else {
      return library<Expm1>([](const auto &v) { return std::expm1(v); }, x);
    }
  }
};

} // namespace sluice::rt::element
