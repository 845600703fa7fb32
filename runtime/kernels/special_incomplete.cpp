// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete gamma functions: a series below the mode of the distribution, a continued fraction
// above it, for large shapes a series in powers of the shape, and the derivatives of all by it.
#include "runtime/kernels/special_functions.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

namespace sluice::rt::special {
namespace {

constexpr int kMostTerms = 2000;

// What a part of the formula is, and its derivative by the shape.
struct Part {
  double value, byShape;
};

// x^a exp(-x) / Γ(b), and the derivative of its logarithm by a, where b is a or a + 1.
Part frontOf(double a, double x, double b) {
  return {std::exp(a * std::log(x) - x - logGamma(b)), std::log(x) - digamma(b)};
}

// The sum of x^k / ((a + 1) … (a + k)).
Part seriesOf(double a, double x) {
  Part term{1, 0}, sum{1, 0};
  double r = a;
  for (int k = 0; k < kMostTerms; ++k) {
    r += 1;
    double ratio = x / r;
    term.byShape = ratio * (term.byShape - term.value / r);
    term.value *= ratio;
    sum.value += term.value;
    sum.byShape += term.byShape;
    if (!(term.value > kSmall * sum.value ||
          std::abs(term.byShape) > kSmall * std::abs(sum.byShape)))
      break;
  }
  return sum;
}

// 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - …))), by its convergents.
Part fractionOf(double a, double x) {
  Part below{x, 0}, above{1, 0}; // of the one before
  double b = x + 2 - a, shape = 1 - a;
  Part nextBelow{b * x, -x}, nextAbove{x + 1, 0};
  Part found{nextAbove.value / nextBelow.value, 0};
  found.byShape = (nextAbove.byShape - found.value * nextBelow.byShape) / nextBelow.value;
  for (int k = 1; k < kMostTerms; ++k) {
    shape += 1;
    b += 2;
    double factor = shape * k;
    auto step = [&](Part &last, Part &one) {
      Part next{one.value * b - last.value * factor,
                one.byShape * b - one.value - last.byShape * factor + last.value * k};
      last = one;
      one = next;
    };
    step(above, nextAbove);
    step(below, nextBelow);
    double value = nextAbove.value / nextBelow.value;
    double byShape = (nextAbove.byShape - value * nextBelow.byShape) / nextBelow.value;
    bool isExact = std::abs(value - found.value) <= 1e-16 * std::abs(value) &&
                   std::abs(byShape - found.byShape) <= 1e-16 * std::abs(byShape);
    found = {value, byShape};
    if (isExact)
      break;
    if (std::abs(nextAbove.value) > 1e100) // before they overflow
      for (Part *part : {&above, &below, &nextAbove, &nextBelow})
        *part = {part->value * 1e-100, part->byShape * 1e-100};
  }
  return found;
}

double bySeries(double a, double x) { return frontOf(a, x, a + 1).value * seriesOf(a, x).value; }
double byFraction(double a, double x) {
  double front = frontOf(a, x, a).value;
  return front == 0 ? 0 : front * fractionOf(a, x).value; // whose terms may overflow
}

bool isInside(double a, double x) { return x >= 0 && a > 0; }

// Above this the other series need too many terms near the mode; further from it nothing is left.
constexpr double kLargeShape = 2e4;
constexpr double kFarFromMode = 0.5;

// The coefficients of powers of η in those of powers of 1/a; beyond 0.3 the exponential below is 0.
constexpr double kFirst[] = {
    -0.33333333333333331,   0.083333333333333329,    -0.014814814814814815,
    0.0011574074074074073,  0.00035273368606701942,  -0.0001787551440329218,
    3.9192631785224377e-05, -2.185448510679992e-06,  -1.85406221071516e-06,
    8.2967113409530865e-07, -1.7665952736826078e-07, 6.7078535434014984e-09};
constexpr double kSecond[] = {-0.0018518518518518519,  -0.003472222222222222,
                              0.0026455026455026454,   -0.00099022633744855963,
                              0.00020576131687242798,  -4.018775720164609e-07,
                              -1.8098550334489977e-05, 7.6491609160811098e-06};
constexpr double kThird[] = {0.0041335978835978834, -0.0026813271604938273, 0.0007716049382716049};

// A polynomial, and its derivative by η.
template <size_t kCount> Part powersOf(const double (&coefficients)[kCount], double eta) {
  Part sum{0, 0};
  for (size_t k = kCount; k-- > 0;) {
    sum.byShape = sum.byShape * eta + sum.value;
    sum.value = sum.value * eta + coefficients[k];
  }
  return sum;
}

// μ - log(1 + μ), without loss where the two are nearly the same.
double excessOf(double mu) {
  if (std::abs(mu) > 0.01)
    return mu - std::log1p(mu);
  double sum = 0;
  for (int k = 9; k >= 2; --k)
    sum = (k % 2 ? -1.0 : 1.0) / k + mu * sum;
  return mu * mu * sum;
}

// Temme's uniform expansion around the mode. With x = a (1 + μ) and η² / 2 = μ - log(1 + μ), the
// upper function is erfc(η √(a/2)) / 2 + density · (first + second / a + third / a²).
struct Middle {
  double density; // exp(-a η² / 2) / √(2πa)
  double lower, upper;
  double slope; // of the upper one by the shape, divided by the density
};
Middle middleOf(double a, double x) {
  double mu = (x - a) / a, excess = excessOf(mu);
  double eta = std::copysign(std::sqrt(2 * excess), mu);
  double density = std::exp(-a * excess) / std::sqrt(2 * std::numbers::pi * a);
  Part first = powersOf(kFirst, eta), second = powersOf(kSecond, eta),
       third = powersOf(kThird, eta);
  double sum = first.value + (second.value + third.value / a) / a;
  double ratio = eta == 0 ? 1 : mu / eta; // of which -1/a is how η changes with the shape
  double byEta = first.byShape + (second.byShape + third.byShape / a) / a;
  double change = -(byEta * ratio + (second.value + 2 * third.value / a) / a) / a;
  double slope = ratio - eta / 2 + sum * (std::log1p(mu) - 0.5 / a) + change;
  double z = eta * std::sqrt(a / 2);
  return {density, std::erfc(-z) / 2 - density * sum, std::erfc(z) / 2 + density * sum, slope};
}

bool isFar(double a, double x) { return std::abs(x - a) > kFarFromMode * a; }

} // namespace

double lowerGamma(double a, double x) {
  if (x == 0)
    return 0;
  if (!isInside(a, x))
    return kNaN;
  if (std::isinf(a))
    return std::isinf(x) ? kNaN : 0;
  if (std::isinf(x))
    return 1;
  if (a > kLargeShape)
    return isFar(a, x) ? x > a : middleOf(a, x).lower;
  return x > 1 && x > a ? 1 - byFraction(a, x) : bySeries(a, x);
}

double upperGamma(double a, double x) {
  if (!isInside(a, x))
    return kNaN;
  if (std::isinf(a))
    return std::isinf(x) ? kNaN : 1;
  if (std::isinf(x))
    return 0;
  if (a > kLargeShape)
    return isFar(a, x) ? x < a : middleOf(a, x).upper;
  return x < 1 || x < a ? 1 - bySeries(a, x) : byFraction(a, x);
}

double lowerGammaByShape(double a, double x) {
  if (x == 0)
    return 0;
  if (!isInside(a, x) || std::isinf(a) || std::isinf(x))
    return isInside(a, x) && std::isinf(a) != std::isinf(x) ? 0 : kNaN;
  if (a > kLargeShape) {
    if (isFar(a, x))
      return -0.0;
    Middle middle = middleOf(a, x);
    return -middle.slope * middle.density;
  }
  bool isAbove = x > 1 && x > a;
  Part front = frontOf(a, x, isAbove ? a : a + 1);
  if (front.value == 0)
    return -0.0;
  Part factor = isAbove ? fractionOf(a, x) : seriesOf(a, x);
  double slope = front.value * (factor.byShape + factor.value * front.byShape);
  return isAbove ? -slope : slope;
}

double gammaSampleByShape(double a, double sample) {
  if (sample == 0)
    return 0;
  if (!isInside(a, sample) || std::isinf(a) || std::isinf(sample))
    return kNaN;
  if (a > kLargeShape && !isFar(a, sample))
    return sample / a * middleOf(a, sample).slope * (1 + (1 + 1 / (24 * a)) / (12 * a));
  bool isAbove = sample > 1 && sample > a;
  if (isAbove && sample > 1e17 * std::max(a, 1.0))
    return std::log(sample) - digamma(a); // what is left of the fraction, whose terms may overflow
  Part front = frontOf(a, sample, isAbove ? a : a + 1);
  Part factor = isAbove ? fractionOf(a, sample) : seriesOf(a, sample);
  double slope = (factor.byShape + factor.value * front.byShape) * sample;
  return isAbove ? slope : -slope / a;
}

} // namespace sluice::rt::special
