// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse of the error function and the quantiles of the normal distribution, each as one fixed
// sequence of operations, as those of polynomials_f32.h are.
//
// Within 6 units in the last place.
#pragma once

#include "runtime/elements/widths.h"

namespace sluice::rt::element::special {

// ---- f32: the number whose error function is y, over y, by w = -log(1 - y^2) --------------------

template <typename F> [[gnu::always_inline]] F inverseErfOverNumber(F w) {
  // Of w below 5, and of its root below and above 4.25.
  constexpr float kNear[] = {0x1.805c5ep+0f,  0x1.f91e8ap-3f,   -0x1.11c4eep-8f, -0x1.4865d8p-10f,
                             0x1.c9e716p-13f, -0x1.4d3ae4p-18f, -0x1.d0c6fp-19f, 0x1.f50e9ap-22f,
                             0x1.8f5a96p-26f, -0x1.2f3e4p-27f};
  constexpr float kFar[] = {0x1.8abcc2p+1f,   0x1.0158aap+0f,   0x1.604234p-8f,  -0x1.ebe15cp-9f,
                            0x1.425524p-9f,   -0x1.b91644p-10f, 0x1.114d04p-10f, -0x1.8071e8p-12f,
                            -0x1.50a722p-14f, 0x1.60eba2p-14f};
  constexpr float kFarther[] = {
      0x1.a77a48p+2f,   0x1.02442cp+0f,  -0x1.0df5cap-11f, -0x1.c28d9cp-21f, 0x1.1d5ccep-17f,
      -0x1.278234p-19f, 0x1.9dbfdap-22f, -0x1.1a1116p-24f, 0x1.412436p-26f,  -0x1.a452e4p-29f};
  F root = squareRoot(w);
  auto isNear = less(w, like(w, 5.0f)), isFar = less(root, like(w, 4.25f));
  auto choose = [&](float near, float far, float farther) {
    return select(isNear, like(w, near), select(isFar, like(w, far), like(w, farther)));
  };
  F x = select(isNear, w, root) - choose(2.5f, 3.25f, 6.75f);
  F sum = choose(kNear[9], kFar[9], kFarther[9]);
  for (int i = 8; i >= 0; --i)
    sum = fused(sum, x, choose(kNear[i], kFar[i], kFarther[i]));
  return sum;
}

// ---- f64: Wichura's rational functions (Applied Statistics 37, algorithm AS 241) ----------------

// The quantile of 1/2 + q, whose tail, on the nearer side, has the probability `tail`.
template <typename F> [[gnu::always_inline]] F quantileOf(F q, F tail) {
  // Numerators and denominators near the middle, below a root of 5, and from there on.
  constexpr double kAbove[][3] = {
      {3.3871328727963666080e0, 1.42343711074968357734e0, 6.65790464350110377720e0},
      {1.3314166789178437745e2, 4.63033784615654529590e0, 5.46378491116411436990e0},
      {1.9715909503065514427e3, 5.76949722146069140550e0, 1.78482653991729133580e0},
      {1.3731693765509461125e4, 3.64784832476320460504e0, 2.96560571828504891230e-1},
      {4.5921953931549871457e4, 1.27045825245236838258e0, 2.65321895265761230930e-2},
      {6.7265770927008700853e4, 2.41780725177450611770e-1, 1.24266094738807843860e-3},
      {3.3430575583588128105e4, 2.27238449892691845833e-2, 2.71155556874348757815e-5},
      {2.5090809287301226727e3, 7.74545014278341407640e-4, 2.01033439929228813265e-7}};
  constexpr double kBelow[][3] = {
      {1.0, 1.0, 1.0},
      {4.2313330701600911252e1, 2.05319162663775882187e0, 5.99832206555887937690e-1},
      {6.8718700749205790830e2, 1.67638483018380384940e0, 1.36929880922735805310e-1},
      {5.3941960214247511077e3, 6.89767334985100004550e-1, 1.48753612908506148525e-2},
      {2.1213794301586595867e4, 1.48103976427480074590e-1, 7.86869131145613259100e-4},
      {3.9307895800092710610e4, 1.51986665636164571966e-2, 1.84631831751005468180e-5},
      {2.8729085735721942674e4, 5.47593808499534494600e-4, 1.42151175831644588870e-7},
      {5.2264952788528545610e3, 1.05075007164441684324e-9, 2.04426310338993978564e-15}};
  F root = squareRoot(wrapNeg(f64::log(tail)));
  auto isCentral = lessOrEqual(magnitude(q), like(q, 0.425));
  auto isNear = lessOrEqual(root, like(q, 5.0));
  auto choose = [&](const double (&c)[3]) {
    return select(isCentral, like(q, c[0]), select(isNear, like(q, c[1]), like(q, c[2])));
  };
  F r = select(isCentral, fused(wrapNeg(q), q, like(q, 0.180625)),
               root - select(isNear, like(q, 1.6), like(q, 5.0)));
  F above = choose(kAbove[7]), below = choose(kBelow[7]);
  for (int i = 6; i >= 0; --i) {
    above = fused(above, r, choose(kAbove[i]));
    below = fused(below, r, choose(kBelow[i]));
  }
  return select(isCentral, q, withSign(like(q, 1), q)) * (above / below);
}

// ---- Both ---------------------------------------------------------------------------------------

template <typename F> [[gnu::always_inline]] F inverseErf(F y) {
  constexpr double kRootHalf = 0x1.6a09e667f3bcdp-1;
  F one = like(y, 1), size = magnitude(y), result = y;
  if constexpr (kIsF32<F>)
    result = y * inverseErfOverNumber(wrapNeg(f32::log(fused(wrapNeg(y), y, one))));
  else
    result = quantileOf(y * like(y, 0.5), (one - size) * like(y, 0.5)) * like(y, kRootHalf);
  if constexpr (kIsF64<F>) {
    // Halves of the least numbers are denormal.
    constexpr double kTiny = 0x1p-900, kSlope = 0x1.c5bf891b4ef6ap-1;
    F small = y * like(y, kSlope);
    small =
        select(less(magnitude(small), like(y, f64::kLeastNormal)), withSign(like(y, 0), y), small);
    result = select(less(size, like(y, kTiny)), small, result);
  }
  result = select(equals(size, one), withSign(like(y, WidthOf<F>::kInfinity), y), result);
  return select(lessOrEqual(size, one), result, like(y, WidthOf<F>::kNan));
}

template <typename F> [[gnu::always_inline]] F normalQuantile(F p) {
  F zero = like(p, 0), one = like(p, 1), half = like(p, 0.5f), other = one - p, result = p;
  if constexpr (kIsF32<F>) {
    constexpr float kRootTwo = 0x1.6a09e6p+0f;
    F w = wrapNeg(f32::log(p * like(p, 4.0f) * other));
    result = (p - half) * like(p, 2 * kRootTwo) * inverseErfOverNumber(w);
  } else {
    result = quantileOf(p - half, select(less(p, half), p, other));
  }
  F infinity = like(p, WidthOf<F>::kInfinity);
  // What is less than a normal float counts as zero.
  result = select(less(p, like(p, WidthOf<F>::kLeastNormal)), wrapNeg(infinity), result);
  result = select(equals(p, one), infinity, result);
  return select(both(lessOrEqual(zero, p), lessOrEqual(p, one)), result, like(p, WidthOf<F>::kNan));
}

} // namespace sluice::rt::element::special
