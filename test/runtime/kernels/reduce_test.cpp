// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, arg_max and arg_min, scans, l2_loss, top_k.
#include "test/runtime/kernels/kernel_caller.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace sluice::rt {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int32_t>;
using Longs = std::vector<int64_t>;
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");
const std::vector<Attr> kDrop = {intAttr(0)}, kKeep = {intAttr(1)};

Tensor axes(const Ints &values) {
  return tensor<int32_t>({static_cast<int64_t>(values.size())}, values);
}

TEST(Reduce, SmallValues) {
  auto x = tensor<float>({2, 3}, {1, -2, 3, 4, 5, 6});
  struct {
    const Kernel &kernel;
    Ints axes;
    Floats expected;
  } table[] = {
      {sluice_kernel_nd_reduce_sum_f32, {0}, {5, 3, 9}},
      {sluice_kernel_nd_reduce_sum_f32, {1}, {2, 15}},
      {sluice_kernel_nd_reduce_sum_f32, {-1, 0}, {17}},
      {sluice_kernel_nd_reduce_sum_f32, {}, {1, -2, 3, 4, 5, 6}},
      {sluice_kernel_nd_reduce_mean_f32, {0}, {2.5f, 1.5f, 4.5f}},
      {sluice_kernel_nd_reduce_prod_f32, {1}, {-6, 120}},
      {sluice_kernel_nd_reduce_max_f32, {0}, {4, 5, 6}},
      {sluice_kernel_nd_reduce_min_f32, {1}, {-2, 4}},
  };
  for (auto &row : table)
    EXPECT_EQ(valuesOf<float>(*callKernel(row.kernel, {x, axes(row.axes)}, kDrop)), row.expected);
  EXPECT_EQ(callKernel(sluice_kernel_nd_reduce_sum_f32, {x, axes({1})}, kKeep)->shape(),
            (Shape{2, 1}));
  auto scalarAxis = tensor<int64_t>({}, {-1});
  EXPECT_EQ(valuesOf<float>(*callKernel(sluice_kernel_nd_reduce_sum_f32, {x, scalarAxis}, kDrop)),
            (Floats{2, 15}));
  EXPECT_EQ(callKernel(sluice_kernel_nd_reduce_sum_f32, {tensor<float>({}, {3}), axes({})}, kDrop)
                ->data<float>()[0],
            3);
}

// The sum does not fit into the type, but the mean does.
TEST(Reduce, MeansOfIntegersDoNotWrap) {
  EXPECT_EQ(callKernel(sluice_kernel_nd_reduce_mean_i8,
                       {tensor<int8_t>({3}, {-128, -127, -126}), axes({0})}, kDrop)
                ->data<int8_t>()[0],
            -127);
  EXPECT_EQ(callKernel(sluice_kernel_nd_reduce_mean_u32,
                       {tensor<uint32_t>({2}, {0xffffffff, 0xfffffffd}), axes({0})}, kDrop)
                ->data<uint32_t>()[0],
            0xfffffffe);
}

TEST(Reduce, TypesAndNans) {
  EXPECT_EQ(
      valuesOf<int32_t>(*callKernel(sluice_kernel_nd_reduce_mean_i32,
                                    {tensor<int32_t>({2, 2}, {-1, -2, 3, 4}), axes({1})}, kDrop)),
      (Ints{-1, 3}));
  EXPECT_EQ(callKernel(sluice_kernel_nd_reduce_sum_u8,
                       {tensor<uint8_t>({3}, {200, 100, 1}), axes({0})}, kDrop)
                ->data<uint8_t>()[0],
            45);
  auto nans = tensor<float>({3}, {1, kNan, 3});
  for (const Kernel *kernel : {&sluice_kernel_nd_reduce_max_f32, &sluice_kernel_nd_reduce_min_f32,
                               &sluice_kernel_nd_reduce_sum_f32})
    EXPECT_TRUE(std::isnan(callKernel(*kernel, {nans, axes({0})}, kDrop)->data<float>()[0]));
  auto bools = tensor<bool>({2, 2}, {true, false, true, true});
  EXPECT_EQ(
      valuesOf<bool>(*callKernel(sluice_kernel_nd_reduce_all_bool, {bools, axes({0})}, kDrop)),
      (std::vector<bool>{true, false}));
  // Accumulates in float32: in float16 the sum would stick at 2048.
  auto ones = ramp<Half>({4096}, 1, 0);
  EXPECT_EQ(
      float(callKernel(sluice_kernel_nd_reduce_sum_f16, {ones, axes({0})}, kDrop)->data<Half>()[0]),
      4096.f);
}

