// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that address elements by index.
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

const std::string kMatrix = "i32[2,3] 1 2 3 4 5 6";

TEST(IndexKernels, Gather) {
  const Attr none = caseInt(0);
  checkCases(sluice_kernel_nd_gather_any,
             {{{kMatrix, "i32[2] 1 0", "i32 0"}, {none}, {"i32[2,3] 4 5 6 1 2 3"}},
              {{"i32[2,2,2] 1 2 3 4 5 6 7 8", "i32[2,1] 0 1", "i32 2"},
               {caseInt(1)},
               {"i32[2,2,1] 1 3 6 8"}},
              {{"i32[2] 7 8", "i32 1", "i32 0"}, {none}, {"i32 8"}},
              {{kMatrix, "i64[2] 2 2", "i32 -1"}, {none}, {"i32[2,2] 3 3 6 6"}},
              {{kMatrix, "i32 1", "i32 0"}, {none}, {"i32[3] 4 5 6"}},
              {{kMatrix, "i32[2,2] 0 1 1 2", "i32 1"}, {caseInt(1)}, {"i32[2,2] 1 2 5 6"}},
              {{kMatrix, "i32[2,1] 2 0", "i32 1"}, {caseInt(-1)}, {"i32[2,1] 3 4"}},
              {{"string[2] a b", "i32[3] 1 1 0", "i32 0"}, {none}, {"string[3] b b a"}},
              {{"i32[0,3]", "i32[0]", "i32 0"}, {none}, {"i32[0,3]"}},
              {{"i32[3] 1 2 3", "i32[1] 5", "i32 0"},
               {none},
               {"INVALID_ARGUMENT: indices[0] = 5 is not in [0, 3)"}},
              {{"i32[3,0]", "i32[1,2] 0 3", "i32 0"},
               {none},
               {"INVALID_ARGUMENT: indices[0,1] = 3 is not in [0, 3)"}},
              {{"i32[3] 1 2 3", "i32 -1", "i32 0"},
               {none},
               {"INVALID_ARGUMENT: indices = -1 is not in [0, 3)"}},
              {{"i32 3", "i32 0", "i32 0"},
               {none},
               {"INVALID_ARGUMENT: params must be at least 1 dimensional"}},
              {{kMatrix, "i32[1] 0", "i32 2"},
               {none},
               {"INVALID_ARGUMENT: Expected axis in the range [-2, 2), but got 2"}},
              {{kMatrix, "i32[1] 0", "i32 0"},
               {caseInt(2)},
               {"INVALID_ARGUMENT: Expected batch_dims in the range [-1, 1], but got 2"}},
              {{kMatrix, "i32[2,1] 0 0", "i32 0"},
               {caseInt(1)},
               {"INVALID_ARGUMENT: batch_dims (1) must be less than or equal to axis (0)."}},
              {{kMatrix, "i32[3] 0 0 0", "i32 1"},
               {caseInt(1)},
               {"INVALID_ARGUMENT: params.shape[0]: 2 should be equal to indices.shape[0]: 3"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_gather_any, {"[?,3]", "[4]", ""}, {"", "", "i32 0"}, {none}),
            "[4,3]");
  EXPECT_EQ(inferred(sluice_kernel_nd_gather_any, {"[2,3]", "[4]", "[]"}, {}, {none}), "[?,?]");
  EXPECT_EQ(inferred(sluice_kernel_nd_gather_any, {"[2,3]", "[?,4]", ""}, {"", "", "i32 1"},
                     {caseInt(1)}),
            "[2,4]");
}

TEST(IndexKernels, Row) {
  checkCases(sluice_kernel_nd_row_any,
             {{{kMatrix, "i32 1"}, {}, {"i32[3] 4 5 6"}},
              {{"i32[2] 7 8", "i64 0"}, {}, {"i32 7"}},
              {{"string[2] a b", "i32 1"}, {}, {"string b"}},
              {{"i32[2,0]", "i32 1"}, {}, {"i32[0]"}},
              {{kMatrix, "i32 2"},
               {},
               {"INVALID_ARGUMENT: Tried to read from index 2 but array size is: 2"}},
              {{kMatrix, "i32 -1"},
               {},
               {"INVALID_ARGUMENT: Tried to read from index -1 but array size is: 2"}},
              {{"i32 3", "i32 0"}, {}, {"INVALID_ARGUMENT: rows must be at least 1 dimensional"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_row_any, {"[?,3]", "[]"}, {}, {}), "[3]");
}

TEST(IndexKernels, SetRow) {
  checkCases(sluice_kernel_nd_set_row_any,
             {{{kMatrix, "i32 1", "i32[3] 7 8 9"}, {}, {"i32[2,3] 1 2 3 7 8 9"}},
              {{"i32[2] 7 8", "i64 0", "i32 1"}, {}, {"i32[2] 1 8"}},
              {{"string[2] a b", "i32 1", "string c"}, {}, {"string[2] a c"}},
              {{kMatrix, "i32 2", "i32[3] 7 8 9"},
               {},
               {"INVALID_ARGUMENT: Tried to write to index 2 but array is not resizeable and size "
                "is: 2"}},
              {{kMatrix, "i32 0", "i32[2] 7 8"},
               {},
               {"INVALID_ARGUMENT: expected a row of the shape [3] but got [2]"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_set_row_any, {"[?,3]", "[]", "[3]"}, {}, {}), "[?,3]");
}

TEST(IndexKernels, GatherNd) {
  checkCases(
      sluice_kernel_nd_gather_nd_any,
      {{{kMatrix, "i32[2,2] 0 1 1 2"}, {}, {"i32[2] 2 6"}},
       {{kMatrix, "i64[1,1] 1"}, {}, {"i32[1,3] 4 5 6"}},
       {{kMatrix, "i32[2] 1 1"}, {}, {"i32 5"}},
       {{"string[2] a b", "i32[2,1] 1 0"}, {}, {"string[2] b a"}},
       {{"i32[2] 7 8", "i32[2,0]"}, {}, {"i32[2,2] 7 8 7 8"}},
       {{"i32[3] 1 2 3", "i32[1,2,1] 0 7"},
        {},
        {"INVALID_ARGUMENT: indices[0,1] = [7] does not index into param shape [3]"}},
       {{"i32[0]", "i32[1,1] 0"},
        {},
        {"INVALID_ARGUMENT: indices[0] = [0] does not index into param shape [0]"}},
       {{"i32[3,0]", "i32[2,1] 0 7"},
        {},
        {"INVALID_ARGUMENT: indices[1] = [7] does not index into param shape [3,0]"}},
       {{"i32[3,1] 1 2 3", "i32[2,2] 0 0 2 9"},
        {},
        {"INVALID_ARGUMENT: indices[1] = [2,9] does not index into param shape [3,1]"}},
       {{"i32[1] 1", "i32[1,2] 0 0"},
        {},
        {"INVALID_ARGUMENT: index innermost dimension length must be <= params rank; saw: 2 vs. "
         "1"}},
       {{"i32 1", "i32[1] 0"}, {}, {"INVALID_ARGUMENT: params must be at least a vector"}},
       {{"i32[1] 1", "i32 0"}, {}, {"INVALID_ARGUMENT: indices must be at least a vector"}}});
}

TEST(IndexKernels, ScatterNd) {
  const std::vector<DType> i32 = {DType::kI32};
  checkCases(
      sluice_kernel_nd_scatter_nd_i32,
      {{{"i32[3,1] 1 0 1", "i32[3] 5 6 7", "i32[1] 3"}, {}, {"i32[3] 6 12 0"}, i32},
       {{"i32[1,1] 1", "i32[1,2] 5 6", "i32[2] 2 2"}, {}, {"i32[2,2] 0 0 5 6"}, i32},
       {{"i64[2] 1 0", "i32[2,2] 5 6 7 8", "i64[2] 2 2"}, {}, {"i32[2,2] 7 8 5 6"}, i32},
       {{"i32[2,1] 0 1", "i32[2,2] 1 2 3 4", "i32[2] 2 2"}, {}, {"i32[2,2] 1 2 3 4"}, i32},
       {{"i32[1,1] 30", "i32[1] 5", "i32[1] 32"},
        {},
        {"i32[32] 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 5 0"},
        i32},
       {{"i32[2,0]", "i32[2,2] 1 2 3 4", "i32[1] 2"}, {}, {"i32[2] 4 6"}, i32},
       {{"i32[1,1] 7", "i32[1,0]", "i32[2] 3 0"},
        {},
        {"INVALID_ARGUMENT: indices[0] = [7] does not index into shape [3,0]"},
        i32},
       {{"i64[2] 1 0", "i32 5", "i64[2] 2 2"},
        {},
        {"INVALID_ARGUMENT: Dimensions of indices and output must give those of updates: expected "
         "[2,2] but got updates.shape [], indices.shape [2], output shape [2,2]"},
        i32},
       {{"i32[0,1]", "i32[0]", "i32[1] 2"}, {}, {"i32[2] 0 0"}, i32},
       {{"i32[1,1] -1", "i32[1] 5", "i32[1] 6"},
        {},
        {"INVALID_ARGUMENT: indices[0] = [-1] does not index into shape [6]"},
        i32},
       {{"i32[1,2] 0 0", "i32[1] 5", "i32[1] 6"},
        {},
        {"INVALID_ARGUMENT: index innermost dimension length must be <= output rank; saw: 2 vs. "
         "1"},
        i32},
       {{"i32[1,1] 0", "i32[2] 5 5", "i32[1] 6"},
        {},
        {"INVALID_ARGUMENT: Dimensions of indices and output must give those of updates: expected "
         "[1] but got updates.shape [2], indices.shape [1,1], output shape [6]"},
        i32}});
}

TEST(IndexKernels, OneHot) {
  const std::vector<DType> f32 = {DType::kF32}, text = {DType::kString};
  checkCases(
      sluice_kernel_nd_one_hot_any,
      {{{"i32[3] 1 -1 3", "i32 3", "f32 1", "f32 0"},
        {caseInt(-1)},
        {"f32[3,3] 0 1 0 0 0 0 0 0 0"},
        f32},
       {{"i32[3] 3 -1 1", "i32 3", "f32 1", "f32 0"},
        {caseInt(-1)},
        {"f32[3,3] 0 0 0 0 0 0 0 1 0"},
        f32},
       {{"i32[2] 2 0", "i32 3", "f32 1", "f32 0"}, {caseInt(0)}, {"f32[3,2] 0 1 0 0 1 0"}, f32},
       {{"i32[2] 2 0", "i32 3", "f32 1", "f32 0"}, {caseInt(1)}, {"f32[2,3] 0 0 1 1 0 0"}, f32},
       {{"i32 0", "i32 1", "f32 7", "f32 5"}, {caseInt(-1)}, {"f32[1] 7"}, f32},
       {{"i32[1] 1", "i32 2", "f32 1", "f32 0"},
        {caseInt(-2)},
        {"INVALID_ARGUMENT: Expected axis to be -1 or between [0, 2).  But received: -2"},
        f32},
       {{"u8[2] 1 0", "i32 2", "string y", "string n"},
        {caseInt(0)},
        {"string[2,2] n y y n"},
        text},
       {{"i64[1,2] 1 0", "i32 3", "f32 1", "f32 0"}, {caseInt(1)}, {"f32[1,3,2] 0 1 1 0 0 0"}, f32},
       {{"i32 1", "i32 2", "f32 1", "f32 0"}, {caseInt(-1)}, {"f32[2] 0 1"}, f32},
       {{"i32[2] 0 0", "i32 0", "f32 1", "f32 0"}, {caseInt(-1)}, {"f32[2,0]"}, f32},
       {{"i32 1", "i32 -2", "f32 1", "f32 0"},
        {caseInt(-1)},
        {"INVALID_ARGUMENT: depth must be non-negative, got: -2"},
        f32},
       {{"i32[1] 1", "i32 2", "f32 1", "f32 0"},
        {caseInt(2)},
        {"INVALID_ARGUMENT: Expected axis to be -1 or between [0, 2).  But received: 2"},
        f32},
       {{"i32 1", "i32 2", "f32[1] 1", "f32 0"},
        {caseInt(-1)},
        {"INVALID_ARGUMENT: on_value must be a scalar, but got: [1]"},
        f32}});
}

TEST(IndexKernels, Where) {
  const std::vector<DType> i64 = {DType::kI64};
  checkCases(sluice_kernel_nd_where_any,
             {{{"bool[2,2] 1 0 0 1"}, {}, {"i64[2,2] 0 0 1 1"}, i64},
              {{"f32[3] 0 -0 nan"}, {}, {"i64[1,1] 2"}, i64},
              {{"bf16[2] 0 3"}, {}, {"i64[1,1] 1"}, i64},
              {{"bool[0]"}, {}, {"i64[0,1]"}, i64},
              {{"i32 5"}, {}, {"i64[1,0]"}, i64},
              {{"string[1] a"},
               {},
               {"UNIMPLEMENTED: cannot compare elements of type string with 0"},
               i64}});
}

TEST(IndexKernels, UnsortedSegments) {
  checkCases(sluice_kernel_nd_unsorted_segment_sum_f32,
             {{{"f32[3,2] 1 2 3 4 5 6", "i32[3] 1 -1 1", "i32 3"}, {}, {"f32[3,2] 0 0 6 8 0 0"}},
              {{"f32[2,1] 1 2", "i64[2,1] 0 0", "i64 1"}, {}, {"f32[1] 3"}},
              {{"f32[2,2] 1 2 3 4", "i64[2] -1000000000000000 0", "i64 1"}, {}, {"f32[1,2] 3 4"}},
              {{"f32 1", "i32 0", "i32 2"}, {}, {"f32[2] 1 0"}},
              {{"f32[0]", "i32[0]", "i32 0"}, {}, {"f32[0]"}},
              {{"f32[1] 1", "i32[1] 3", "i32 3"},
               {},
               {"INVALID_ARGUMENT: segment_ids[0] = 3 is out of range [0, 3)"}},
              {{"f32[1] 1", "i32[1] 0", "i32 -1"},
               {},
               {"INVALID_ARGUMENT: Input num_segments == -1 must not be negative."}},
              {{"f32[2] 1 2", "i32[1] 0", "i32 1"},
               {},
               {"INVALID_ARGUMENT: data.shape = [2] does not start with segment_ids.shape = [1]"}},
              {{"f32[2] 1 2", "i32[2] 0 0", "i32[1] 1"},
               {},
               {"INVALID_ARGUMENT: num_segments should be a scalar, not shape [1]"}}});
  checkCases(sluice_kernel_nd_unsorted_segment_prod_i32,
             {{{"i32[3] 2 3 4", "i32[3] 0 0 2", "i32 3"}, {}, {"i32[3] 6 1 4"}}});
  checkCases(sluice_kernel_nd_unsorted_segment_max_f32,
             {{{"f32[3] 2 nan 1", "i32[3] 0 1 1", "i32 3"}, {}, {"f32[3] 2 nan -3.40282347e+38"}}});
  checkCases(sluice_kernel_nd_unsorted_segment_min_f16,
             {{{"f16[2] 2 1", "i32[2] 0 0", "i32 2"}, {}, {"f16[2] 1 65504"}}});
  checkCases(sluice_kernel_nd_unsorted_segment_max_bf16,
             {{{"bf16[1] 2", "i32[1] 0", "i32 2"}, {}, {"bf16[2] 2 -3.38953139e+38"}}});
  checkCases(sluice_kernel_nd_unsorted_segment_max_u8,
             {{{"u8[2] 2 1", "i32[2] 0 0", "i32 2"}, {}, {"u8[2] 2 0"}}});
}

} // namespace
} // namespace sluice::rt
