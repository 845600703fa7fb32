// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logarithm of the gamma function, its derivatives, and the zeta function that they are made
// of.
#include "runtime/kernels/special_functions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::rt::special {
namespace {

// Bernoulli's numbers B_2, B_4, …
constexpr double kBernoulli[] = {
    1.0 / 6, -1.0 / 30,     1.0 / 42,      -1.0 / 30,       5.0 / 66,       -691.0 / 2730,
    7.0 / 6, -3617.0 / 510, 43867.0 / 798, -174611.0 / 330, 854513.0 / 138, -236364091.0 / 2730};

// Of positive x: the recurrence, up to where the asymptotic series is exact.
double digammaOfPositive(double x) {
  double below = 0;
  for (; x < 10; ++x)
    below += 1 / x;
  double inverse = 1 / (x * x), power = inverse, sum = 0;
  for (int k = 0; k < 8; ++k) {
    sum += kBernoulli[k] / (2 * (k + 1)) * power;
    power *= inverse;
  }
  return std::log(x) - 0.5 / x - sum - below;
}

// Of positive q: ten terms, then the sum of Euler and Maclaurin.
double zetaOfPositive(double x, double q) {
  double sum = 0, a = q;
  for (int k = 0; k < 10; ++k, ++a)
    sum += std::pow(a, -x);
  double term = std::pow(a, -x);
  sum += term * a / (x - 1) + term / 2;
  double factor = x * term / a; // x (x + 1) … a^-(x + 2k + 1)
  double factorial = 2;         // (2k + 2)!
  for (int k = 0; k < 12; ++k) {
    double change = kBernoulli[k] / factorial * factor;
    sum += change;
    if (!(std::abs(change) > kSmall * std::abs(sum)))
      break;
    double at = x + 2 * k + 1;
    factor *= at / a * ((at + 1) / a);
    factorial *= (2.0 * k + 3) * (2.0 * k + 4);
  }
  return sum;
}

// Of an integer x and a negative q that is none. Near 0 terms of both signs come in pairs, since
// they may cancel; those far below it are the difference of two sums above it.
double zetaOfNegative(double x, double q, bool isEven) {
  constexpr double kNear = 20;
  const double below = -std::floor(q), fraction = q + below;
  const double near = std::min(below, kNear);
  double sum = 0;
  for (double k = 0; k < near; ++k)
    sum += std::pow(fraction - (k + 1), -x) + std::pow(fraction + k, -x);
  sum += zetaOfPositive(x, fraction + near);
  if (below == near)
    return sum;
  double far = zetaOfPositive(x, near + 1 - fraction) - zetaOfPositive(x, below + 1 - fraction);
  return sum + (isEven ? far : -far);
}

} // namespace

double logGamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign);
}

double digamma(double x) {
  if (std::isinf(x))
    return x > 0 ? x : kNaN;
  if (x > 0)
    return digammaOfPositive(x);
  double fraction = x - std::nearbyint(x);
  if (!(fraction != 0)) // a pole
    return kNaN;
  // Reflected at 1/2.
  double slope =
      std::abs(fraction) == 0.5 ? 0 : std::numbers::pi / std::tan(std::numbers::pi * fraction);
  return digammaOfPositive(1 - x) - slope;
}

double zeta(double x, double q) {
  if (!(x >= 1))
    return kNaN;
  if (x == 1)
    return kInfinity;
  if (std::isnan(q))
    return q;
  if (std::isinf(x))
    return q > 1 ? 0 : q == 1 ? 1 : kInfinity;
  if (q > 0)
    return std::isinf(q) ? 0 : zetaOfPositive(x, q);
  bool isEven = std::fmod(x, 2) == 0;
  if (q == std::floor(q))
    return isEven ? kInfinity : kNaN;
  return x == std::floor(x) ? zetaOfNegative(x, q, isEven) : kNaN;
}

double polygamma(double order, double x) {
  if (!(order >= 0) || order != std::floor(order))
    return kNaN;
  if (order == 0)
    return digamma(x);
  double size = std::exp(logGamma(order + 1)) * zeta(order + 1, x);
  return std::fmod(order, 2) == 0 ? -size : size;
}

} // namespace sluice::rt::special
