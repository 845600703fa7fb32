// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of one f32 against libm's doubles: ten million floats spread over all bit patterns,
// in both modes of denormals.
#include "runtime/base/denormal_mode.h"
#include "runtime/elements/polynomials_f32.h"
#include "test/runtime/kernels/kernel_caller.h"

#include <bit>
#include <cmath>
#include <optional>

namespace sluice::rt {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLeastNormal = std::numeric_limits<float>::min();
constexpr float kLeastDenormal = std::numeric_limits<float>::denorm_min();

struct Function {
  const char *name;
  const Kernel &kernel;
  double (*exact)(double);
  double ulps;
};
const Function kFunctions[] = {
    {"exp", sluice_kernel_nd_exp_f32, [](double x) { return std::exp(x); }, 1},
    {"log", sluice_kernel_nd_log_f32, [](double x) { return std::log(x); }, 1},
    {"tanh", sluice_kernel_nd_tanh_f32, [](double x) { return std::tanh(x); }, 1.5},
    {"sigmoid", sluice_kernel_nd_sigmoid_f32, [](double x) { return 1 / (1 + std::exp(-x)); }, 2.5},
    {"expm1", sluice_kernel_nd_expm1_f32, [](double x) { return std::expm1(x); }, 1.1},
    {"log1p", sluice_kernel_nd_log1p_f32, [](double x) { return std::log1p(x); }, 1},
    {"sin", sluice_kernel_nd_sin_f32, [](double x) { return std::sin(x); }, 1.4},
    {"cos", sluice_kernel_nd_cos_f32, [](double x) { return std::cos(x); }, 1.4},
};

// The distance in units of the exact result's last place; results below normal floats may be zero.
double errorInUlps(float actual, double exact) {
  if (std::isnan(exact))
    return std::isnan(actual) ? 0 : kInf;
  if (actual == static_cast<float>(exact))
    return 0;
  if (std::abs(exact) < kLeastNormal)
    return std::abs(actual) <= kLeastNormal ? 0 : kInf;
  int exponent;
  std::frexp(exact, &exponent);
  return std::abs(actual - exact) / std::ldexp(1.0, exponent - 24);
}

std::vector<float> resultsOf(const Kernel &kernel, const std::vector<float> &x) {
  return valuesOf<float>(*callKernel(kernel, {tensor({static_cast<int64_t>(x.size())}, x)}));
}

// A prime step, so that all exponents and endings of fractions occur.
std::vector<float> floatsFrom(uint32_t first, uint32_t count, uint32_t step) {
  std::vector<float> x;
  for (uint32_t i = 0; i < count; ++i)
    if (float value = std::bit_cast<float>(first + i * step);
        std::fpclassify(value) != FP_SUBNORMAL)
      x.push_back(value);
  return x;
}

void expectAccurate(const Function &function, const std::vector<float> &x) {
  std::vector<float> y = resultsOf(function.kernel, x);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_LE(errorInUlps(y[i], function.exact(static_cast<double>(x[i]))), function.ulps)
        << function.name << " of " << x[i] << " is " << y[i];
}

TEST(MathF32, Accuracy) {
  constexpr uint32_t kStep = 419, kCount = (1u << 31) / kStep;
  for (const Function &function : kFunctions)
    for (uint32_t sign : {0u, 1u << 31})
      expectAccurate(function, floatsFrom(sign, kCount, kStep));
}

// Where formulas change, and where results leave the range of normal floats.
TEST(MathF32, AccuracyAtBorders) {
  for (const Function &function : kFunctions)
    for (float border :
         {88.72283f, 87.33654f, 0.625f, 9.0f, 10.0f, 1.0f, 0.70710678f, 0.34657359f, 0.5f,
          0.41421357f, 0.29289323f, 0.78539819f, 1.5707964f, 18.0f, 2.980232e-8f})
      for (float centre : {border, -border})
        expectAccurate(function, floatsFrom(std::bit_cast<uint32_t>(centre) - 5000, 10000, 1));
}

// Next to multiples of a quarter turn little is left of an argument, so many of its bits count.
TEST(MathF32, AccuracyNextToQuarterTurns) {
  std::vector<float> x;
  for (int exponent = 0; exponent < 128; ++exponent)
    for (int i = 0; i < 2000; ++i) {
      double quarters = std::floor(std::ldexp(1 + i / 2000.0, exponent) / 1.5707963267948966);
      x.push_back(static_cast<float>(quarters * 1.5707963267948966));
    }
  // The floats that are closest for their size.
  for (float closest : {0x1.f37c8ap+95f, 0x1.47d0fep+34f, 0x1.f9cbe2p+7f, 0x1.32ede2p+85f})
    for (float sign : {1.0f, -1.0f})
      x.push_back(sign * closest);
  for (const Function &function : kFunctions)
    if (function.name == std::string("sin") || function.name == std::string("cos"))
      expectAccurate(function, x);
}

TEST(MathF32, SpecialValues) {
  const std::vector<float> x = {0, -0.0f, kInf, -kInf, kNan, 1e30f, -1e30f, 88.73f, -87.33655f, -1};
  const std::vector<float> expected[] = {
      {1, 1, kInf, 0, kNan, kInf, 0, kInf, 0, 0.36787945f},
      {-kInf, -kInf, kInf, kNan, kNan, 69.077553f, kNan, 4.4855985f, kNan, kNan},
      {0, -0.0f, 1, -1, kNan, 1, -1, 1, -1, -0.7615942f},
      {0.5f, 0.5f, 1, 0, kNan, 1, 0, 1, 0, 0.26894143f},
      {0, -0.0f, kInf, -1, kNan, kInf, -1, kInf, -1, -0.63212056f},
      {0, -0.0f, kInf, kNan, kNan, 69.077553f, kNan, 4.49680526f, kNan, -kInf},
      {0, -0.0f, kNan, kNan, kNan, -0.79116344f, 0.79116344f, 0.69283203f, 0.58756511f,
       -0.84147098f},
      {1, 1, kNan, kNan, kNan, -0.61160479f, -0.61160479f, 0.72109901f, 0.80917689f, 0.54030231f},
  };
  for (size_t f = 0; f < std::size(kFunctions); ++f) {
    std::vector<float> y = resultsOf(kFunctions[f].kernel, x);
    for (size_t i = 0; i < x.size(); ++i) {
      if (std::isnan(expected[f][i]))
        EXPECT_TRUE(std::isnan(y[i])) << kFunctions[f].name << " of " << x[i] << " is " << y[i];
      else
        EXPECT_FLOAT_EQ(y[i], expected[f][i]) << kFunctions[f].name << " of " << x[i];
      if (expected[f][i] == 0)
        EXPECT_EQ(std::signbit(y[i]), std::signbit(expected[f][i])) << kFunctions[f].name;
    }
  }
}

TEST(MathF32, DenormalsCountAsZeroInBothModes) {
  for (bool flush : {false, true}) {
    std::optional<FlushDenormals> mode;
    if (flush)
      mode.emplace();
    const std::vector<float> x = {kLeastDenormal, -kLeastDenormal, 1e-38f, -1e-38f};
    EXPECT_EQ(resultsOf(sluice_kernel_nd_exp_f32, x), std::vector<float>(4, 1));
    EXPECT_EQ(resultsOf(sluice_kernel_nd_log_f32, x), std::vector<float>(4, -kInf));
    EXPECT_EQ(resultsOf(sluice_kernel_nd_sigmoid_f32, x), std::vector<float>(4, 0.5f));
    EXPECT_EQ(resultsOf(sluice_kernel_nd_cos_f32, x), std::vector<float>(4, 1));
    for (const Function &function : kFunctions)
      if (function.exact(0) == 0)
        for (float y : resultsOf(function.kernel, x))
          EXPECT_LE(std::abs(y), kLeastNormal) << function.name;
    EXPECT_EQ(resultsOf(sluice_kernel_nd_exp_f32, {-87.34f, -100, -104}), std::vector<float>(3, 0));
    EXPECT_EQ(resultsOf(sluice_kernel_nd_sigmoid_f32, {-87.34f, -100}), std::vector<float>(2, 0));
  }
}

// Bodies of vectorised loops, their tails, and scalars.
TEST(MathF32, EqualBitsAtEveryPosition) {
  std::vector<float> x = floatsFrom(std::bit_cast<uint32_t>(1e-3f), 67, 1234577);
  for (const Function &function : kFunctions) {
    std::vector<float> all = resultsOf(function.kernel, x);
    for (size_t i = 0; i < x.size(); ++i) {
      float scalar;
      const void *operand = &x[i];
      function.kernel.scalar(&operand, &scalar);
      EXPECT_EQ(std::bit_cast<uint32_t>(scalar), std::bit_cast<uint32_t>(all[i])) << function.name;
      std::vector<float> rest(x.begin() + static_cast<ptrdiff_t>(i), x.end());
      EXPECT_EQ(resultsOf(function.kernel, rest).front(), all[i]) << function.name;
    }
  }
}

} // namespace
} // namespace sluice::rt
