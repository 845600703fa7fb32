// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bessel functions of the orders 0 and 1, ordinary and modified.
//
// Where their terms have one sign, power series and asymptotic series lose nothing. Between the
// two, K is an integral of exp(-x cosh t) cosh(nt), of which the trapezoidal rule is exact.
#include "runtime/kernels/special_functions.h"

#include <cmath>
#include <numbers>

namespace sluice::rt::special {
namespace {

constexpr double kPi = std::numbers::pi;

// I of what is not negative, multiplied by exp(-x).
double scaledI(int order, double x) {
  if (x < 20) {
    double quarter = x * x / 4, term = order ? x / 2 : 1, sum = term;
    for (int k = 1; k < 100 && term > kSmall * sum; ++k)
      sum += term *= quarter / (k * (k + order));
    return std::exp(-x) * sum;
  }
  double term = 1, sum = 1;
  for (int k = 1; k < 40 && std::abs(term) > kSmall; ++k) {
    double odd = 2 * k - 1;
    sum += term *= (odd * odd - 4 * order) / (8 * k * x);
  }
  return sum / std::sqrt(2 * kPi * x);
}

double scaledIOf(int order, double x) {
  double size = std::abs(x);
  if (std::isinf(x))
    return order && x < 0 ? -0.0 : 0.0;
  double found = scaledI(order, size);
  return order && x < 0 ? -found : found;
}

double growingI(int order, double x) {
  double size = std::abs(x);
  if (std::isinf(x))
    return order ? x : size;
  // Half of the exponent twice, so that only the result overflows.
  double half = std::exp(size / 2), found = scaledI(order, size) * half * half;
  return order && x < 0 ? -found : found;
}

// K0 near 0: -(log(x/2) + γ) I0(x) + the sum of (x²/4)^k / k!² (1 + … + 1/k).
double smallK0(double x) {
  double quarter = x * x / 4, term = 1, sum = 1, harmonic = 0, others = 0;
  for (int k = 1; k < 30 && term > kSmall; ++k) {
    term *= quarter / (k * k);
    harmonic += 1.0 / k;
    sum += term;
    others += term * harmonic;
  }
  return others - (std::log(x / 2) + std::numbers::egamma) * sum;
}

// K1 near 0: 1/x + log(x/2) I1(x) - x/4 times the sum of (x²/4)^k / (k! (k + 1)!) (ψ(k + 1) + ψ(k +
// 2)).
double smallK1(double x) {
  double quarter = x * x / 4, term = 1, sum = 0, others = 0;
  double psi = 1 - 2 * std::numbers::egamma; // ψ(1) + ψ(2)
  for (int k = 0; k < 30 && term > kSmall; ++k) {
    sum += term;
    others += term * psi;
    psi += 1.0 / (k + 1) + 1.0 / (k + 2);
    term *= quarter / ((k + 1.0) * (k + 2));
  }
  return 1 / x + std::log(x / 2) * x / 2 * sum - x / 4 * others;
}

// K of 1 and more, multiplied by exp(x).
double scaledLargeK(int order, double x) {
  const double step = std::min(0.2, 0.7 / std::sqrt(x));
  double sum = 0.5;
  for (int n = 1; n < 60; ++n) {
    double t = n * step, sinh = std::sinh(t / 2);
    double exponent = 2 * x * sinh * sinh; // x (cosh t - 1)
    if (exponent > 45)
      break;
    sum += std::exp(-exponent) * (order ? 1 + 2 * sinh * sinh : 1);
  }
  return sum * step;
}

double decayingK(int order, double x) {
  if (!(x > 0))
    return std::isnan(x) ? x : kInfinity;
  if (x < 1)
    return order ? smallK1(x) : smallK0(x);
  return std::isinf(x) ? 0 : std::exp(-x) * scaledLargeK(order, x);
}

double scaledK(int order, double x) {
  if (!(x > 0))
    return std::isnan(x) ? x : kInfinity;
  if (x < 1)
    return std::exp(x) * (order ? smallK1(x) : smallK0(x));
  return std::isinf(x) ? 0 : scaledLargeK(order, x);
}

} // namespace

double besselI0(double x) { return growingI(0, x); }
double besselI1(double x) { return growingI(1, x); }
double besselI0Scaled(double x) { return scaledIOf(0, x); }
double besselI1Scaled(double x) { return scaledIOf(1, x); }
double besselK0(double x) { return decayingK(0, x); }
double besselK1(double x) { return decayingK(1, x); }
double besselK0Scaled(double x) { return scaledK(0, x); }
double besselK1Scaled(double x) { return scaledK(1, x); }
double besselJ0(double x) { return ::j0(x); }
double besselJ1(double x) { return ::j1(x); }
double besselY0(double x) { return x < 0 ? -kInfinity : ::y0(x); }
double besselY1(double x) { return x < 0 ? -kInfinity : ::y1(x); }

} // namespace sluice::rt::special
