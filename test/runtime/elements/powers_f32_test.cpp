// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow of f32 against libm's doubles: families of pairs whose powers are finite, all pairs of
// special values, in both modes of denormals.
#include "runtime/base/denormal_mode.h"
#include "test/runtime/kernels/kernel_caller.h"

#include <bit>
#include <cmath>
#include <optional>
#include <random>

namespace sluice::rt {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLeastNormal = std::numeric_limits<float>::min();
constexpr float kGreatest = std::numeric_limits<float>::max();

Tensor vectorOf(const std::vector<float> &x) { return tensor({static_cast<int64_t>(x.size())}, x); }
std::vector<float> powersOf(const std::vector<float> &x, const std::vector<float> &y) {
  return valuesOf<float>(*callKernel(sluice_kernel_nd_pow_f32, {vectorOf(x), vectorOf(y)}));
}

uint32_t bitsOf(float x) { return std::bit_cast<uint32_t>(x); }
float flushed(float x) { return std::abs(x) < kLeastNormal ? std::copysign(0.0f, x) : x; }

// The exact power where no denormals are, neither as operands nor as the result.
double exactPower(float x, float y) {
  double power = std::pow(static_cast<double>(flushed(x)), static_cast<double>(flushed(y)));
  return std::abs(power) < static_cast<double>(kLeastNormal) ? std::copysign(0, power) : power;
}

// In units of the exact result's last place. Next to the least normal float either is right.
double errorInUlps(float actual, double exact) {
  const float nearest = static_cast<float>(exact);
  if (std::isnan(nearest) || actual == nearest)
    return std::isnan(nearest) != std::isnan(actual);
  if (std::abs(exact) <= static_cast<double>(kLeastNormal))
    return std::abs(actual) <= kLeastNormal ? 0 : static_cast<double>(kInf);
  int exponent;
  std::frexp(exact, &exponent);
  return std::abs(static_cast<double>(actual) - exact) / std::ldexp(1.0, exponent - 24);
}

class PowF32 : public ::testing::Test {
protected:
  static constexpr int kPairs = 200000;

  float between(double low, double high) {
    return static_cast<float>(std::uniform_real_distribution<double>(low, high)(random_));
  }
  int integerBetween(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random_);
  }
  float anyNormal() {
    for (;;)
      if (float x = std::bit_cast<float>(static_cast<uint32_t>(random_())); std::isnormal(x))
        return x;
  }
  // An exponent for which the power is anywhere in the range of floats.
  float exponentFor(float x, double lowest = -126, double highest = 128) {
    return static_cast<float>(between(lowest, highest) / std::log2(std::abs(double{x})));
  }
  template <typename Draw> void expectAccurate(const Draw &draw) {
    std::vector<float> x(kPairs), y(kPairs);
    for (int i = 0; i < kPairs; ++i)
      std::tie(x[i], y[i]) = draw();
    std::vector<float> power = powersOf(x, y);
    for (int i = 0; i < kPairs; ++i)
      ASSERT_LE(errorInUlps(power[i], exactPower(x[i], y[i])), 0.95)
          << x[i] << " to the power of " << y[i] << " is " << power[i];
  }
  using Pair = std::pair<float, float>;

private:
  std::mt19937 random_{7};
};

// Models ask for squares and cubes; where what the square loses is a denormal, cubes have up to 1.
TEST_F(PowF32, SquaresAndCubes) {
  std::vector<float> x(kPairs), y(kPairs);
  for (int i = 0; i < kPairs; ++i) {
    x[i] = std::ldexp(between(-2, 2), integerBetween(-32, 40));
    y[i] = i % 2 ? 2.0f : 3.0f;
  }
  std::vector<float> power = powersOf(x, y);
  for (int i = 0; i < kPairs; ++i) {
    ASSERT_LE(errorInUlps(power[i], exactPower(x[i], y[i])), 0.501)
        << x[i] << " to the power of " << y[i];
  }
}

