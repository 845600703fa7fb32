// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// select and cast.
#include "test/runtime/kernels/kernel_caller.h"

#include <cmath>
#include <limits>

namespace sluice::rt {
namespace {

const std::vector<Attr> kBroadcast = {intAttr(0)}, kLeading = {intAttr(1)};

KernelResult callSelect(const Tensor &cond, const Tensor &x, const Tensor &y,
                        const std::vector<Attr> &attrs) {
  return callKernel(sluice_kernel_nd_select_any, {cond, x, y}, {x.dtype()}, attrs);
}

TEST(Select, Values) {
  auto cond = tensor<bool>({2}, {true, false});
  auto x = ramp<float>({2, 2}, 1), y = ramp<float>({2, 2}, -1, -1);
  using Floats = std::vector<float>;
  EXPECT_EQ(valuesOf<float>(*callSelect(cond, x, y, kBroadcast)), (Floats{1, -2, 3, -4}));
  EXPECT_EQ(valuesOf<float>(*callSelect(cond, x, y, kLeading)), (Floats{1, 2, -3, -4}));
  auto yes = tensor<bool>({}, {true});
  EXPECT_EQ(valuesOf<float>(*callSelect(yes, x, y, kLeading)), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(valuesOf<float>(*callSelect(cond, tensor<float>({}, {7}), tensor<float>({2, 1}, {8, 9}),
                                        kBroadcast)),
            (Floats{7, 8, 7, 9}));
  EXPECT_EQ(valuesOf<std::string>(*callSelect(cond, tensor<std::string>({2}, {"a", "b"}),
                                              tensor<std::string>({2}, {"c", "d"}), kBroadcast)),
            (std::vector<std::string>{"a", "d"}));
  using C128 = std::complex<double>;
  EXPECT_EQ(valuesOf<C128>(*callSelect(cond, tensor<C128>({}, {{1, 2}}), tensor<C128>({}, {{3, 4}}),
                                       kBroadcast)),
            (std::vector<C128>{{1, 2}, {3, 4}}));
  EXPECT_EQ(callSelect(tensor<bool>({0}, {}), tensor<Half>({}, {Half(1)}),
                       tensor<Half>({}, {Half(2)}), kBroadcast)
                ->elements(),
            0);
}

TEST(Select, ShapeRule) {
  struct {
    std::vector<Shape> inputs;
    const std::vector<Attr> &attrs;
    const char *expected;
  } table[] = {
      {{{2, 1}, {3}, {}}, kBroadcast, "[2,3]"},
      {{{-1}, {3}, {}}, kBroadcast, "[3]"},
      {{kAnyShape, {3}, {}}, kBroadcast, "<unknown>"},
      {{{2}, {3}, {4}}, kBroadcast, "condition [2], then [3], and else [4] must be broadcastable"},
      {{kAnyShape, {2, -1}, {-1, 3}}, kLeading, "[2,3]"},
      {{{4}, {-1, 3}, kAnyShape}, kLeading, "[4,3]"},
      {{{4, -1}, {-1, 3}, kAnyShape}, kLeading, "[4,3]"},
      {{{}, kAnyShape, kAnyShape}, kLeading, "<unknown>"},
      {{{}, {2}, {3}},
       kLeading,
       "'then' and 'else' must have the same size.  but received: [2] vs. [3]"},
      {{{3}, {2, 2}, {2, 2}},
       kLeading,
       "Number of batches of 'then' must match size of 'cond', but saw: [2,2] vs. [3]"},
      {{{1}, {}, {}}, kLeading, "'then' must be at least a vector, but saw shape: []"},
      {{{2, 2}, {2, 3}, {2, 3}},
       kLeading,
       "'cond' must be a scalar, a vector or of the shape of 'then', but saw: [2,2] vs. [2,3]"},
  };
  for (auto &row : table)
    EXPECT_EQ(inferShape(sluice_kernel_nd_select_any, row.inputs, row.attrs), row.expected);
}

template <typename To> std::vector<To> castTo(const Kernel &kernel, const Tensor &x) {
  return valuesOf<To>(*callKernel(kernel, {x}, {DTypeOf<To>::value}));
}

// The last numbers that fit, and the first that do not.
TEST(Cast, Saturates) {
  auto doubles = tensor<double>({6}, {127.9, 128, -128.9, -129, 0x1p31, -0x1p31});
  EXPECT_EQ(castTo<int8_t>(sluice_kernel_nd_cast_f64, doubles),
            (std::vector<int8_t>{127, 127, -128, -128, 127, -128}));
  EXPECT_EQ(castTo<int32_t>(sluice_kernel_nd_cast_f64, doubles),
            (std::vector<int32_t>{127, 128, -128, -129, 2147483647, -2147483647 - 1}));
  auto large = tensor<double>({4}, {0x1p63, 0x1p64, -0x1p63, -0.5});
  EXPECT_EQ(castTo<int64_t>(sluice_kernel_nd_cast_f64, large),
            (std::vector<int64_t>{INT64_MAX, INT64_MAX, INT64_MIN, 0}));
  EXPECT_EQ(castTo<uint64_t>(sluice_kernel_nd_cast_f64, large),
            (std::vector<uint64_t>{uint64_t{1} << 63, UINT64_MAX, 0, 0}));
}

TEST(Cast, Values) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  using I32 = std::vector<int32_t>;
  auto floats = tensor<float>({7}, {1.9f, -1.9f, nan, inf, -inf, 3e9f, -0.0f});
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(castTo<int32_t>(sluice_kernel_nd_cast_f32, floats),
            (I32{1, -1, 0, kMax, kMin, kMax, 0}));
  EXPECT_EQ(castTo<uint8_t>(sluice_kernel_nd_cast_f32, floats),
            (std::vector<uint8_t>{1, 0, 0, 255, 0, 255, 0}));
  EXPECT_EQ(castTo<int64_t>(sluice_kernel_nd_cast_f32, floats)[3],
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(castTo<bool>(sluice_kernel_nd_cast_f32, floats),
            (std::vector<bool>{true, true, true, true, true, true, false}));
  auto ints = tensor<int32_t>({3}, {300, -1, 70000});
  EXPECT_EQ(castTo<uint8_t>(sluice_kernel_nd_cast_i32, ints), (std::vector<uint8_t>{44, 255, 112}));
  EXPECT_EQ(castTo<int16_t>(sluice_kernel_nd_cast_i32, ints),
            (std::vector<int16_t>{300, -1, 4464}));
  EXPECT_EQ(castTo<uint64_t>(sluice_kernel_nd_cast_i32, ints)[1], ~0ull);
  EXPECT_EQ(castTo<double>(sluice_kernel_nd_cast_u64, tensor<uint64_t>({}, {~0ull}))[0], 0x1p64);
  auto half =
      castTo<Half>(sluice_kernel_nd_cast_f32, tensor<float>({3}, {1.0005f, 65519.f, 65520.f}));
  EXPECT_EQ(float(half[0]), 1.0009765625f);
  EXPECT_EQ(float(half[1]), 65504.f);
  EXPECT_EQ(float(half[2]), inf);
  EXPECT_EQ(castTo<float>(sluice_kernel_nd_cast_f64, tensor<double>({1}, {1e300}))[0], inf);
  EXPECT_EQ(castTo<int32_t>(sluice_kernel_nd_cast_bool, tensor<bool>({2}, {true, false})),
            (I32{1, 0}));
}

TEST(Cast, ComplexAndBlocks) {
  using C64 = std::complex<float>;
  auto z = tensor<C64>({2}, {{-1.5f, 2}, {0, 3}});
  EXPECT_EQ(castTo<int32_t>(sluice_kernel_nd_cast_c64, z), (std::vector<int32_t>{-1, 0}));
  EXPECT_EQ(castTo<std::complex<double>>(sluice_kernel_nd_cast_c64, z)[0],
            std::complex<double>(-1.5, 2));
  EXPECT_EQ(castTo<C64>(sluice_kernel_nd_cast_bf16, tensor<BFloat16>({}, {BFloat16(2)}))[0],
            C64(2, 0));
  auto many = castTo<int32_t>(sluice_kernel_nd_cast_f32, ramp<float>({10, 100}));
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(many[static_cast<size_t>(i)], i);
  EXPECT_EQ(castTo<float>(sluice_kernel_nd_cast_i64, tensor<int64_t>({0}, {})).size(), 0u);
  EXPECT_EQ(inferShape(sluice_kernel_nd_cast_f32, {{-1, 2}}), "[?,2]");
}

} // namespace
} // namespace sluice::rt
