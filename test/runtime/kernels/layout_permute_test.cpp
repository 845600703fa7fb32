// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that reorder or repeat dims, and those that make elements from few values.
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

TEST(PermuteKernels, Transpose) {
  const Attr plain = caseInt(0), conjugate = caseInt(1);
  checkCases(
      sluice_kernel_nd_transpose_any,
      {{{"i32[2,3] 1 2 3 4 5 6", "i32[2] 1 0"}, {plain}, {"i32[3,2] 1 4 2 5 3 6"}},
       {{"u8[2,1,3] 1 2 3 4 5 6", "i64[3] 2 0 1"}, {plain}, {"u8[3,2,1] 1 4 2 5 3 6"}},
       {{"string[1,2] a b", "i32[2] -1 -2"}, {plain}, {"string[2,1] a b"}},
       {{"f32 3", "i32[0]"}, {plain}, {"f32 3"}},
       {{"f32[0,2]", "i32[2] 1 0"}, {plain}, {"f32[2,0]"}},
       {{"c64[1,2] (1,2) (3,4)", "i32[2] 1 0"}, {conjugate}, {"c64[2,1] (1,-2) (3,-4)"}},
       {{"c64[1,2] (1,2) (3,4)", "i32[2] 1 0"}, {plain}, {"c64[2,1] (1,2) (3,4)"}},
       {{"c128[1,2] (1,2) (3,4)", "i32[2] 1 0"}, {conjugate}, {"c128[2,1] (1,-2) (3,-4)"}},
       {{"c128[1,2] (1,2) (3,4)", "i32[2] 1 0"}, {plain}, {"c128[2,1] (1,2) (3,4)"}},
       {{"i32[1] 7", "i32[1] 0"}, {plain}, {"i32[1] 7"}},
       {{"i32[2,2] 1 2 3 4", "i32[2] 1 1"},
        {plain},
        {"INVALID_ARGUMENT: 0 is missing from {1,1}."}},
       {{"i32[2,2] 1 2 3 4", "i32[2] 0 4"},
        {plain},
        {"INVALID_ARGUMENT: 4 is out of range [0 .. 2)"}},
       {{"i32[2,2] 1 2 3 4", "i32[3] 0 1 2"},
        {plain},
        {"INVALID_ARGUMENT: transpose expects a vector of size 2. But input(1) is a vector of size "
         "3"}},
       {{"i32[1] 1", "i32 0"}, {plain}, {"INVALID_ARGUMENT: perm must be rank 1, got shape []"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_transpose_any, {"[2,?]", ""}, {"", "i32[2] 1 0"}, {plain}),
            "[?,2]");
  EXPECT_EQ(inferred(sluice_kernel_nd_transpose_any, {"[2,3]", "[?]"}, {}, {plain}), "[?,?]");
}

TEST(PermuteKernels, Tile) {
  checkCases(
      sluice_kernel_nd_tile_any,
      {{{"i32[2,2] 1 2 3 4", "i32[2] 2 1"}, {}, {"i32[4,2] 1 2 3 4 1 2 3 4"}},
       {{"i32[2,2] 1 2 3 4", "i64[2] 1 2"}, {}, {"i32[2,4] 1 2 1 2 3 4 3 4"}},
       {{"string[1] a", "i32[1] 3"}, {}, {"string[3] a a a"}},
       {{"i32[2] 1 2", "i32[1] 0"}, {}, {"i32[0]"}},
       {{"i32 1", "i32[0]"}, {}, {"i32 1"}},
       {{"i32[1] 1", "i32[1] -1"},
        {},
        {"INVALID_ARGUMENT: Expected multiples[0] >= 0, but got -1"}},
       {{"i32[1] 1", "i32[2] 1 1"},
        {},
        {"INVALID_ARGUMENT: Expected multiples argument to be a vector of length 1 but got length "
         "2"}},
       {{"i32[1] 1", "i32 1"},
        {},
        {"INVALID_ARGUMENT: Expected multiples to be 1-D, but got shape []"}},
       {{"i32[2] 1 2", "i64[1] 9223372036854775807"},
        {},
        {"INVALID_ARGUMENT: dim 0 of the tiled tensor overflows 64 bits"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_tile_any, {"[?,?]", ""}, {"", "i32[2] 0 2"}), "[0,?]");
  EXPECT_EQ(inferred(sluice_kernel_nd_tile_any, {"[2,3]", "[?]"}), "[?,?]");
}

TEST(PermuteKernels, Reverse) {
  checkCases(
      sluice_kernel_nd_reverse_any,
      {{{"i32[2,2] 1 2 3 4", "i32[1] 0"}, {}, {"i32[2,2] 3 4 1 2"}},
       {{"i32[2,2] 1 2 3 4", "i64[2] -1 0"}, {}, {"i32[2,2] 4 3 2 1"}},
       {{"string[2] a b", "i32[0]"}, {}, {"string[2] a b"}},
       {{"i32[1] 7", "i32[1] 0"}, {}, {"i32[1] 7"}},
       {{"i32[0]", "i32[1] 0"}, {}, {"i32[0]"}},
       {{"i32[1] 1", "i32[1] 5"},
        {},
        {"INVALID_ARGUMENT: 'axis'[0] = 5 is out of valid range [0, 1)"}},
       {{"i32[1] 1", "i32[2] 0 -1"}, {}, {"INVALID_ARGUMENT: axis 0 specified more than once."}},
       {{"i32[1] 1", "i32 0"}, {}, {"INVALID_ARGUMENT: 'dims' must be 1-dimension, not []"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_reverse_any, {"[?]", ""}, {"", "i32[1] 1"}),
            "INVALID_ARGUMENT: 'axis'[0] = 1 is out of valid range [0, 1)");
}

TEST(FillKernels, Fill) {
  const std::vector<DType> f32 = {DType::kF32}, text = {DType::kString};
  checkCases(
      sluice_kernel_nd_fill_any,
      {{{"i32[2] 2 2", "f32 1.5"}, {}, {"f32[2,2] 1.5 1.5 1.5 1.5"}, f32},
       {{"i64[1] 2", "string a"}, {}, {"string[2] a a"}, text},
       {{"i32[0]", "f32 2"}, {}, {"f32 2"}, f32},
       {{"i32[2] 0 3", "f32 2"}, {}, {"f32[0,3]"}, f32},
       {{"i32[1] -1", "f32 2"}, {}, {"INVALID_ARGUMENT: Dimension -1 must be >= 0"}, f32},
       {{"i32 2", "f32 2"}, {}, {"INVALID_ARGUMENT: dims must be a vector, got shape []"}, f32},
       {{"i32[1] 2", "f32[1] 2"},
        {},
        {"INVALID_ARGUMENT: value must be a scalar, got shape [1]"},
        f32},
       {{"i64[3] 4294967296 4294967296 2", "f32 2"},
        {},
        {"INVALID_ARGUMENT: element count of shape [4294967296,4294967296,2] overflows 64 bits"},
        f32}});
}

TEST(FillKernels, Pad) {
  checkCases(
      sluice_kernel_nd_pad_any,
      {{{"i32[2] 1 2", "i32[1,2] 1 2", "i32 9"}, {}, {"i32[5] 9 1 2 9 9"}},
       {{"i32[1,2] 1 2", "i64[2,2] 0 1 1 0", "i32 0"}, {}, {"i32[2,3] 0 1 2 0 0 0"}},
       {{"i32[1,2] 1 2", "i32[2,2] 1 0 2 1", "i32 9"}, {}, {"i32[2,5] 9 9 9 9 9 9 9 1 2 9"}},
       {{"string[1] a", "i32[1,2] 1 0", "string z"}, {}, {"string[2] z a"}},
       {{"i32[0]", "i32[1,2] 1 1", "i32 7"}, {}, {"i32[2] 7 7"}},
       {{"f32 3", "i32[0,2]", "f32 0"}, {}, {"f32 3"}},
       {{"i32[1] 1", "i32[1,2] -1 2", "i32 0"},
        {},
        {"INVALID_ARGUMENT: Paddings must be non-negative: -1 2"}},
       {{"i32[1] 1", "i32[2,2] 1 1 1 1", "i32 0"},
        {},
        {"INVALID_ARGUMENT: The first dimension of paddings must be the rank of inputs[2,2] [1]"}},
       {{"i32[1] 1", "i32[1,1] 1", "i32 0"},
        {},
        {"INVALID_ARGUMENT: paddings must be a matrix with 2 columns: [1,1]"}},
       {{"i32[1] 1", "i32[1,2] 1 1", "i32[2] 0 0"},
        {},
        {"INVALID_ARGUMENT: constant_values must be a scalar, but got shape [2]"}},
       {{"i32[1] 1", "i64[1,2] 1 9223372036854775807", "i32 0"},
        {},
        {"INVALID_ARGUMENT: dim 0 of the padded tensor overflows 64 bits"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_pad_any, {"[?,2]", "", "[]"}, {"", "i32[2,2] 1 0 2 1"}),
            "[?,5]");
  EXPECT_EQ(inferred(sluice_kernel_nd_pad_any, {"[?]", "[?,0]", "[]"}),
            "INVALID_ARGUMENT: paddings must be a matrix with 2 columns: [?,0]");
}

TEST(FillKernels, Range) {
  checkCases(sluice_kernel_nd_range_i32,
             {{{"i32 0", "i32 5", "i32 2"}, {}, {"i32[3] 0 2 4"}},
              {{"i32 5", "i32 0", "i32 -2"}, {}, {"i32[3] 5 3 1"}},
              {{"i32 2", "i32 2", "i32 1"}, {}, {"i32[0]"}},
              {{"i32 2", "i32 2", "i32 -1"}, {}, {"i32[0]"}},
              {{"i32 5", "i32 2", "i32 -2"}, {}, {"i32[2] 5 3"}},
              {{"i32 0", "i32 5", "i32 0"}, {}, {"INVALID_ARGUMENT: Requires delta != 0: 0"}},
              {{"i32 1", "i32 0", "i32 1"},
               {},
               {"INVALID_ARGUMENT: Requires start <= limit when delta > 0: 1/0"}},
              {{"i32 0", "i32 5", "i32 -1"},
               {},
               {"INVALID_ARGUMENT: Requires start >= limit when delta < 0: 0/5"}},
              {{"i32[2] 1 2", "i32 0", "i32 1"},
               {},
               {"INVALID_ARGUMENT: start must be a scalar, but got shape [2]"}}});
  checkCases(sluice_kernel_nd_range_f32,
             {{{"f32 0", "f32 1", "f32 0.3"}, {}, {"f32[4] 0 0.3 0.6 0.900000036"}},
              {{"f32 1", "f32 2", "f32 0.5"}, {}, {"f32[2] 1 1.5"}},
              {{"f32 0", "f32 inf", "f32 1"},
               {},
               {"INVALID_ARGUMENT: Requires ((limit - start) / delta) <= 9223372036854775807"}},
              {{"f32 0", "f32 1", "f32 nan"},
               {},
               {"INVALID_ARGUMENT: Requires ((limit - start) / delta) <= 9223372036854775807"}}});
  checkCases(sluice_kernel_nd_range_i8,
             {{{"i8 -128", "i8 127", "i8 100"}, {}, {"i8[3] -128 -28 72"}}});
  checkCases(sluice_kernel_nd_range_f16,
             {{{"f16 0", "f16 2", "f16 0.5"}, {}, {"f16[4] 0 0.5 1 1.5"}}});
  checkCases(sluice_kernel_nd_range_i64,
             {{{"i64 -9223372036854775808", "i64 9223372036854775807", "i64 9223372036854775807"},
               {},
               {"i64[3] -9223372036854775808 -1 9223372036854775806"}},
              {{"i64 -9223372036854775808", "i64 9223372036854775807", "i64 1"},
               {},
               {"INVALID_ARGUMENT: Requires ((limit - start) / delta) <= 9223372036854775807"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_range_i32, {"[]", "", "[]"}, {"", "i32 3", ""}), "[?]");
}

} // namespace
} // namespace sluice::rt
