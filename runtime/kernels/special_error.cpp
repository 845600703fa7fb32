// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dawson's integral and those of Fresnel.
#include "runtime/kernels/special_functions.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace sluice::rt::special {
namespace {

constexpr double kPi = std::numbers::pi;

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

double dawson(double x) {
  double size = std::abs(x);
  if (std::isnan(x) || size < 1)
    return dawsonNearZero(x);
  return std::copysign(size < 7.5 ? dawsonBetween(size) : dawsonFarOut(size), x);
}

double fresnelSine(double x) { return fresnel(x).imag(); }
double fresnelCosine(double x) { return fresnel(x).real(); }

} // namespace sluice::rt::special