TEST_F(PowF32, AccuracyOfAnyBase) {
  expectAccurate([&] {
    float x = std::abs(anyNormal());
    return Pair{x, exponentFor(x)};
  });
}

TEST_F(PowF32, AccuracyNextToOne) {
  expectAccurate([&] {
    float x = 1 + std::ldexp(between(-1, 1), -integerBetween(1, 23));
    return Pair{x, exponentFor(x)};
  });
}

TEST_F(PowF32, AccuracyOfUsualPairs) {
  expectAccurate([&] { return Pair{between(0, 4), between(-20, 20)}; });
  expectAccurate([&] { return Pair{between(-4, 4), integerBetween(-60, 60)}; });
  expectAccurate([&] { return Pair{between(0, 1000), integerBetween(-20, 20) / 2.0f}; });
}

TEST_F(PowF32, AccuracyAtTheEndsOfTheRange) {
  for (double end : {-126, 128})
    expectAccurate([&] {
      float x = std::abs(anyNormal());
      return Pair{x, exponentFor(x, end - 1e-3, end + 1e-3)};
    });
}

TEST_F(PowF32, PowersThatAreFloatsAreExact) {
  for (int base = -4096; base <= 4096; ++base)
    for (int exponent = 0; exponent < 25; ++exponent)
      if (double power = std::pow(base, exponent); std::abs(power) <= 1 << 24)
        ASSERT_EQ(powersOf({static_cast<float>(base)}, {static_cast<float>(exponent)})[0], power)
            << base << " to the power of " << exponent;
  for (int i = 0; i < 100000; ++i)
    if (float x = anyNormal(); powersOf({x}, {1})[0] != x)
      FAIL() << x;
}

TEST_F(PowF32, SpecialValues) {
  const std::vector<float> values = {0,
                                     -0.0f,
                                     1,
                                     -1,
                                     kInf,
                                     -kInf,
                                     kNan,
                                     2,
                                     -2,
                                     3,
                                     -3,
                                     0.5f,
                                     -0.5f,
                                     2.5f,
                                     1e-40f,
                                     -1e-40f,
                                     kGreatest,
                                     -kGreatest,
                                     kLeastNormal,
                                     -kLeastNormal,
                                     0x1p23f,
                                     0x1p24f,
                                     16777215,
                                     -16777215,
                                     0x1.000002p0f,
                                     -0x1.fffffep-1f};
  for (bool flush : {false, true}) {
    std::optional<FlushDenormals> mode;
    if (flush)
      mode.emplace();
    for (float x : values)
      for (float y : values) {
        float power = powersOf({x}, {y})[0];
        double exact = exactPower(x, y);
        EXPECT_LE(errorInUlps(power, exact), 0.95) << x << " to the power of " << y;
        if (!std::isnan(exact))
          EXPECT_EQ(std::signbit(power), std::signbit(exact)) << x << " to the power of " << y;
      }
  }
}

// Bodies of vectorised loops and their tails, scalars, and one number to many others.
TEST_F(PowF32, EqualBitsAtEveryPosition) {
  std::vector<float> x, y;
  for (int i = 0; i < 67; ++i) {
    x.push_back(std::abs(anyNormal()));
    y.push_back(exponentFor(x.back()));
  }
  std::vector<float> all = powersOf(x, y);
  for (size_t i = 0; i < x.size(); ++i) {
    float scalar;
    const void *operands[] = {&x[i], &y[i]};
    sluice_kernel_nd_pow_f32.scalar(operands, &scalar);
    EXPECT_EQ(bitsOf(scalar), bitsOf(all[i]));
    auto begin = static_cast<ptrdiff_t>(i);
    EXPECT_EQ(bitsOf(powersOf({x.begin() + begin, x.end()}, {y.begin() + begin, y.end()})[0]),
              bitsOf(all[i]));
    EXPECT_EQ(bitsOf(powersOf(x, {y[i]})[i]), bitsOf(all[i]));
    EXPECT_EQ(bitsOf(powersOf({x[i]}, y)[i]), bitsOf(all[i]));
  }
}

} // namespace
} // namespace sluice::rt
