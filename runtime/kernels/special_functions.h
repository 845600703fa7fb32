// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special functions of f64 that are sums, of which the kernels of all float types are made: what is
// narrower is rounded once, at the end. Those that are not are in runtime/elements/special.h. Outside of its domain a function is NaN. Every loop is bounded.
#pragma once

#include <limits>

namespace sluice::rt::special {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// Where a sum's last term no longer counts.
inline constexpr double kSmall = 1e-17;

// ---- Integrals of exponentials and of angles (special_error.cpp)
// exp(-x²) times the integral of exp(t²) from 0 to x.
double dawson(double x);
// Integrals of the sine and the cosine of πt²/2 from 0 to x.
double fresnelSine(double x);
double fresnelCosine(double x);

// ---- Integrals of elementary functions (special_integrals.cpp)
// The integral of exp(t) / t from minus infinity to x; x is positive.
double exponentialIntegral(double x);
// The integral of log(t) / (1 - t) from 1 to x.
double spence(double x);
// The regularized integral of t^(a - 1) (1 - t)^(b - 1) from 0 to x.
double incompleteBeta(double a, double b, double x);

// ---- The gamma function (special_gamma.cpp)
double logGamma(double x);
double digamma(double x);
// The sum of (q + k)^-x over all k from 0 on.
double zeta(double x, double q);
// The derivative of this order of digamma.
double polygamma(double order, double x);

// ---- Its incomplete integrals (special_incomplete.cpp)
// The regularized integral of t^(a - 1) exp(-t) from 0 to x, what is left of it, and its derivative
// by a.
double lowerGamma(double a, double x);
double upperGamma(double a, double x);
double lowerGammaByShape(double a, double x);
// The derivative of a sample of the gamma distribution by its shape a, with the probability held.
double gammaSampleByShape(double a, double sample);

// ---- Bessel functions of the orders 0 and 1 (special_bessel.cpp)
// Those with `Scaled` are multiplied by exp(-|x|), or exp(x) for K. K and Y are infinite from 0 on
// down, as in TensorFlow.
double besselI0(double x);
double besselI1(double x);
double besselI0Scaled(double x);
double besselI1Scaled(double x);
double besselK0(double x);
double besselK1(double x);
double besselK0Scaled(double x);
double besselK1Scaled(double x);
double besselJ0(double x);
double besselJ1(double x);
double besselY0(double x);
double besselY1(double x);

} // namespace sluice::rt::special