TEST(Reduce, OfNothing) {
  auto empty = tensor<float>({2, 0}, {});
  struct {
    const Kernel &kernel;
    float expected;
  } table[] = {{sluice_kernel_nd_reduce_max_f32, -kInf},
               {sluice_kernel_nd_reduce_min_f32, kInf},
               {sluice_kernel_nd_reduce_prod_f32, 1},
               {sluice_kernel_nd_reduce_sum_f32, 0}};
  for (auto &row : table)
    EXPECT_EQ(valuesOf<float>(*callKernel(row.kernel, {empty, axes({1})}, kDrop)),
              (Floats{row.expected, row.expected}));
  EXPECT_TRUE(std::isnan(
      callKernel(sluice_kernel_nd_reduce_mean_f32, {empty, axes({1})}, kDrop)->data<float>()[0]));
  EXPECT_EQ(callKernel(sluice_kernel_nd_reduce_sum_f32, {empty, axes({0})}, kDrop)->elements(), 0);
  auto noInts = tensor<int32_t>({0}, {});
  EXPECT_EQ(
      callKernel(sluice_kernel_nd_reduce_max_i32, {noInts, axes({0})}, kDrop)->data<int32_t>()[0],
      std::numeric_limits<int32_t>::min());
  EXPECT_EQ(
      callKernel(sluice_kernel_nd_reduce_mean_i32, {noInts, axes({0})}, kDrop)->data<int32_t>()[0],
      0);
  auto noBools = tensor<bool>({0}, {});
  auto flag = [](const KernelResult &r) { return r->data<bool>()[0]; };
  EXPECT_TRUE(flag(callKernel(sluice_kernel_nd_reduce_all_bool, {noBools, axes({0})}, kDrop)));
  EXPECT_FALSE(flag(callKernel(sluice_kernel_nd_reduce_any_bool, {noBools, axes({0})}, kDrop)));
}

TEST(Reduce, HalfSumOfSquares) {
  EXPECT_EQ(
      callKernel(sluice_kernel_nd_l2_loss_f32, {tensor<float>({2, 1}, {3, 4})})->data<float>()[0],
      12.5f);
  EXPECT_EQ(inferShape(sluice_kernel_nd_l2_loss_f32, {kAnyShape}), "[]");
}

