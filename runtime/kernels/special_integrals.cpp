// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integrals of elementary functions: the exponential integral, the dilogarithm, the incomplete beta
// function.
#include "runtime/kernels/special_functions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::rt::special {
namespace {

// The dilogarithm of 1 - x for x from 1/2 to 2, by u = -log x: the sum of B_n u^(n + 1) / (n + 1)!
// with Bernoulli's numbers.
double spenceNearOne(double x) {
  static constexpr double kTerms[] = {
      // B_2n / (2n + 1)! for n from 1 on
      2.7777777777777778e-2,   -2.7777777777777778e-4,  4.7241118669690098e-6,
      -9.1857730746619636e-8,  1.8978869988970999e-9,   -4.0647616451442255e-11,
      8.9216910204564526e-13,  -1.9939295860721076e-14, 4.5189800296199182e-16,
      -1.0356517612182470e-17, 2.3952186210261870e-19};
  double u = -std::log(x), square = u * u, sum = 0, power = u * square;
  for (double term : kTerms) {
    sum += term * power;
    power *= square;
  }
  return u - square / 4 + sum;
}

// The continued fraction of the incomplete beta function, by Lentz's method.
double betaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  auto kept = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / kept(1 - (a + b) * x / (a + 1)), fraction = d;
  auto step = [&](double numerator) {
    d = 1 / kept(1 + numerator * d);
    c = kept(1 + numerator / c);
    return c * d;
  };
  for (int m = 1; m <= 2000; ++m) {
    double even = a + 2 * m;
    fraction *= step(m * (b - m) * x / ((even - 1) * even));
    double change = step(-(a + m) * (a + b + m) * x / (even * (even + 1)));
    fraction *= change;
    if (std::abs(change - 1) < 1e-16)
      break;
  }
  return fraction;
}

} // namespace

double exponentialIntegral(double x) {
  if (!(x > 0))
    return x == 0 ? -kInfinity : kNaN;
  if (std::isinf(x))
    return x;
  if (x < 40) {
    double term = 1, sum = 0;
    for (int k = 1; k < 300 && (k < 3 || term > kSmall * sum * k); ++k)
      sum += (term *= x / k) / k;
    return std::numbers::egamma + std::log(x) + sum;
  }
  double term = 1, sum = 1;
  for (int k = 1; k < 40 && term > kSmall; ++k)
    sum += term *= k / x;
  // exp alone may overflow where the quotient does not.
  double half = std::exp(x / 2);
  return half * (sum / x) * half;
}

double spence(double x) {
  constexpr double kSixth = std::numbers::pi * std::numbers::pi / 6;
  if (!(x >= 0))
    return kNaN;
  if (x == 0)
    return kSixth;
  if (x < 0.5)
    return kSixth - std::log(x) * std::log1p(-x) - spenceNearOne(1 - x);
  if (x <= 2)
    return spenceNearOne(x);
  double log = std::log(x);
  if (std::isinf(x))
    return -kInfinity;
  return -spence(1 / x) - log * log / 2;
}

// The logarithm of Γ(a + b) / Γ(b), which loses nothing where b is large.
static double logRisen(double a, double b) {
  if (b < 100)
    return logGamma(a + b) - logGamma(b);
  auto rest = [](double z) {
    double square = 1 / (z * z);
    return (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680))) / z;
  };
  return (b - 0.5) * std::log1p(a / b) + a * (std::log(a + b) - 1) + rest(a + b) - rest(b);
}

// The sum of x^n (a + b) … (a + b + n - 1) / ((a + 1) … (a + n)), whose terms are all positive.
static double betaSeries(double a, double b, double x) {
  double term = 1, sum = 1;
  for (int n = 0; n < 5000 && term > kSmall * sum; ++n)
    sum += term *= (a + b + n) / (a + 1 + n) * x;
  return sum;
}

double incompleteBeta(double a, double b, double x) {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1))
    return kNaN;
  if (x == 0 || x == 1)
    return x;
  double least = std::min(a, b), most = std::max(a, b);
  double front =
      std::exp(logRisen(least, most) - logGamma(least) + a * std::log(x) + b * std::log1p(-x));
  double found;
  if (b > 1e4 && (a + b) * x < 300) // where 1 - x has lost digits of x
    found = front * betaSeries(a, b, x) / a;
  else if (x < (a + 1) / (a + b + 2))
    found = front * betaFraction(a, b, x) / a;
  else
    found = 1 - front * betaFraction(b, a, 1 - x) / b;
  return std::isnan(found) ? found : std::clamp(found, 0.0, 1.0); // what is left of huge ones
}

} // namespace sluice::rt::special
