// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special functions of both kinds of floats against functions of longer floats: libm's, series, and
// inverses by Newton's method.
#include "runtime/base/splitmix.h"
#include "test/runtime/kernels/kernel_caller.h"

#include <bit>
#include <cmath>
#include <functional>
#include <numbers>

namespace sluice::rt {
namespace {

using Exact = long double;
using Function = std::function<Exact(Exact)>;
constexpr Exact kPi = std::numbers::pi_v<Exact>, kRootTwo = std::numbers::sqrt2_v<Exact>;
constexpr double kInf = std::numeric_limits<double>::infinity();

// ---- What is exact ------------------------------------------------------------------------------

Exact exactDigamma(Exact x) {
  constexpr Exact kSeries[] = {1.0L / 12,  -1.0L / 120,     1.0L / 252, -1.0L / 240,
                               1.0L / 132, -691.0L / 32760, 1.0L / 12,  -3617.0L / 8160};
  if (x < 0)
    return exactDigamma(1 - x) - kPi / std::tan(kPi * (x - std::nearbyint(x)));
  Exact below = 0;
  for (; x < 24; ++x)
    below += 1 / x;
  Exact inverse = 1 / (x * x), power = inverse, sum = 0;
  for (Exact factor : kSeries) {
    sum += factor * power;
    power *= inverse;
  }
  return std::log(x) - 0.5L / x - sum - below;
}
// The number x of this error function, by steps from one that is near it.
Exact exactErfinv(Exact y) {
  Exact size = std::abs(y), x = size < 0.5L ? size : std::sqrt(-std::log(1 - size));
  for (int i = 0; i < 16; ++i) {
    Exact error = size < 0.5L ? std::erf(x) - size : (1 - size) - std::erfc(x);
    Exact slope = 2 / std::sqrt(kPi) * std::exp(-x * x);
    x -= error / (slope + x * error); // Halley's step
  }
  return std::copysign(x, y);
}
Exact exactNdtri(Exact p) {
  Exact tail = p < 0.5L ? p : 1 - p, x = std::sqrt(-2 * std::log(2 * tail));
  for (int i = 0; i < 16; ++i) {
    Exact error = tail > 0.25L ? (0.5L - tail) - std::erf(x / kRootTwo) / 2
                               : std::erfc(x / kRootTwo) / 2 - tail;
    Exact slope = std::exp(-x * x / 2) / std::sqrt(2 * kPi);
    x += error / (slope - x * error / 2);
  }
  return p < 0.5L ? -x : x;
}

// ---- Errors -------------------------------------------------------------------------------------

// The distance in units of the last place of `scale`; results below normal floats may be zero.
template <typename T> double errorInUlps(T actual, Exact exact, Exact scale) {
  if (actual == static_cast<T>(exact))
    return 0;
  if (std::abs(exact) < std::numeric_limits<T>::min())
    return std::abs(actual) <= std::numeric_limits<T>::min() ? 0 : kInf;
  int exponent;
  std::frexp(scale, &exponent);
  return static_cast<double>(std::abs(actual - exact) /
                             std::ldexp(Exact(1), exponent - std::numeric_limits<T>::digits));
}

// From `low` to `high`, which have one sign where they are of very different sizes.
template <typename T> std::vector<T> drawn(double low, double high, int count = 20000) {
  SplitMix64 random(7);
  std::vector<T> x;
  while (x.size() < static_cast<size_t>(count)) {
    double part = static_cast<double>(random.next() >> 11) * 0x1p-53;
    bool isWide = low > 0 && high / low > 1e3;
    auto number =
        static_cast<T>(isWide ? low * std::pow(high / low, part) : low + (high - low) * part);
    if (number == 0 || std::abs(number) >= std::numeric_limits<T>::min())
      x.push_back(number);
  }
  return x;
}

struct Case {
  const char *name;
  const Kernel &single, &wide;
  Function exact;
  double ulps;
  std::vector<std::pair<double, double>> ranges;
  // Of what the last place counts, if that is not the result.
  Function scale = nullptr;
};
const std::vector<Case> &cases() {
  auto nextToPole = [](Exact x) { return std::abs(kPi * (x - std::nearbyint(x))); };
  static const std::vector<Case> all = {
      {"erf",
       sluice_kernel_sci_erf_f32,
       sluice_kernel_sci_erf_f64,
       [](Exact x) { return std::erf(x); },
       1.7,
       {{1e-37, 1e-3}, {-1.1, 1.1}, {0.99, 1.01}, {1, 7}, {-7, -1}, {7, 1e30}}},
      {"erfc",
       sluice_kernel_sci_erfc_f32,
       sluice_kernel_sci_erfc_f64,
       [](Exact x) { return std::erfc(x); },
       6.5,
       {{1e-37, 1e-3}, {-0.51, 0.51}, {0.49, 2}, {2, 9}, {9, 9.3}, {8, 28}, {-7, -0.5}}},
      {"erfinv",
       sluice_kernel_sci_erfinv_f32,
       sluice_kernel_sci_erfinv_f64,
       exactErfinv,
       6,
       {{1e-37, 1e-3}, {-0.86, 0.86}, {0.84, 0.86}, {0.84, 0.9999}, {0.9999, 0.99999994}}},
      {"ndtri",
       sluice_kernel_sci_ndtri_f32,
       sluice_kernel_sci_ndtri_f64,
       exactNdtri,
       6,
       {{1e-37, 1e-3}, {1e-4, 0.9999}, {0.07, 0.08}, {0.45, 0.55}, {0.999, 0.99999994}}},
      {"lgamma",
       sluice_kernel_sci_lgamma_f32,
       sluice_kernel_sci_lgamma_f64,
       [](Exact x) { return std::lgamma(x); },
       5.5,
       {{1e-37, 1e-3}, {1e-3, 0.5}, {0.4, 2.6}, {0.99, 1.01}, {1.99, 2.01}, {2.5, 9}, {8, 1e36}}},
      {"lgamma below 0",
       sluice_kernel_sci_lgamma_f32,
       sluice_kernel_sci_lgamma_f64,
       [](Exact x) { return std::lgamma(x); },
       6,
       {{-0.999, -1e-3}, {-9.999, -0.001}, {-1000.25, -9.75}},
       [=](Exact x) {
         return std::max(
             {Exact(1), std::abs(std::lgamma(1 - x)), std::abs(std::log(nextToPole(x)))});
       }},
      {"digamma",
       sluice_kernel_sci_digamma_f32,
       sluice_kernel_sci_digamma_f64,
       exactDigamma,
       5.5,
       {{1e-37, 1e-3}, {1e-3, 1}, {0.9, 1.4}, {1.5, 2.1}, {2, 9}, {8, 1e36}}},
      {"digamma next to its root",
       sluice_kernel_sci_digamma_f32,
       sluice_kernel_sci_digamma_f64,
       exactDigamma,
       6,
       {{1.46, 1.4631}},
       [](Exact) { return Exact(1e-3); }},
      {"digamma below 0",
       sluice_kernel_sci_digamma_f32,
       sluice_kernel_sci_digamma_f64,
       exactDigamma,
       6,
       {{-0.999, -1e-3}, {-9.999, -0.001}, {-1000.25, -9.75}},
       [=](Exact x) {
         return std::max({Exact(1), std::abs(exactDigamma(1 - x)), kPi / nextToPole(x)});
       }},
  };
  return all;
}

template <typename T> std::vector<T> resultsOf(const Kernel &kernel, const std::vector<T> &x) {
  return valuesOf<T>(*callKernel(kernel, {tensor<T>({static_cast<int64_t>(x.size())}, x)}));
}

template <typename T> void expectAccurate() {
  for (const Case &one : cases())
    for (auto [low, high] : one.ranges) {
      std::vector<T> x = drawn<T>(low, high);
      std::vector<T> y = resultsOf(sizeof(T) == 4 ? one.single : one.wide, x);
      for (size_t i = 0; i < x.size(); ++i) {
        Exact exact = one.exact(x[i]);
        ASSERT_LE(errorInUlps(y[i], exact, one.scale ? one.scale(x[i]) : exact), one.ulps)
            << one.name << " of " << x[i] << " is " << y[i];
      }
    }
}
TEST(SpecialFunctions, AccuracyOfF32) { expectAccurate<float>(); }
TEST(SpecialFunctions, AccuracyOfF64) { expectAccurate<double>(); }

// ---- Angles -------------------------------------------------------------------------------------

template <typename T> T angleOf(T y, T x, const Kernel &kernel) {
  return valuesOf<T>(*callKernel(kernel, {tensor<T>({1}, {y}), tensor<T>({1}, {x})}))[0];
}

template <typename T> void expectAngles(const Kernel &kernel, int greatest) {
  SplitMix64 random(11);
  auto drawOne = [&](int most) {
    double fraction = 1 + static_cast<double>(random.next() >> 12) * 0x1p-52;
    int exponent = static_cast<int>(random.below(2 * static_cast<uint64_t>(most) + 1)) - most;
    return static_cast<T>(std::ldexp(random.next() & 1 ? fraction : -fraction, exponent));
  };
  std::vector<T> y, x;
  for (int most : {greatest, 3, 0})
    for (int i = 0; i < 50000; ++i) {
      y.push_back(drawOne(most));
      x.push_back(drawOne(most));
    }
  auto count = static_cast<int64_t>(x.size());
  std::vector<T> found =
      valuesOf<T>(*callKernel(kernel, {tensor<T>({count}, y), tensor<T>({count}, x)}));
  for (size_t i = 0; i < x.size(); ++i) {
    Exact exact = std::atan2(Exact(y[i]), Exact(x[i]));
    ASSERT_LE(errorInUlps(found[i], exact, exact), 2.5) << y[i] << " over " << x[i];
  }
  // As the C library has them.
  const T infinity = std::numeric_limits<T>::infinity(), most = std::numeric_limits<T>::max();
  const T numbers[] = {0,
                       T(-0.0),
                       1,
                       -1,
                       2,
                       std::numeric_limits<T>::min(),
                       infinity,
                       -infinity,
                       most,
                       -most,
                       std::numeric_limits<T>::quiet_NaN()};
  for (T above : numbers)
    for (T right : numbers) {
      T angle = angleOf(above, right, kernel);
      Exact exact = std::atan2(Exact(above), Exact(right));
      if (std::isnan(exact))
        EXPECT_TRUE(std::isnan(angle)) << above << " over " << right;
      else
        EXPECT_LE(errorInUlps(angle, exact, exact), 2.5) << above << " over " << right;
      if (!std::isnan(exact))
        EXPECT_EQ(std::signbit(angle), std::signbit(exact)) << above << " over " << right;
    }
}
TEST(SpecialFunctions, Angles) {
  expectAngles<float>(sluice_kernel_sci_atan2_f32, 120);
  expectAngles<double>(sluice_kernel_sci_atan2_f64, 1000);
}

// Bodies of vectorised loops, their tails, and scalars.
TEST(SpecialFunctions, EqualBitsAtEveryPosition) {
  for (const Case &one : cases()) {
    std::vector<float> x = drawn<float>(0.01, 0.99, 67), all = resultsOf(one.single, x);
    for (size_t i = 0; i < x.size(); ++i) {
      float scalar;
      const void *operand = &x[i];
      one.single.scalar(&operand, &scalar);
      EXPECT_EQ(std::bit_cast<uint32_t>(scalar), std::bit_cast<uint32_t>(all[i])) << one.name;
    }
  }
}

} // namespace
} // namespace sluice::rt