// Sums over every set of axes of many shapes, against a plain loop in int64.
TEST(Reduce, AgreesWithDefinition) {
  const Shape shapes[] = {{5},      {1},         {3000},          {2, 3, 4},     {3, 1, 300},
                          {200, 7}, {300, 2, 9}, {2, 2, 2, 2, 2}, {129, 3, 130}, {1, 1}};
  for (const Shape &shape : shapes) {
    Tensor x = ramp<float>(shape, -7);
    for (int i = 0; i < x.elements(); ++i) // small, so that float sums are exact
      x.data<float>()[i] = static_cast<float>(i * 7 % 23 - 11);
    for (int mask = 0; mask < 1 << shape.rank(); ++mask) {
      Ints which;
      Shape kept;
      for (int d = 0; d < shape.rank(); ++d) {
        if (mask >> d & 1)
          which.push_back(d);
        kept.append(mask >> d & 1 ? 1 : shape.dim(d));
      }
      std::vector<int64_t> expected(static_cast<size_t>(kept.elements()));
      for (int64_t i = 0; i < x.elements(); ++i) {
        int64_t rest = i, index = 0, stride = 1;
        for (int d = shape.rank() - 1; d >= 0; --d) {
          int64_t at = rest % shape.dim(d);
          rest /= shape.dim(d);
          index += kept.dim(d) == 1 ? 0 : at * stride;
          stride *= kept.dim(d);
        }
        expected[static_cast<size_t>(index)] += static_cast<int64_t>(x.data<float>()[i]);
      }
      auto result = callKernel(sluice_kernel_nd_reduce_sum_f32, {x, axes(which)}, kKeep);
      ASSERT_EQ(result->shape(), kept);
      for (size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(result->data<float>()[i], static_cast<float>(expected[i]))
            << shape.toString() << " mask " << mask << " at " << i;
    }
  }
}

// A running float32 sum of 2^22 values of 0.1 is off by more than a percent.
TEST(Reduce, RoundingErrorsStaySmall) {
  constexpr int64_t kCount = 1 << 22;
  for (Shape shape : {Shape{kCount, 1}, Shape{kCount / 2, 2}}) {
    Tensor x = ramp<float>(shape, 0.1, 0);
    auto sum = callKernel(sluice_kernel_nd_reduce_sum_f32, {x, axes({0})}, kDrop);
    double exact = static_cast<double>(0.1f) * static_cast<double>(shape.dim(0));
    EXPECT_NEAR(sum->data<float>()[0] / exact, 1, 2e-6) << shape.toString();
  }
}

TEST(Reduce, ShapeRuleAndErrors) {
  auto one = axes({1}), two = axes({2}), twice = axes({0, -2}), matrix = ramp<int32_t>({1, 1});
  const Kernel &sum = sluice_kernel_nd_reduce_sum_f32;
  struct {
    Shape x, axes;
    const Tensor *value;
    const std::vector<Attr> &attrs;
    const char *expected;
  } table[] = {
      {{2, -1}, {1}, &one, kDrop, "[2]"},
      {{-1, 3}, {1}, &one, kKeep, "[?,1]"},
      {{2, 3}, {1}, nullptr, kDrop, "[?]"},
      {{2, 3}, {}, nullptr, kDrop, "[?]"},
      {{2, 3}, {0}, nullptr, kDrop, "[2,3]"},
      {{2, 3}, {-1}, nullptr, kDrop, "<unknown>"},
      {{2, 3}, kAnyShape, nullptr, kKeep, "[?,?]"},
      {{2, 3}, kAnyShape, nullptr, kDrop, "<unknown>"},
      {kAnyShape, {1}, &one, kDrop, "<unknown>"},
      {{2, 3}, {1}, &two, kDrop, "Invalid reduction dimension (2 for input with 2 dimension(s)"},
      {{2, 3},
       {2},
       &twice,
       kDrop,
       "Invalid reduction arguments: Axes contains duplicate dimension: 0"},
      {{2, 3},
       {1, 1},
       &matrix,
       kDrop,
       "Expected reduction axes of rank 0 or 1 but got shape [1,1]"},
  };
  for (auto &row : table)
    EXPECT_EQ(inferShape(sum, {row.x, row.axes}, row.attrs, {nullptr, row.value}), row.expected);
  EXPECT_EQ(errorOf(callKernel(sum, {ramp<float>({2, 3}), two}, kDrop)),
            "Invalid reduction dimension (2 for input with 2 dimension(s)");
}

TEST(ArgReduce, Values) {
  auto x = tensor<float>({2, 3}, {1, 3, 3, 0, -0.0f, 0});
  auto axis = [](int32_t i) { return tensor<int32_t>({}, {i}); };
  EXPECT_EQ(
      valuesOf<int64_t>(*callKernel(sluice_kernel_nd_arg_max_f32, {x, axis(1)}, {DType::kI64})),
      (Longs{1, 0}));
  EXPECT_EQ(
      valuesOf<int32_t>(*callKernel(sluice_kernel_nd_arg_min_f32, {x, axis(-2)}, {DType::kI32})),
      (Ints{1, 1, 1}));
  auto nans = tensor<float>({2, 3}, {kNan, -5, 2, kNan, kNan, kNan});
  EXPECT_EQ(
      valuesOf<int64_t>(*callKernel(sluice_kernel_nd_arg_max_f32, {nans, axis(1)}, {DType::kI64})),
      (Longs{2, 0}));
  EXPECT_EQ(callKernel(sluice_kernel_nd_arg_min_u16,
                       {tensor<uint16_t>({3}, {7, 65535, 0}), axis(0)}, {DType::kI64})
                ->data<int64_t>()[0],
            2);
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_arg_max_f32, {x, axis(2)}, {DType::kI64})),
            "Expected dimension in the range [-2, 2), but got 2");
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_arg_max_f32, {tensor<float>({2, 0}, {}), axis(1)},
                               {DType::kI64})),
            "Reduction axis 1 is empty in shape [2,0]");
  EXPECT_EQ(
      callKernel(sluice_kernel_nd_arg_max_f32, {tensor<float>({2, 0}, {}), axis(0)}, {DType::kI64})
          ->elements(),
      0);
  EXPECT_EQ(inferShape(sluice_kernel_nd_arg_max_f32, {{2, 3}, {}}), "[?]");
  EXPECT_EQ(inferShape(sluice_kernel_nd_arg_max_f32, {kAnyShape, {}}), "<unknown>");
}

