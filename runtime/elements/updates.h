// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Update rules of optimizers: what one step does to one element of the variables, given the
// scalars and an element of the gradient. The order of operations is TensorFlow's.
//
// A rule is written once, over the type N of its numbers: the importer builds steps for whole
// variables of it, where a number is a tensor of the graph, and the kernel of state.update_rows
// takes it for one element after the other. Numbers have the operators + - * / and the functions
// below.
#pragma once

#include "runtime/elements/arithmetic.h"
#include "runtime/elements/division.h"
#include "runtime/elements/functions.h"

#include <array>

namespace sluice::rt::element {

// ---- What rules are written in, besides operators -----------------------------------------------

template <typename N> N reciprocalRoot(const N &x) { return Rsqrt::apply(x); }
template <typename N> N signOf(const N &x) { return Sign::apply(x); }
template <typename N> N larger(const N &x, const N &y) { return Maximum::apply(x, y); }
template <typename N> N powerOf(const N &x, const N &y) { return Pow::apply(x, y); }
template <typename N> N exponential(const N &x) { return Exp::apply(x); }
// One of two numbers by a condition on scalars. The other one need not be computed.
template <typename Yes, typename No> auto choose(bool condition, const Yes &yes, const No &no) {
  return condition ? yes() : no();
}
template <typename N> N squareOf(const N &x) { return x * x; }

// What a scalar must be; a NaN is nothing of it.
enum class Require : uint8_t { kNothing, kPositive, kNotNegative, kNotPositive };

// What rules have in common. `kOfRows` is what a rule asks of its scalars where it updates rows,
// `kOfAll` where it updates all; those that are left out may be anything. With `complex` it also
// takes complex numbers.
template <int variables, int scalars, bool complex = false> struct UpdateRule {
  static constexpr int kVariables = variables, kScalars = scalars;
  static constexpr bool kTakesComplex = complex;
  using Requirements = std::array<Require, scalars>;
  static constexpr Requirements kOfRows{}, kOfAll{};
};

// ---- Adagrad and its kin ------------------------------------------------------------------------

// Variables: the trained one, the sum of squares. Scalars: rate.
template <bool kUpdatesSlots> struct Adagrad : UpdateRule<2, 1, true> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    if constexpr (kUpdatesSlots)
      v[1] = v[1] + squareOf(g);
    v[0] = v[0] - g * s[0] * reciprocalRoot(v[1]);
  }
};

// Scalars: rate, epsilon.
template <bool kUpdatesSlots> struct AdagradWithEpsilon : UpdateRule<2, 2, true> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    if constexpr (kUpdatesSlots)
      v[1] = v[1] + squareOf(g);
    v[0] = v[0] - g * s[0] / (squareRoot(v[1]) + s[1]);
  }
};

// Variables: the trained one, the sum of gradients, that of their squares. Scalars: rate, l1, l2,
// the number of the step.
struct AdagradDual : UpdateRule<3, 4> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    const N &rate = s[0], &l1 = s[1], &l2 = s[2], &step = s[3];
    N zero = like(rate, 0);
    v[1] = v[1] + g;
    v[2] = v[2] + squareOf(g);
    N to = choose(
        less(zero, l1),
        [&] { return (zero - signOf(v[1])) * rate * larger(magnitude(v[1]) - l1 * step, zero); },
        [&] { return (zero - v[1]) * rate; });
    v[0] = to / (l2 * step * rate + squareRoot(v[2]));
  }
};

// Variables: the trained one, means of the gradients' squares and of the steps' squares. Scalars:
// rate, rho, epsilon.
struct Adadelta : UpdateRule<3, 3, true> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    const N &rate = s[0], &rho = s[1], &epsilon = s[2];
    N other = like(rho, 1) - rho;
    v[1] = v[1] * rho + squareOf(g) * other;
    N step = squareRoot(v[2] + epsilon) * reciprocalRoot(v[1] + epsilon) * g;
    v[0] = v[0] - step * rate;
    v[2] = v[2] * rho + squareOf(step) * other;
  }
};

// ---- Proximal steps -----------------------------------------------------------------------------

// After a step of this rate, what l1 and l2 leave of a number.
template <typename N> N proximal(const N &x, const N &rate, const N &l1, const N &l2) {
  N zero = like(l1, 0);
  N kept = choose(
      less(zero, l1), [&] { return signOf(x) * larger(magnitude(x) - rate * l1, zero); },
      [&] { return x; });
  return kept / (like(l2, 1) + l2 * rate);
}

// Scalars: rate, l1, l2.
struct ProximalGradientDescent : UpdateRule<1, 3> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    v[0] = proximal(v[0] - g * s[0], s[0], s[1], s[2]);
  }
};

struct ProximalAdagrad : UpdateRule<2, 3> {
  static constexpr Requirements kOfAll{Require::kPositive, Require::kNotNegative,
                                       Require::kNotNegative};
  static constexpr Requirements kOfRows = kOfAll;
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    v[1] = v[1] + squareOf(g);
    N rate = s[0] * reciprocalRoot(v[1]);
    v[0] = proximal(v[0] - g * rate, rate, s[1], s[2]);
  }
};

