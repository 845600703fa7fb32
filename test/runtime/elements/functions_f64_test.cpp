// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of f64 against libm's functions of longer floats, of numbers of all sizes, next to
// where formulas change, and next to multiples of a quarter turn.
#include "runtime/base/splitmix.h"
#include "test/runtime/kernels/kernel_caller.h"

#include <bit>
#include <cmath>
#include <optional>

namespace sluice::rt {
namespace {

using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits > 60,
              "expected floats that judge those of 53 bits");

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeastNormal = std::numeric_limits<double>::min();

struct Function {
  const char *name;
  const Kernel &kernel;
  Exact (*exact)(Exact);
  double ulps;
};
const Function kFunctions[] = {
    {"exp", sluice_kernel_nd_exp_f64, [](Exact x) { return std::exp(x); }, 1},
    {"log", sluice_kernel_nd_log_f64, [](Exact x) { return std::log(x); }, 1},
    {"tanh", sluice_kernel_nd_tanh_f64, [](Exact x) { return std::tanh(x); }, 1.5},
    {"sigmoid", sluice_kernel_nd_sigmoid_f64, [](Exact x) { return 1 / (1 + std::exp(-x)); }, 2.5},
    {"expm1", sluice_kernel_nd_expm1_f64, [](Exact x) { return std::expm1(x); }, 1.2},
    {"log1p", sluice_kernel_nd_log1p_f64, [](Exact x) { return std::log1p(x); }, 1},
    {"sin", sluice_kernel_nd_sin_f64, [](Exact x) { return std::sin(x); }, 1.2},
    {"cos", sluice_kernel_nd_cos_f64, [](Exact x) { return std::cos(x); }, 1.2},
};

// The distance in units of the exact result's last place; results below normal floats may be zero.
double errorInUlps(double actual, Exact exact) {
  if (std::isnan(exact))
    return std::isnan(actual) ? 0 : kInf;
  if (actual == static_cast<double>(exact))
    return 0;
  if (std::abs(exact) < kLeastNormal)
    return std::abs(actual) <= kLeastNormal ? 0 : kInf;
  int exponent;
  std::frexp(exact, &exponent);
  return static_cast<double>(std::abs(actual - exact) / std::ldexp(Exact(1), exponent - 53));
}

std::vector<double> resultsOf(const Kernel &kernel, const std::vector<double> &x) {
  return valuesOf<double>(*callKernel(kernel, {tensor({static_cast<int64_t>(x.size())}, x)}));
}

void expectAccurate(const Function &function, const std::vector<double> &x) {
  std::vector<double> y = resultsOf(function.kernel, x);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_LE(errorInUlps(y[i], function.exact(x[i])), function.ulps)
        << function.name << " of " << x[i] << " is " << y[i];
}

// With exponents from `least` to `most`, and both signs.
std::vector<double> drawn(int least, int most, int count) {
  SplitMix64 random(7);
  std::vector<double> x;
  for (int i = 0; i < count; ++i) {
    auto exponent = static_cast<uint64_t>(1023 + least) + random.below(uint64_t(most - least + 1));
    uint64_t bits = random.next();
    x.push_back(std::bit_cast<double>((bits & ((uint64_t(1) << 63) | ((uint64_t(1) << 52) - 1))) |
                                      exponent << 52));
  }
  return x;
}

TEST(MathF64, Accuracy) {
  for (const Function &function : kFunctions) {
    expectAccurate(function, drawn(-1022, 1023, 300000));
    expectAccurate(function, drawn(-60, 11, 600000));
    expectAccurate(function, drawn(-4, 4, 600000));
  }
}

// Where formulas change, and where results leave the range of normal floats.
TEST(MathF64, AccuracyAtBorders) {
  for (const Function &function : kFunctions)
    for (double border :
         {0x1.62e42fefa39efp+9, 0x1.6232bdd7abcd2p+9, 0.625, 20.0, 40.0, 1.0, 0.70710678118654752,
          0.34657359027997265, 0.5, 0.41421356237309504, 0.29289321881345247, 0.78539816339744831,
          1.5707963267948966, 0x1p-54, 710.0})
      for (double centre : {border, -border}) {
        std::vector<double> x;
        for (uint64_t i = 0; i < 4000; ++i)
          x.push_back(std::bit_cast<double>(std::bit_cast<uint64_t>(centre) - 2000 + i));
        expectAccurate(function, x);
      }
}

// Next to multiples of a quarter turn little is left of an argument, so many of its bits count.
TEST(MathF64, AccuracyNextToQuarterTurns) {
  std::vector<double> x;
  for (int exponent = 0; exponent < 60; ++exponent)
    for (int i = 0; i < 2000; ++i) {
      Exact quarters = std::floor(std::ldexp(1 + Exact(i) / 2000, exponent) / 1.5707963267948966L);
      x.push_back(static_cast<double>(quarters * 1.57079632679489661923L));
    }
  x.push_back(0x1.6ac5b262ca1ffp+849); // the float that is closest for its size
  x.push_back(-0x1.6ac5b262ca1ffp+849);
  for (const Function &function : kFunctions)
    if (function.name == std::string("sin") || function.name == std::string("cos"))
      expectAccurate(function, x);
}

TEST(MathF64, Powers) {
  SplitMix64 random(11);
  std::vector<double> sizes = drawn(-1022, 1023, 300000), near = drawn(-30, -1, 300000), x, y;
  for (double size : sizes)
    x.push_back(std::abs(size));
  for (double by : near)
    x.push_back(1 + by / 2);
  for (double base : x) // so that all sizes of results come
    y.push_back(2.0 * (double(random.below(1 << 20)) / (1 << 19) - 1) * 512 / std::log2(base));
  auto count = static_cast<int64_t>(x.size());
  std::vector<double> powers = valuesOf<double>(
      *callKernel(sluice_kernel_nd_pow_f64, {tensor({count}, x), tensor({count}, y)}));
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_LE(errorInUlps(powers[i], std::pow(Exact(x[i]), Exact(y[i]))), 1)
        << x[i] << " to the power of " << y[i];
}

bool isSame(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

TEST(MathF64, SpecialValues) {
  const std::vector<double> x = {0, -0.0, kInf, -kInf, kNan, -1, 710, -709};
  const std::vector<std::optional<double>> expected[] = {
      {1, 1, kInf, 0, kNan, {}, kInf, 0},      {-kInf, -kInf, kInf, kNan, kNan, kNan, {}, kNan},
      {0, -0.0, 1, -1, kNan, {}, 1, -1},       {0.5, 0.5, 1, 0, kNan, {}, 1, 0},
      {0, -0.0, kInf, -1, kNan, {}, kInf, -1}, {0, -0.0, kInf, kNan, kNan, -kInf, {}, kNan},
      {0, -0.0, kNan, kNan, kNan, {}, {}, {}}, {1, 1, kNan, kNan, kNan, {}, {}, {}},
  };
  for (size_t f = 0; f < std::size(kFunctions); ++f) {
    std::vector<double> y = resultsOf(kFunctions[f].kernel, x);
    for (size_t i = 0; i < x.size(); ++i)
      if (expected[f][i])
        EXPECT_TRUE(isSame(y[i], *expected[f][i]))
            << kFunctions[f].name << " of " << x[i] << " is " << y[i];
  }
  // As the C library has them.
  const std::vector<double> numbers = {0, -0.0,  1,  -1,  2,    -2,    0.5, -0.5,
                                       3, 1e300, -3, 5.5, kInf, -kInf, kNan};
  for (double base : numbers)
    for (double to : numbers) {
      double power = valuesOf<double>(
          *callKernel(sluice_kernel_nd_pow_f64,
                      {tensor({1}, std::vector{base}), tensor({1}, std::vector{to})}))[0];
      double known = std::pow(base, to);
      EXPECT_TRUE(isSame(power, known) || errorInUlps(power, std::pow(Exact(base), Exact(to))) < 1)
          << base << " to the power of " << to << " is " << power;
    }
}

} // namespace
} // namespace sluice::rt
