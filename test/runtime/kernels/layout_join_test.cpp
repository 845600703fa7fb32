// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that put tensors together and take them apart.
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

TEST(JoinKernels, Pack) {
  checkCases(sluice_kernel_nd_pack_any,
             {{{"i32[2] 1 2", "i32[2] 3 4"}, {caseInt(0)}, {"i32[2,2] 1 2 3 4"}},
              {{"i32[2] 1 2", "i32[2] 3 4"}, {caseInt(-1)}, {"i32[2,2] 1 3 2 4"}},
              {{"string a", "string b", "string c"}, {caseInt(0)}, {"string[3] a b c"}},
              {{"c128[1] (1,2)", "c128[1] (3,4)"}, {caseInt(1)}, {"c128[1,2] (1,2) (3,4)"}},
              {{"bool[0]", "bool[0]"}, {caseInt(0)}, {"bool[2,0]"}},
              {{"i32 1", "i32[1] 1"},
               {caseInt(0)},
               {"INVALID_ARGUMENT: Shapes of all inputs must match: values[0].shape = [] != "
                "values[1].shape = [1]"}},
              {{"i32[1] 1"}, {caseInt(2)}, {"INVALID_ARGUMENT: axis = 2 not in [-2, 2)"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_pack_any, {"[?,3]", "[2,?]"}, {}, {caseInt(1)}), "[2,2,3]");
  EXPECT_EQ(inferred(sluice_kernel_nd_pack_any, {"<unknown>"}, {}, {caseInt(1)}), "<unknown>");
  EXPECT_EQ(inferred(sluice_kernel_nd_pack_any, {}, {}, {caseInt(0)}),
            "INVALID_ARGUMENT: expected at least one tensor to pack");
}

TEST(JoinKernels, Unpack) {
  checkCases(sluice_kernel_nd_unpack_any,
             {{{"i32[2,2] 1 2 3 4"}, {caseInt(0)}, {"i32[2] 1 2", "i32[2] 3 4"}},
              {{"i32[2,2] 1 2 3 4"}, {caseInt(-1)}, {"i32[2] 1 3", "i32[2] 2 4"}},
              {{"string[2] a b"}, {caseInt(0)}, {"string a", "string b"}},
              {{"i8[1,0]"}, {caseInt(0)}, {"i8[0]"}},
              {{"i32[3] 1 2 3"},
               {caseInt(0)},
               {"INVALID_ARGUMENT: Input shape axis 0 must equal 2, got shape [3]", ""}},
              {{"i32 3"}, {caseInt(0)}, {"INVALID_ARGUMENT: axis = 0 not in [0, 0)"}}});
}

TEST(JoinKernels, Concat) {
  checkCases(
      sluice_kernel_nd_concat_any,
      {{{"i32[1,2] 1 2", "i32[2,2] 3 4 5 6", "i32 0"}, {}, {"i32[3,2] 1 2 3 4 5 6"}},
       {{"i32[2,1] 1 2", "i32[2,2] 3 4 5 6", "i32 -1"}, {}, {"i32[2,3] 1 3 4 2 5 6"}},
       {{"string[1] a", "string[0]", "string[2] b c", "i64 0"}, {}, {"string[3] a b c"}},
       {{"i32[2,1,2] 1 2 3 4", "i32[2,2,2] 5 6 7 8 9 10 11 12", "i32 1"},
        {},
        {"i32[2,3,2] 1 2 5 6 7 8 3 4 9 10 11 12"}},
       {{"u16[0,3]", "i32 1"}, {}, {"u16[0,3]"}},
       {{"i32[2,3] 1 2 3 4 5 6", "i32[3,2] 1 2 3 4 5 6", "i32 0"},
        {},
        {"INVALID_ARGUMENT: ConcatOp : Dimension 1 in both shapes must be equal: shape[0] = [2,3] "
         "vs. shape[1] = [3,2]"}},
       {{"i32[2] 1 2", "i32[1,2] 1 2", "i32 0"},
        {},
        {"INVALID_ARGUMENT: ConcatOp : Ranks of all input tensors should match: shape[0] = [2] vs. "
         "shape[1] = [1,2]"}},
       {{"i32 1", "i32 2", "i32 0"},
        {},
        {"INVALID_ARGUMENT: ConcatOp : Expected concatenating dimensions in the range [0, 0), but "
         "got 0"}},
       {{"i32[1] 1", "i32[2] 0 0"},
        {},
        {"INVALID_ARGUMENT: Concat dim tensor must be a scalar, but got shape [2]"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_concat_any, {"[?,3]", "<unknown>", ""}, {"", "", "i32 0"}),
            "[?,3]");
  EXPECT_EQ(inferred(sluice_kernel_nd_concat_any, {"<unknown>", "[2,3]", ""}, {"", "", "i32 0"}),
            "[?,3]");
  EXPECT_EQ(inferred(sluice_kernel_nd_concat_any, {"[]", "[1]", "[]"}),
            "INVALID_ARGUMENT: ConcatOp : Ranks of all input tensors should match: shape[0] = [] "
            "vs. shape[1] = [1]");
  EXPECT_EQ(inferred(sluice_kernel_nd_concat_any, {"[]"}),
            "INVALID_ARGUMENT: expected at least one tensor to concatenate");
  EXPECT_EQ(inferred(sluice_kernel_nd_concat_any, {"[2,3]", "[4,?]", ""}, {"", "", "i32 0"}),
            "[6,3]");
  EXPECT_EQ(inferred(sluice_kernel_nd_concat_any, {"[2,3]", "[4,3]", "[]"}), "[?,?]");
  EXPECT_EQ(inferred(sluice_kernel_nd_concat_any, {"[9223372036854775807]", "[1]", ""},
                     {"", "", "i32 0"}),
            "INVALID_ARGUMENT: ConcatOp : sum of sizes along the axis overflows 64 bits");
}

TEST(JoinKernels, Split) {
  checkCases(
      sluice_kernel_nd_split_any,
      {{{"i32[2,2] 1 2 3 4", "i32 1"}, {}, {"i32[2,1] 1 3", "i32[2,1] 2 4"}},
       {{"string[4] a b c d", "i32 -1"}, {}, {"string[2] a b", "string[2] c d"}},
       {{"i32[2,2,2] 1 2 3 4 5 6 7 8", "i32 1"}, {}, {"i32[2,1,2] 1 2 5 6", "i32[2,1,2] 3 4 7 8"}},
       {{"f32[0]", "i32 0"}, {}, {"f32[0]", "f32[0]", "f32[0]"}},
       {{"i32[5] 1 2 3 4 5", "i32 0"},
        {},
        {"INVALID_ARGUMENT: Number of ways to split should evenly divide the split "
         "dimension, but got split_dim 0 (size = 5) and num_split 2",
         ""}},
       {{"i32[2,1] 1 2", "i32 2"},
        {},
        {"INVALID_ARGUMENT: -input rank(-2) <= split_dim < input rank (2), but got 2"}},
       {{"i32[2] 1 2", "i32[2] 0 0"},
        {},
        {"INVALID_ARGUMENT: split_dim must be a scalar, but got shape [2]"}}});
}

TEST(JoinKernels, SplitBySizes) {
  checkCases(
      sluice_kernel_nd_split_v_any,
      {{{"i32[5] 1 2 3 4 5", "i32[3] 1 0 4", "i32 0"},
        {},
        {"i32[1] 1", "i32[0]", "i32[4] 2 3 4 5"}},
       {{"i32[2,3] 1 2 3 4 5 6", "i64[2] -1 1", "i32 -1"},
        {},
        {"i32[2,2] 1 2 4 5", "i32[2,1] 3 6"}},
       {{"i32[2,3,2] 1 2 3 4 5 6 7 8 9 10 11 12", "i32[2] 2 -1", "i32 1"},
        {},
        {"i32[2,2,2] 1 2 3 4 7 8 9 10", "i32[2,1,2] 5 6 11 12"}},
       {{"i32[3] 1 2 3", "i32[2] 1 1", "i32 0"},
        {},
        {"INVALID_ARGUMENT: Determined shape must either match input shape along split_dim exactly "
         "if fully specified, or be less than the size of the input along split_dim if not fully "
         "specified.  Got: 2",
         ""}},
       {{"i32[3] 1 2 3", "i32[2] -1 -1", "i32 0"},
        {},
        {"INVALID_ARGUMENT: There can only be one -1 in the input.", ""}},
       {{"i32[3] 1 2 3", "i32[2] 5 -2", "i32 0"},
        {},
        {"INVALID_ARGUMENT: Split size at index 1 must be >= 0. Got: -2", ""}},
       {{"i32[3] 1 2 3", "i32[2] 4 3", "i32 0"},
        {},
        {"INVALID_ARGUMENT: Determined shape must either match input shape along split_dim exactly "
         "if fully specified, or be less than the size of the input along split_dim if not fully "
         "specified.  Got: 7",
         ""}},
       {{"i32[3] 1 2 3", "i32[1] 3", "i32 0"},
        {},
        {"INVALID_ARGUMENT: size of the split_tensor must be 1-D and have the same elements as "
         "outputs got [1] vs. [2]",
         ""}},
       {{"i32[3] 1 2 3", "i64[2] 9223372036854775807 1", "i32 0"},
        {},
        {"INVALID_ARGUMENT: sum of split sizes overflows 64 bits", ""}}});
}

} // namespace
} // namespace sluice::rt