// Variables: the trained one, the sum of squares, the linear part. Scalars: rate, l1, l2, with
// `kShrinks` the strength of shrinkage, the power of the rate. With `kTimesRate` the linear part is
// kept multiplied by the rate.
template <bool kTimesRate, bool kShrinks> struct Ftrl : UpdateRule<3, kShrinks ? 5 : 4> {
  static constexpr auto kOfRows = [] {
    std::array<Require, kShrinks ? 5 : 4> required{};
    required.fill(Require::kNotNegative);
    required.front() = kTimesRate ? Require::kNotNegative : Require::kPositive;
    required.back() = Require::kNotPositive;
    return required;
  }();
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    const N &rate = s[0], &l1 = s[1], &l2 = s[2], &power = s[kShrinks ? 4 : 3];
    N two = like(rate, 2);
    auto root = [&](const N &x) {
      return choose(
          equals(power, like(power, -0.5)), [&] { return squareRoot(x); },
          [&] { return powerOf(x, like(power, 0) - power); });
    };
    N gradient = g;
    if constexpr (kShrinks)
      gradient = g + two * s[3] * v[0];
    N before = root(v[1]);
    v[1] = v[1] + squareOf(g);
    N after = root(v[1]);
    N scale = after, strength = l1, more = two * l2;
    if constexpr (kTimesRate) {
      v[2] = v[2] + (gradient * rate - (after - before) * v[0]);
      strength = l1 * rate;
      more = more * rate;
    } else {
      v[2] = v[2] + (gradient - (after - before) / rate * v[0]);
      scale = after / rate;
    }
    N to = (signOf(v[2]) * strength - v[2]) / (scale + more);
    v[0] = select(less(strength, magnitude(v[2])), to, like(to, 0));
  }
};

// ---- Momentum -----------------------------------------------------------------------------------

// Variables: the trained one, the accumulator. Scalars: rate, momentum.
template <bool kNesterov> struct Momentum : UpdateRule<2, 2, true> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    v[1] = v[1] * s[1] + g;
    if constexpr (kNesterov)
      v[0] = v[0] - (g * s[0] + v[1] * s[1] * s[0]);
    else
      v[0] = v[0] - v[1] * s[0];
  }
};

// The accumulator has the rate in it.
template <bool kNesterov> struct KerasMomentum : UpdateRule<2, 2, true> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    v[1] = v[1] * s[1] - g * s[0];
    if constexpr (kNesterov)
      v[0] = v[0] + (v[1] * s[1] - g * s[0]);
    else
      v[0] = v[0] + v[1];
  }
};

// Variables: the trained one, the mean of squares, the momentum. Scalars: rate, rho, momentum,
// epsilon. Rows are not computed as all is.
struct RmsProp : UpdateRule<3, 4, true> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    v[1] = v[1] + (squareOf(g) - v[1]) * (like(s[1], 1) - s[1]);
    v[2] = v[2] * s[2] + g * s[0] / squareRoot(v[1] + s[3]);
    v[0] = v[0] - v[2];
  }
};
struct RmsPropOfRows : UpdateRule<3, 4, true> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    v[1] = v[1] * s[1] + squareOf(g) * (like(s[1], 1) - s[1]);
    v[2] = v[2] * s[2] + reciprocalRoot(v[1] + s[3]) * s[0] * g;
    v[0] = v[0] - v[2];
  }
};

// With the mean of the gradients as the second variable.
struct CenteredRmsProp : UpdateRule<4, 4> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    N other = like(s[1], 1) - s[1];
    v[2] = v[2] + (squareOf(g) - v[2]) * other;
    v[1] = v[1] + (g - v[1]) * other;
    v[3] = v[3] * s[2] + g * s[0] / squareRoot(v[2] - squareOf(v[1]) + s[3]);
    v[0] = v[0] - v[3];
  }
};
struct CenteredRmsPropOfRows : UpdateRule<4, 4> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    N other = like(s[1], 1) - s[1];
    v[2] = v[2] * s[1] + squareOf(g) * other;
    v[1] = v[1] * s[1] + g * other;
    v[3] = v[3] * s[2] + reciprocalRoot(v[2] + s[3] - squareOf(v[1])) * s[0] * g;
    v[0] = v[0] - v[3];
  }
};

// ---- Adam's kin ---------------------------------------------------------------------------------

// Variables: the trained one, m, v. Scalars: beta1^t, rate, beta1, beta2, epsilon.
struct AdaMax : UpdateRule<3, 5> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    N one = like(s[0], 1);
    v[1] = v[1] + (g - v[1]) * (one - s[2]);
    v[2] = larger(s[3] * v[2], magnitude(g));
    v[0] = v[0] - s[1] / (one - s[0]) * (v[1] / (v[2] + s[4]));
  }
};

// Variables: the trained one, m, v, the largest v. Scalars: beta1^t, beta2^t, rate, beta1, beta2,
// epsilon.
struct AdamWithLargest : UpdateRule<4, 6> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    N one = like(s[0], 1);
    N rate = s[2] * squareRoot(one - s[1]) / (one - s[0]);
    v[1] = v[1] + (g - v[1]) * (one - s[3]);
    v[2] = v[2] + (squareOf(g) - v[2]) * (one - s[4]);
    v[3] = larger(v[3], v[2]);
    v[0] = v[0] - v[1] * rate / (squareRoot(v[3]) + s[5]);
  }
};

// ---- Signs --------------------------------------------------------------------------------------

// Variables: the trained one, the mean of gradients. Scalars: rate, alpha, decay of signs, beta.
struct AddSign : UpdateRule<2, 4> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    v[1] = v[1] * s[3] + g * (like(s[3], 1) - s[3]);
    N agreement = signOf(g) * signOf(v[1]);
    v[0] = v[0] - s[0] * (s[1] + s[2] * agreement) * g;
  }
};

// Scalars: rate, logarithm of the base, decay of signs, beta.
struct PowerSign : UpdateRule<2, 4> {
  template <typename N> static void apply(N *v, const N *s, const N &g) {
    v[1] = v[1] * s[3] + g * (like(s[3], 1) - s[3]);
    N agreement = signOf(g) * signOf(v[1]);
    v[0] = v[0] - s[0] * exponential(s[1] * s[2] * agreement) * g;
  }
};

} // namespace sluice::rt::element
