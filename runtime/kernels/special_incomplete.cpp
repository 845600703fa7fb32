// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete gamma functions: a series below the mode of the distribution, a continued fraction
// above it, and the derivatives of both by the shape.
#include "runtime/kernels/special_functions.h"

#include <cmath>
#include <initializer_list>

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
double byFraction(double a, double x) { return frontOf(a, x, a).value * fractionOf(a, x).value; }

bool isInside(double a, double x) { return x >= 0 && a > 0; }

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
  return x > 1 && x > a ? 1 - byFraction(a, x) : bySeries(a, x);
}

double upperGamma(double a, double x) {
  if (!isInside(a, x))
    return kNaN;
  if (std::isinf(a))
    return std::isinf(x) ? kNaN : 1;
  if (std::isinf(x))
    return 0;
  return x < 1 || x < a ? 1 - bySeries(a, x) : byFraction(a, x);
}

double lowerGammaByShape(double a, double x) {
  if (x == 0)
    return 0;
  if (!isInside(a, x) || std::isinf(a) || std::isinf(x))
    return isInside(a, x) && std::isinf(a) != std::isinf(x) ? 0 : kNaN;
  bool isAbove = x > 1 && x > a;
  Part front = frontOf(a, x, isAbove ? a : a + 1);
  Part factor = isAbove ? fractionOf(a, x) : seriesOf(a, x);
  double slope = front.value * (factor.byShape + factor.value * front.byShape);
  return isAbove ? -slope : slope;
}

double gammaSampleByShape(double a, double sample) {
  if (sample == 0)
    return 0;
  if (!isInside(a, sample) || std::isinf(a) || std::isinf(sample))
    return kNaN;
  bool isAbove = sample > 1 && sample > a;
  Part front = frontOf(a, sample, isAbove ? a : a + 1);
  Part factor = isAbove ? fractionOf(a, sample) : seriesOf(a, sample);
  double slope = (factor.byShape + factor.value * front.byShape) * sample;
  return isAbove ? slope : -slope / a;
}

} // namespace sluice::rt::special
