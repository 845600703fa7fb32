// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The random stream: published test vectors of Philox, and numbers that TensorFlow printed.
#include "runtime/base/philox.h"
#include "runtime/state/variable.h"
#include "test/runtime/kernels/kernel_case.h"

#include <cmath>
#include <cstring>
#include <set>

namespace sluice::rt {
namespace {

TEST(Philox, PublishedVectors) {
  EXPECT_EQ(Philox(0, 0, 0).next(),
            (Philox::Numbers{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox(~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}).next(),
            (Philox::Numbers{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88).next(),
            (Philox::Numbers{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, PositionsFollowEachOther) {
  Philox from0(1, 2, 0), from1(1, 2, 1), last(1, 2, ~uint64_t{0}), wrapped(1, 3, 0);
  from0.next();
  EXPECT_EQ(from0.next(), from1.next());
  last.next();
  EXPECT_EQ(last.next(), wrapped.next());
}

class RandomUniform : public testing::Test {
protected:
  Status draw(const Kernel &kernel, DType dtype, const char *shape, int64_t seed, int64_t seed2,
              Tensor &output) {
    Tensor sizes = tensorOf(shape);
    const Tensor *inputs[] = {&sizes};
    const Attr attrs[] = {caseInt(0), caseInt(seed), caseInt(seed2)};
    return runKernel(kernel, inputs, {&output, 1}, attrs, {&dtype, 1}, &environment_);
  }
  double drawOne(int64_t seed, int64_t seed2) {
    Tensor output;
    EXPECT_TRUE(
        draw(sluice_kernel_state_random_uniform_f32, DType::kF32, "i32[0]", seed, seed2, output)
            .ok());
    ++environment_.call;
    return *output.data<float>();
  }

  Generator generator_;
  Object *resources_[1] = {&generator_};
  Environment environment_{resources_};
};

TEST_F(RandomUniform, IsTensorFlowsStream) {
  // tf.random_uniform([], -10, 10, seed=2), run twice; the graph's seed is the default.
  EXPECT_NEAR(drawOne(87654321, 2) * 20 - 10, 3.57493, 1e-5);
  EXPECT_NEAR(drawOne(87654321, 2) * 20 - 10, -5.97319, 1e-5);
}

TEST_F(RandomUniform, PositionDependsOnFiringOnly) {
  environment_.firing = FiringNumber().inFrame(1);
  double second = drawOne(5, 6);
  Generator other;
  resources_[0] = &other;
  environment_ = {resources_};
  drawOne(5, 6);
  EXPECT_EQ(drawOne(5, 6), second);
}

// Where numbers are, and what makes them of it, say together what one kernel does.
TEST_F(RandomUniform, InTwoSteps) {
  const DType wide = DType::kI64, dtype = DType::kF32;
  const Attr attrs[] = {caseInt(0), caseInt(5), caseInt(6)};
  environment_.firing = FiringNumber().inFrame(2).inFrame(1);
  Generator other;
  for (int call = 0; call < 3; ++call) {
    Tensor whole, position, numbers;
    resources_[0] = &generator_;
    ASSERT_TRUE(
        draw(sluice_kernel_state_random_uniform_f32, dtype, "i32[2] 3 5", 5, 6, whole).ok());
    resources_[0] = &other;
    Tensor sizes = tensorOf("i32[2] 3 5");
    const Tensor *shape[] = {&sizes};
    ASSERT_TRUE(runKernel(sluice_kernel_state_random_position_any, shape, {&position, 1}, attrs,
                          {&wide, 1}, &environment_)
                    .ok());
    const Tensor *inputs[] = {&position, &sizes};
    ASSERT_TRUE(runKernel(sluice_kernel_nd_random_uniform_f32, inputs, {&numbers, 1}, {},
                          {&dtype, 1}, nullptr)
                    .ok());
    EXPECT_EQ(numbers.shape(), whole.shape());
    EXPECT_EQ(std::memcmp(numbers.raw(), whole.raw(), 15 * sizeof(float)), 0);
    ++environment_.call;
  }
  Tensor bad = tensorOf("i64[2] 3 5"), sizes = tensorOf("i32[1] 1"), numbers;
  const Tensor *inputs[] = {&bad, &sizes};
  EXPECT_EQ(runKernel(sluice_kernel_nd_random_uniform_f32, inputs, {&numbers, 1}, {}, {&dtype, 1},
                      nullptr)
                .toString(),
            "INVALID_ARGUMENT: expected a position of shape [3] but got [2]");
}

TEST_F(RandomUniform, OuterLoopsInTheirFirstIterationChangeNothing) {
  double alone = drawOne(5, 6);
  environment_ = {resources_};
  Generator other;
  resources_[0] = &other;
  environment_.firing = FiringNumber().inFrame(0).inFrame(0);
  EXPECT_EQ(drawOne(5, 6), alone);
}

// Also not in the one after as many numbers as fit into a field of 20 bits.
TEST_F(RandomUniform, OuterIterationsDoNotMeet) {
  std::set<double> drawn;
  for (uint64_t outer : {0, 1, 2, 1 << 20})
    for (uint64_t middle : {0, 1, 1 << 20})
      for (uint64_t inner : {0, 1, 1 << 20}) {
        FiringNumber firing = FiringNumber().inFrame(outer).inFrame(middle).inFrame(inner);
        Generator generator;
        resources_[0] = &generator;
        environment_.firing = firing;
        Tensor output;
        ASSERT_TRUE(
            draw(sluice_kernel_state_random_uniform_f64, DType::kF64, "i32[0]", 5, 6, output).ok());
        drawn.insert(*output.data<double>());
      }
  EXPECT_EQ(drawn.size(), 4u * 3 * 3);
}

TEST_F(RandomUniform, Types) {
  Tensor output;
  const struct {
    const Kernel &kernel;
    DType dtype;
    double step; // all numbers are multiples
  } rows[] = {{sluice_kernel_state_random_uniform_f16, DType::kF16, 0x1p-10},
              {sluice_kernel_state_random_uniform_bf16, DType::kBF16, 0x1p-7},
              {sluice_kernel_state_random_uniform_f32, DType::kF32, 0x1p-23},
              {sluice_kernel_state_random_uniform_f64, DType::kF64, 0x1p-52}};
  for (const auto &row : rows) {
    ASSERT_TRUE(draw(row.kernel, row.dtype, "i32[2] 3 5", 1, 2, output).ok());
    EXPECT_EQ(output.shape(), (Shape{3, 5}));
    for (int64_t i = 0; i < 15; ++i) {
      double value = row.dtype == DType::kF16    ? float(output.data<Half>()[i])
                     : row.dtype == DType::kBF16 ? float(output.data<BFloat16>()[i])
                     : row.dtype == DType::kF32  ? output.data<float>()[i]
                                                 : output.data<double>()[i];
      EXPECT_TRUE(value >= 0 && value < 1);
      EXPECT_EQ(value / row.step, static_cast<double>(static_cast<int64_t>(value / row.step)));
    }
  }
  ASSERT_TRUE(draw(rows[2].kernel, DType::kF32, "i32[1] 0", 1, 2, output).ok());
  EXPECT_EQ(output.elements(), 0);
}

TEST_F(RandomUniform, BitsBecomeMantissas) {
  const int64_t seed = (int64_t{7} << 32) + 1;
  Philox philox(static_cast<uint64_t>(seed), 2, 0);
  const Philox::Numbers first = philox.next(), second = philox.next();
  Tensor output;
  ASSERT_TRUE(
      draw(sluice_kernel_state_random_uniform_f64, DType::kF64, "i32[1] 3", seed, 2, output).ok());
  auto wide = [](uint32_t high, uint32_t low) {
    return std::ldexp(static_cast<double>(uint64_t{high & 0xfffffu} << 32 | low), -52);
  };
  EXPECT_EQ(output.data<double>()[0], wide(first[0], first[1]));
  EXPECT_EQ(output.data<double>()[1], wide(first[2], first[3]));
  EXPECT_EQ(output.data<double>()[2], wide(second[0], second[1]));
  const struct {
    const Kernel &kernel;
    DType dtype;
    int bits;
  } rows[] = {{sluice_kernel_state_random_uniform_f16, DType::kF16, 10},
              {sluice_kernel_state_random_uniform_bf16, DType::kBF16, 7},
              {sluice_kernel_state_random_uniform_f32, DType::kF32, 23}};
  for (const auto &row : rows) {
    ASSERT_TRUE(draw(row.kernel, row.dtype, "i32[1] 5", seed, 2, output).ok());
    for (size_t i = 0; i < 5; ++i) {
      float value = row.dtype == DType::kF16    ? float(output.data<Half>()[i])
                    : row.dtype == DType::kBF16 ? float(output.data<BFloat16>()[i])
                                                : output.data<float>()[i];
      uint32_t word = i < 4 ? first[i] : second[0];
      EXPECT_EQ(value, std::ldexp(float(word & ((1u << row.bits) - 1)), -row.bits));
    }
  }
}

TEST_F(RandomUniform, Errors) {
  Tensor output;
  const Kernel &kernel = sluice_kernel_state_random_uniform_f32;
  EXPECT_EQ(draw(kernel, DType::kF32, "i32[1] -1", 1, 2, output).toString(),
            "INVALID_ARGUMENT: Dimension -1 must be >= 0");
  EXPECT_EQ(draw(kernel, DType::kF32, "i32 1", 1, 2, output).toString(),
            "INVALID_ARGUMENT: shape must be a vector, got shape []");
  environment_.resources = {};
  EXPECT_EQ(draw(kernel, DType::kF32, "i32[1] 1", 1, 2, output).code(), Code::kInternal);
}

} // namespace
} // namespace sluice::rt
