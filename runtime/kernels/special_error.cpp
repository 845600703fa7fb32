// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inverses of the error function, Dawson's integral and those of Fresnel.
#include "runtime/kernels/special_functions.h"

#include <cmath>
#include <complex>
#include <iterator>
#include <numbers>

namespace sluice::rt::special {
namespace {

constexpr double kPi = std::numbers::pi;

// The polynomial with these coefficients, of which the first is that of x^0.
template <size_t N> double polynomial(const double (&coefficients)[N], double x) {
  double sum = coefficients[N - 1];
  for (size_t i = N - 1; i-- > 0;)
    sum = sum * x + coefficients[i];
  return sum;
}

// ---- Quantiles: Wichura's rational functions (Applied Statistics 37, algorithm AS 241)

// Of 1/2 + q.
double centralQuantile(double q) {
  static constexpr double kAbove[] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                      1.9715909503065514427e3, 1.3731693765509461125e4,
                                      4.5921953931549871457e4, 6.7265770927008700853e4,
                                      3.3430575583588128105e4, 2.5090809287301226727e3};
  static constexpr double kBelow[] = {1.0,
                                      4.2313330701600911252e1,
                                      6.8718700749205790830e2,
                                      5.3941960214247511077e3,
                                      2.1213794301586595867e4,
                                      3.9307895800092710610e4,
                                      2.8729085735721942674e4,
                                      5.2264952788528545610e3};
  double r = 0.180625 - q * q;
  return q * polynomial(kAbove, r) / polynomial(kBelow, r);
}

// Of 1 less a small p, which is positive, by r = sqrt(-log p).
double quantileOfTail(double r) {
  static constexpr double kAbove[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                      5.76949722146069140550e0,  3.64784832476320460504e0,
                                      1.27045825245236838258e0,  2.41780725177450611770e-1,
                                      2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr double kBelow[] = {1.0,
                                      2.05319162663775882187e0,
                                      1.67638483018380384940e0,
                                      6.89767334985100004550e-1,
                                      1.48103976427480074590e-1,
                                      1.51986665636164571966e-2,
                                      5.47593808499534494600e-4,
                                      1.05075007164441684324e-9};
  static constexpr double kFarAbove[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                         1.78482653991729133580e0,  2.96560571828504891230e-1,
                                         2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                         2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double kFarBelow[] = {1.0,
                                         5.99832206555887937690e-1,
                                         1.36929880922735805310e-1,
                                         1.48753612908506148525e-2,
                                         7.86869131145613259100e-4,
                                         1.84631831751005468180e-5,
                                         1.42151175831644588870e-7,
                                         2.04426310338993978564e-15};
  return r <= 5 ? polynomial(kAbove, r - 1.6) / polynomial(kBelow, r - 1.6)
                : polynomial(kFarAbove, r - 5) / polynomial(kFarBelow, r - 5);
}

// ---- Dawson's integral

// x - 2/3 x³ + 4/15 x⁵ - …
double dawsonNearZero(double x) {
  double square = 2 * x * x, term = x, sum = x;
  for (int k = 3; k < 120 && std::abs(term) > kSmall * std::abs(sum); k += 2)
    sum += term *= -square / k;
  return sum;
}

// Rybicki's sum of exp(-(x - nh)²) / n over odd n, which is exact up to exp(-(π / 2h)²).
double dawsonBetween(double x) {
  constexpr double kStep = 0.25, kReach = 6.5;
  int first = static_cast<int>(std::floor((x - kReach) / kStep)) | 1;
  int last = static_cast<int>(std::ceil((x + kReach) / kStep));
  double sum = 0;
  for (int n = first; n <= last; n += 2) {
    double distance = x - n * kStep;
    sum += std::exp(-distance * distance) / n;
  }
  return sum / std::sqrt(kPi);
}

// 1/(2x) (1 + 1/(2x²) + 1·3/(2x²)² + …)
double dawsonFarOut(double x) {
  double term = 1, sum = 1, inverse = 0.5 / x / x;
  for (int k = 1; k < 60 && term > kSmall; k += 2)
    sum += term *= k * inverse;
  return 0.5 / x * sum;
}

// ---- Fresnel's integrals as C + iS, of what is not negative

using Complex = std::complex<double>;

// The sum of x (iπx²/2)^k / (k! (2k + 1)).
Complex fresnelNearZero(double x) {
  double half = kPi / 2 * x * x, power = x, parts[2] = {};
  for (int k = 0; k < 60 && power > kSmall * kSmall; ++k) {
    parts[k % 2] += (k % 4 < 2 ? power : -power) / (2 * k + 1);
    power *= half / (k + 1);
  }
  return {parts[0], parts[1]};
}

// exp(iπx²/2), of which the angle is brought near 0 before it is rounded.
Complex turned(double x) {
  double square = x * x, rest = std::fma(x, x, -square);
  double angle = kPi / 2 * (std::fmod(square, 4) + rest);
  return {std::cos(angle), std::sin(angle)};
}

// (1 + i)/2 erf(z) with z² = -iπx²/2, of which erfc is a continued fraction.
Complex fresnelBetween(double x) {
  const Complex step(0, -kPi * x * x); // 2z²
  Complex b = step + 1.0, c = 1e300, d = 1.0 / b, fraction = d;
  for (int k = 1; k < 400; ++k) {
    double a = -(2.0 * k - 1) * (2.0 * k);
    b += 4.0;
    d = 1.0 / (a * d + b);
    c = b + a / c;
    Complex change = c * d;
    fraction *= change;
    if (std::abs(change.real() - 1) + std::abs(change.imag()) < 1e-16)
      break;
  }
  // 2z/√π is (1 - i)x.
  return Complex(0.5, 0.5) * (1.0 - Complex(x, -x) * turned(x) * fraction);
}

// The same, of which the fraction has become a series in 1/(πx²).
Complex fresnelFarOut(double x) {
  double inverse = 1 / (kPi * x * x), term = 1, parts[2] = {};
  for (int k = 0; k < 40 && term > kSmall; ++k) {
    parts[k % 2] += k % 4 < 2 ? term : -term;
    term *= (2 * k + 1) * inverse;
  }
  // f + ig, the slow parts.
  Complex slow(parts[0] / (kPi * x), parts[1] / (kPi * x));
  Complex fast = turned(x);
  return {0.5 + slow.real() * fast.imag() - slow.imag() * fast.real(),
          0.5 - slow.real() * fast.real() - slow.imag() * fast.imag()};
}

Complex fresnel(double x) {
  double size = std::abs(x);
  if (std::isnan(x))
    return {x, x};
  Complex found = size < 1.6   ? fresnelNearZero(size)
                  : size < 5.5 ? fresnelBetween(size)
                  : size < 1e8 ? fresnelFarOut(size)
                               : Complex(0.5, 0.5);
  return x < 0 ? -found : found;
}

} // namespace

double inverseErf(double y) {
  double size = std::abs(y);
  if (!(size <= 1))
    return kNaN;
  if (size == 1)
    return y * kInfinity;
  if (size <= 0.85)
    return centralQuantile(y / 2) / std::numbers::sqrt2;
  return std::copysign(quantileOfTail(std::sqrt(-std::log((1 - size) / 2))), y) /
         std::numbers::sqrt2;
}

double normalQuantile(double p) {
  if (!(p >= 0 && p <= 1))
    return kNaN;
  if (p == 0 || p == 1)
    return p == 0 ? -kInfinity : kInfinity;
  if (std::abs(p - 0.5) <= 0.425)
    return centralQuantile(p - 0.5);
  double found = quantileOfTail(std::sqrt(-std::log(p < 0.5 ? p : 1 - p)));
  return p < 0.5 ? -found : found;
}

double dawson(double x) {
  double size = std::abs(x);
  if (std::isnan(x) || size < 1)
    return dawsonNearZero(x);
  return std::copysign(size < 7.5 ? dawsonBetween(size) : dawsonFarOut(size), x);
}

double fresnelSine(double x) { return fresnel(x).imag(); }
double fresnelCosine(double x) { return fresnel(x).real(); }

} // namespace sluice::rt::special