TEST(Scan, Values) {
  auto x = tensor<float>({3}, {1, 2, 3});
  auto axis = tensor<int32_t>({}, {0});
  struct {
    const Kernel &kernel;
    int exclusive, reverse;
    Floats expected;
  } table[] = {
      {sluice_kernel_nd_cumsum_f32, 0, 0, {1, 3, 6}},
      {sluice_kernel_nd_cumsum_f32, 1, 0, {0, 1, 3}},
      {sluice_kernel_nd_cumsum_f32, 0, 1, {6, 5, 3}},
      {sluice_kernel_nd_cumsum_f32, 1, 1, {5, 3, 0}},
      {sluice_kernel_nd_cumprod_f32, 0, 1, {6, 6, 3}},
      {sluice_kernel_nd_cumprod_f32, 1, 0, {1, 1, 2}},
  };
  for (auto &row : table)
    EXPECT_EQ(valuesOf<float>(*callKernel(row.kernel, {x, axis},
                                          {intAttr(row.exclusive), intAttr(row.reverse)})),
              row.expected);
  const std::vector<Attr> plain = {intAttr(0), intAttr(0)};
  auto cube = ramp<int32_t>({2, 2, 2}, 1);
  EXPECT_EQ(valuesOf<int32_t>(
                *callKernel(sluice_kernel_nd_cumsum_i32, {cube, tensor<int64_t>({}, {-2})}, plain)),
            (Ints{1, 2, 4, 6, 5, 6, 12, 14}));
  EXPECT_EQ(valuesOf<int32_t>(*callKernel(sluice_kernel_nd_cumsum_i32,
                                          {cube, tensor<int64_t>({}, {-3})},
                                          {intAttr(0), intAttr(1)})),
            (Ints{6, 8, 10, 12, 5, 6, 7, 8}));
  EXPECT_EQ(valuesOf<int32_t>(*callKernel(sluice_kernel_nd_cumsum_i32,
                                          {cube, tensor<int64_t>({}, {1})},
                                          {intAttr(1), intAttr(1)})),
            (Ints{3, 4, 0, 0, 7, 8, 0, 0}));
  auto outside = tensor<int32_t>({}, {-2});
  EXPECT_EQ(inferShape(sluice_kernel_nd_cumsum_f32, {{-1}, {}}, plain, {nullptr, &outside}),
            "ScanOp: Expected scan axis in the range [-1, 1), but got -2");
  EXPECT_EQ(valuesOf<int8_t>(*callKernel(sluice_kernel_nd_cumsum_i8,
                                         {tensor<int8_t>({2}, {127, 1}), axis}, plain)),
            (std::vector<int8_t>{127, -128}));
  EXPECT_EQ(
      callKernel(sluice_kernel_nd_cumsum_f32, {tensor<float>({0, 2}, {}), axis}, plain)->elements(),
      0);
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_cumsum_f32, {x, tensor<int32_t>({}, {1})}, plain)),
            "ScanOp: Expected scan axis in the range [-1, 1), but got 1");
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_cumsum_f32, {x, tensor<int32_t>({1}, {0})}, plain)),
            "ScanOp: axis must be a scalar, not [1]");
  EXPECT_EQ(inferShape(sluice_kernel_nd_cumsum_f32, {{-1, 2}, {}}, plain), "[?,2]");
}

