// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logarithm of the gamma function and its derivative, each as one fixed sequence of operations,
// as those of polynomials_f32.h are: a polynomial between 1 and 2.5, the recurrence up to 8, a
// series from there on, and the reflection of what is negative.
//
// Within 5.5 units in the last place of what is positive. Below zero, where values of both signs
// are summed up, within so many units of the greatest of these, or of 1.
#pragma once

#include "runtime/elements/widths.h"

namespace sluice::rt::element::special {

inline constexpr float kFromWhereSeries = 8;
inline constexpr int kStepsToSeries = 6;

// How far a number that is not negative is from the nearest whole one, to either side.
template <typename F> [[gnu::always_inline]] F distanceFromWhole(F x) {
  return x - roundedToEven(x);
}

// Of what is positive.
template <typename F> [[gnu::always_inline]] F logGammaOfPositive(F x) {
  // log Γ(2 + z) = z * polynomial(z) for |z| <= 1/2
  constexpr auto kCoefficients = chosen<F>(
      {0x1.b0ee6p-2f, 0x1.4a34ccp-2f, -0x1.13dfecp-4f, 0x1.51358p-6f, -0x1.e4243cp-8f,
       0x1.795cd2p-9f, -0x1.34c99ap-10f, 0x1.2ac2d4p-11f, -0x1.1ac5acp-12f},
      {0x1.b0ee6072093cep-2, 0x1.4a34cc4a60fa8p-2, -0x1.13e001a55755ep-4, 0x1.51322ac7d6fc2p-6,
       -0x1.e404fc21d638dp-8, 0x1.7add6eb01d23bp-9, -0x1.38ac5bfe46ce5p-10, 0x1.0b36ae83905fbp-11,
       -0x1.d3fd69e274a1p-13, 0x1.a12826b2f0f37p-14, -0x1.78d90f9c50b6cp-15, 0x1.57fe26344f543p-16,
       -0x1.3d4b2fd18773bp-17, 0x1.26d668a8e1afap-18, -0x1.090da8d9befaep-19, 0x1.e340db78190d9p-21,
       -0x1.37ba2c2d773f4p-21, 0x1.3f6da31e9c6a8p-22});
  // log Γ(x) = (x - 1/2) log(x) - x + log(2π) / 2 + polynomial(1 / x^2) / x
  constexpr auto kSeries = chosen<F>(
      {0x1.555556p-4f, -0x1.6c141cp-9f, 0x1.98f98p-11f},
      {0x1.5555555555555p-4, -0x1.6c16c16c14ad3p-9, 0x1.a01a017e71541p-11, -0x1.38134dfb8e035p-11,
       0x1.b92c86bbe2cb2p-11, -0x1.ef96a283dc59ep-10, 0x1.4c30ad0bf5d33p-8});
  constexpr auto kHalfLog2PiLessHalf = chosen<F>(0x1.acfe3ap-2f, 0x1.acfe390c97d69p-2);
  using W = WidthOf<F>;
  F one = like(x, 1);
  F near = x, product = one;
  for (int i = 0; i < kStepsToSeries; ++i) {
    auto isAbove = less(like(x, 2.5f), near);
    near = select(isAbove, near - one, near);
    product = select(isAbove, product * near, product);
  }
  // Γ(2 + z) is Γ(x) x below 1.5, and Γ(x) x (x + 1) below 1/2.
  auto isSmall = less(x, like(x, 0.5f)), isBelow = less(x, like(x, 1.5f));
  auto isFar = lessOrEqual(like(x, kFromWhereSeries), x);
  F z = select(isSmall, x, select(isBelow, x - one, near - like(x, 2)));
  F factor = select(isSmall, fused(x, x, x), select(isBelow, x, product));
  F logarithm = W::log(select(isFar, x, factor));
  F close = fused(z, polynomial(z, kCoefficients), select(isBelow, wrapNeg(logarithm), logarithm));
  F inverse = one / x;
  F behind = fused(inverse, polynomial(inverse * inverse, kSeries), like(x, kHalfLog2PiLessHalf));
  F far = fused(x - like(x, 0.5f), logarithm - one, behind);
  return select(isFar, far, close);
}

template <typename F> [[gnu::always_inline]] F logGamma(F x) {
  constexpr auto kLogPi = chosen<F>(0x1.250d04p+0f, 0x1.250d048e7a1bdp+0);
  using W = WidthOf<F>;
  F size = magnitude(x), infinity = like(x, W::kInfinity);
  auto isNegative = less(x, like(x, 0));
  F above = logGammaOfPositive(select(isNegative, size + like(x, 1), x));
  // Γ(-x) Γ(1 + x) = -π / sin(πx)
  F sine = halfTurn(magnitude(distanceFromWhole(size)), /*isCosine=*/false);
  F below = (like(x, kLogPi) - W::log(sine)) - above;
  F result = select(isNegative, below, above);
  return select(equals(size, infinity), infinity, result);
}

// Of what is positive.
template <typename F> [[gnu::always_inline]] F digammaOfPositive(F x) {
  // (x - root) * polynomial(x - 1.5) between 1 and 2; the root as the sum of two floats.
  constexpr auto kRootHigh = chosen<F>(0x1.762d86p+0f, 0x1.762d86356be3fp+0);
  constexpr auto kRootLow = chosen<F>(0x1.ab5f2p-27f, 0x1.b86a722197829p-54);
  constexpr auto kCoefficients = chosen<F>(
      {0x1.e6f0ccp-1f, -0x1.b1cb66p-2f, 0x1.ec9f66p-3f, -0x1.2fec68p-3f, 0x1.8599cap-4f,
       -0x1.fc368ap-5f, 0x1.427426p-5f, -0x1.a81788p-6f, 0x1.87f834p-6f, -0x1.096a78p-6f},
      {0x1.e6f0cbb873617p-1,  -0x1.b1cb63005ee98p-2,  0x1.eca189b8e6d99p-3,  -0x1.2feeeb98a7a63p-3,
       0x1.8512e5905da19p-4,  -0x1.fb44202a0328bp-5,  0x1.4de9aa059c01cp-5,  -0x1.b9f8b125df8d3p-6,
       0x1.256475f0ef296p-6,  -0x1.863562450a2d1p-7,  0x1.03c006b075f51p-7,  -0x1.5a06d203425ddp-8,
       0x1.cd3e72d84f55ep-9,  -0x1.336ae87d2d096p-9,  0x1.980dac2a4ddddp-10, -0x1.0fd0f7fba134dp-10,
       0x1.7b49abdf08bc6p-11, -0x1.fc182436113a7p-12, 0x1.dc1e27b0e07b2p-13, -0x1.34e2087ffef88p-13,
       0x1.10782b646fcc1p-12, -0x1.71c909094954bp-13});
  // log(x) - 1 / 2x - polynomial(1 / x^2) / x^2
  constexpr auto kSeries = chosen<F>(
      {0x1.555556p-4f, -0x1.110c7cp-7f, 0x1.fbbeep-9f},
      {0x1.5555555555555p-4, -0x1.111111110996ep-7, 0x1.041040c771657p-8, -0x1.1110b49ce3596p-8,
       0x1.f038873d9fac1p-8, -0x1.5326f6d7b3a78p-6, 0x1.04c993c1b319ap-4});
  F one = like(x, 1);
  auto isSmall = less(x, one), isFar = lessOrEqual(like(x, kFromWhereSeries), x);
  // The recurrence's sum of inverses as one fraction.
  F near = select(isSmall, x + one, x);
  F above = select(isSmall, like(x, -1), like(x, 0)), below = select(isSmall, x, one);
  for (int i = 0; i < kStepsToSeries; ++i) {
    auto isAbove = less(like(x, 2), near);
    near = select(isAbove, near - one, near);
    above = select(isAbove, fused(above, near, below), above);
    below = select(isAbove, below * near, below);
  }
  F quotient = select(isFar, one, above) / select(isFar, x, below);
  F fromRoot = (near - like(x, kRootHigh)) - like(x, kRootLow);
  F close = fused(fromRoot, polynomial(near - like(x, 1.5f), kCoefficients), quotient);
  F square = quotient * quotient;
  F behind = fused(quotient, like(x, 0.5f), square * polynomial(square, kSeries));
  return select(isFar, WidthOf<F>::log(x) - behind, close);
}

template <typename F> [[gnu::always_inline]] F digamma(F x) {
  using W = WidthOf<F>;
  F size = magnitude(x), zero = like(x, 0);
  auto isNegative = less(x, zero);
  F above = digammaOfPositive(select(isNegative, size + like(x, 1), x));
  // ψ(-x) = ψ(1 + x) + π / tan(πx)
  F rest = distanceFromWhole(size), distance = magnitude(rest);
  F slope = halfTurn(distance, /*isCosine=*/true) / halfTurn(distance, /*isCosine=*/false);
  F below = fused(like(x, W::kPiHigh), withSign(slope, rest), above);
  below = select(equals(rest, zero), like(x, W::kNan), below); // a pole
  F result = select(isNegative, below, above);
  return select(less(size, like(x, W::kLeastNormal)), like(x, W::kNan), result);
}

} // namespace sluice::rt::element::special