TEST(TopK, Values) {
  const std::vector<DType> types = {DType::kF32, DType::kI32};
  auto k = [](int32_t count) { return tensor<int32_t>({}, {count}); };
  auto result =
      callKernel(sluice_kernel_nd_top_k_f32, {tensor<float>({5}, {1, 3, 3, 2, 3}), k(3)}, types);
  EXPECT_EQ(valuesOf<float>(result.outputs[0]), (Floats{3, 3, 3}));
  EXPECT_EQ(valuesOf<int32_t>(result.outputs[1]), (Ints{1, 2, 4}));
  result = callKernel(sluice_kernel_nd_top_k_f32,
                      {tensor<float>({2, 3}, {-kInf, -1, -2, 0, -0.0f, kNan}), k(2)}, types);
  EXPECT_EQ(valuesOf<int32_t>(result.outputs[1]), (Ints{1, 2, 2, 0}));
  result = callKernel(sluice_kernel_nd_top_k_i8, {tensor<int8_t>({3}, {-128, 127, 0}), k(3)},
                      {DType::kI8, DType::kI64});
  EXPECT_EQ(valuesOf<int8_t>(result.outputs[0]), (std::vector<int8_t>{127, 0, -128}));
  EXPECT_EQ(valuesOf<int64_t>(result.outputs[1]), (Longs{1, 2, 0}));
  result = callKernel(sluice_kernel_nd_top_k_u64, {tensor<uint64_t>({2}, {1, ~0ull}), k(1)},
                      {DType::kU64, DType::kI32});
  EXPECT_EQ(result->data<uint64_t>()[0], ~0ull);
  result = callKernel(sluice_kernel_nd_top_k_i64,
                      {tensor<int64_t>({2, 3}, {-1, 5, INT64_MIN, 9, 7, 8}), k(2)},
                      {DType::kI64, DType::kI32});
  EXPECT_EQ(valuesOf<int64_t>(result.outputs[0]), (Longs{5, -1, 9, 8}));
  // A NaN of either sign is the largest, and zeros are equal.
  result = callKernel(sluice_kernel_nd_top_k_f32,
                      {tensor<float>({2, 2}, {kInf, std::copysign(kNan, -1.f), -0.0f, 0}), k(1)},
                      types);
  EXPECT_EQ(valuesOf<int32_t>(result.outputs[1]), (Ints{1, 0}));
  EXPECT_EQ(callKernel(sluice_kernel_nd_top_k_f32, {ramp<float>({2, 3}), k(0)}, types)->shape(),
            (Shape{2, 0}));
  auto vector = ramp<float>({2});
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_top_k_f32, {vector, k(3)}, types)),
            "input must have at least k columns. Had 2, needed 3");
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_top_k_f32, {vector, ramp<int32_t>({1})}, types)),
            "k must be scalar, got shape [1]");
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_top_k_f32, {vector, k(-1)}, types)),
            "Need k >= 0, got -1");
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_top_k_f32, {ramp<float>({}), k(0)}, types)),
            "input must be >= 1-D, got shape []");
  EXPECT_EQ(inferShape(sluice_kernel_nd_top_k_f32, {{-1, 3}, {}}), "[?,?]");
  auto one = k(1);
  EXPECT_EQ(inferShape(sluice_kernel_nd_top_k_f32, {{0}, {}}, {}, {nullptr, &one}),
            "input must have at least k columns. Had 0, needed 1");
  EXPECT_EQ(inferShape(sluice_kernel_nd_top_k_f32, {kAnyShape, {}}, {}, {nullptr, &one}),
            "<unknown>");
  EXPECT_EQ(inferShape(sluice_kernel_nd_top_k_f32, {kAnyShape, {}}), "<unknown>");
}

} // namespace
} // namespace sluice::rt
