// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels about shapes: results, shape rules, errors.
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

const std::vector<DType> kI32 = {DType::kI32}, kI64 = {DType::kI64};

TEST(ShapeKernels, AskForShapes) {
  checkCases(sluice_kernel_nd_shape_any, {{{"f32[2,0,3]"}, {}, {"i32[3] 2 0 3"}, kI32},
                                          {{"f32 1"}, {}, {"i64[0]"}, kI64},
                                          {{"string[1] a"}, {}, {"i64[1] 1"}, kI64}});
  checkCases(sluice_kernel_nd_rank_any, {{{"f32[2,0,3]"}, {}, {"i32 3"}, kI32}});
  checkCases(sluice_kernel_nd_size_any,
             {{{"u8[2,2] 1 2 3 4"}, {}, {"i64 4"}, kI64}, {{"bool 1"}, {}, {"i32 1"}, kI32}});
}

TEST(ShapeKernels, SizeBeyond32Bits) {
  // Elements that are never touched.
  static const char byte = 0;
  Tensor large = *Tensor::view(DType::kI8, Shape{int64_t{1} << 31}, &byte);
  Tensor output;
  const Tensor *inputs[] = {&large};
  for (const Kernel *kernel : {&sluice_kernel_nd_shape_any, &sluice_kernel_nd_size_any}) {
    EXPECT_EQ(runKernel(*kernel, inputs, {&output, 1}, {}, kI32, nullptr).toString(),
              "INVALID_ARGUMENT: size 2147483648 does not fit into i32; ask for i64");
    EXPECT_TRUE(runKernel(*kernel, inputs, {&output, 1}, {}, kI64, nullptr).ok());
  }
  Tensor largest = *Tensor::view(DType::kI8, Shape{(int64_t{1} << 31) - 1}, &byte);
  inputs[0] = &largest;
  EXPECT_TRUE(runKernel(sluice_kernel_nd_size_any, inputs, {&output, 1}, {}, kI32, nullptr).ok());
  EXPECT_EQ(textOf(output), "i32 2147483647");
}

TEST(ShapeKernels, Reshape) {
  checkCases(
      sluice_kernel_nd_reshape_any,
      {{{"i32[2,3] 1 2 3 4 5 6", "i32[2] 3 -1"}, {}, {"i32[3,2] 1 2 3 4 5 6"}},
       {{"string[2] a b", "i64[2] 1 2"}, {}, {"string[1,2] a b"}},
       {{"f32[1] 7", "i32[0]"}, {}, {"f32 7"}},
       {{"f32[2] 1 2", "i32 2"}, {}, {"f32[2] 1 2"}},
       {{"f32[0,3]", "i32[2] -1 3"}, {}, {"f32[0,3]"}},
       {{"f32[0]", "i32[2] 0 5"}, {}, {"f32[0,5]"}},
       {{"f32[2] 1 2", "i32[2] -1 -1"},
        {},
        {"INVALID_ARGUMENT: Only one input size may be -1, not both 0 and 1"}},
       {{"f32[2] 1 2", "i32[2] 1 -5"},
        {},
        {"INVALID_ARGUMENT: Size 1 must be non-negative, not -5"}},
       {{"f32[3] 1 2 3", "i32[2] 2 -1"},
        {},
        {"INVALID_ARGUMENT: Input to reshape is a tensor with 3 values, but the requested shape "
         "requires a multiple of 2"}},
       {{"f32[3] 1 2 3", "i32[2] 2 2"},
        {},
        {"INVALID_ARGUMENT: Input to reshape is a tensor with 3 values, but the requested shape "
         "has 4"}},
       {{"f32[0]", "i32[2] 0 -1"}, {}, {"f32[0,1]"}},
       {{"f32[0,6]", "i32[3] 0 -1 3"}, {}, {"f32[0,2,3]"}},
       {{"f32[2] 1 2", "i32[2] 0 -1"},
        {},
        {"INVALID_ARGUMENT: Input to reshape is a tensor with 2 values, but the requested shape "
         "has 0"}},
       {{"f32[4] 1 2 3 4", "i64[3] 4294967296 4294967296 -1"},
        {},
        {"INVALID_ARGUMENT: element count of shape [4294967296,4294967296,1] overflows 64 bits"}},
       {{"f32[1] 1", "i32[1,1] 1"}, {}, {"INVALID_ARGUMENT: sizes input must be 1-D, not [1,1]"}}});
}

TEST(ShapeKernels, ReshapePartlyKnown) {
  const Kernel &kernel = sluice_kernel_nd_reshape_any;
  EXPECT_EQ(inferred(kernel, {"[?,3]", ""}, {"", "i32[2] -1 3"}), "[?,3]");
  EXPECT_EQ(inferred(kernel, {"[4,3]", ""}, {"", "i32[2] -1 2"}), "[6,2]");
  EXPECT_EQ(inferred(kernel, {"<unknown>", "[2]"}), "[?,?]");
  EXPECT_EQ(inferred(kernel, {"[4]", "[?]"}), "<unknown>");
  EXPECT_EQ(inferred(kernel, {"[4]", "[300]"}),
            "INVALID_ARGUMENT: expected a rank of at most 254 but got 300");
}

TEST(ShapeKernels, ExpandDims) {
  checkCases(sluice_kernel_nd_expand_dims_any,
             {{{"i32[2] 1 2", "i32 0"}, {}, {"i32[1,2] 1 2"}},
              {{"i32[2] 1 2", "i64 -1"}, {}, {"i32[2,1] 1 2"}},
              {{"string a", "i32[1] 0"}, {}, {"string[1] a"}},
              {{"i32[2] 1 2", "i32 2"},
               {},
               {"INVALID_ARGUMENT: Tried to expand dim index 2 for tensor with 1 dimensions."}},
              {{"i32[2] 1 2", "i32[2] 0 1"},
               {},
               {"INVALID_ARGUMENT: 'dim' must be a tensor with a single value"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_expand_dims_any, {"[2,3]", "[]"}), "[?,?,?]");
}

TEST(ShapeKernels, Squeeze) {
  static const int64_t last[] = {-1}, outside[] = {3}, first[] = {0};
  checkCases(sluice_kernel_nd_squeeze_any,
             {{{"i32[1,2,1] 1 2"}, {caseInts({})}, {"i32[2] 1 2"}},
              {{"i32[1,2,1] 1 2"}, {caseInts(last)}, {"i32[1,2] 1 2"}},
              {{"i32[1] 1"}, {caseInts({})}, {"i32 1"}},
              {{"i32[1,2] 1 2"},
               {caseInts(outside)},
               {"INVALID_ARGUMENT: Tried to squeeze dim index 3 for tensor with 2 dimensions."}},
              {{"i32[2,1] 1 2"},
               {caseInts(first)},
               {"INVALID_ARGUMENT: Can not squeeze dim[0], expected a dimension of 1, got 2"}},
              {{"i32[0]"},
               {caseInts(first)},
               {"INVALID_ARGUMENT: Can not squeeze dim[0], expected a dimension of 1, got 0"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_squeeze_any, {"[1,?]"}, {}, {caseInts({})}), "<unknown>");
  EXPECT_EQ(inferred(sluice_kernel_nd_squeeze_any, {"[1,?]"}, {}, {caseInts(first)}), "[?]");
}

TEST(ShapeKernels, SharingKeepsElements) {
  Tensor input = tensorOf("f32[8] 1 2 3 4 5 6 7 8"), sizes = tensorOf("i32[2] 2 4"), output;
  const Tensor *inputs[] = {&input, &sizes};
  ASSERT_TRUE(
      runKernel(sluice_kernel_nd_reshape_any, inputs, {&output, 1}, {}, {&kI32[0], 1}, nullptr)
          .ok());
  EXPECT_EQ(output.raw(), input.raw());
  checkCases(sluice_kernel_nd_stop_gradient_any, {{{"string[2] a b"}, {}, {"string[2] a b"}}});
  checkCases(sluice_kernel_nd_assume_shape_any, {{{"f32[2] 1 2"}, {}, {"f32[2] 1 2"}}});
  checkCases(
      sluice_kernel_nd_match_shape_any,
      {{{"f32[2] 1 2", "i32[2] 0 0"}, {}, {"f32[2] 1 2"}},
       {{"f32[1] 1", "i32 0"}, {}, {"INVALID_ARGUMENT: expected the shape [] but got [1]"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_match_shape_any, {"[?,3]", "[2,?]"}, {}), "[2,3]");
}

TEST(ShapeKernels, BroadcastTo) {
  checkCases(
      sluice_kernel_nd_broadcast_to_any,
      {{{"i32[3] 1 2 3", "i32[2] 2 3"}, {}, {"i32[2,3] 1 2 3 1 2 3"}},
       {{"i32[2,1] 1 2", "i64[2] 2 3"}, {}, {"i32[2,3] 1 1 1 2 2 2"}},
       {{"i32[1,2] 1 2", "i32[3] 3 2 2"}, {}, {"i32[3,2,2] 1 2 1 2 1 2 1 2 1 2 1 2"}},
       {{"string a", "i32[1] 2"}, {}, {"string[2] a a"}},
       {{"i32[1] 1", "i32[1] 0"}, {}, {"i32[0]"}},
       {{"f64 1", "i32[0]"}, {}, {"f64 1"}},
       {{"i32[2] 1 2", "i32[2] 2 3"}, {}, {"INVALID_ARGUMENT: Incompatible shapes: [2] vs. [2,3]"}},
       {{"i32[1,1] 1", "i32[1] 1"},
        {},
        {"INVALID_ARGUMENT: Rank of input (2) must be no greater than rank of output shape (1)."}},
       {{"i32 1", "i32[1] -1"}, {}, {"INVALID_ARGUMENT: Dimension -1 must be >= 0"}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_broadcast_to_any, {"[3]", "[2]"}), "[?,3]");
  EXPECT_EQ(inferred(sluice_kernel_nd_broadcast_to_any, {"[2,3]", "[3]"}), "[?,2,3]");
  EXPECT_EQ(inferred(sluice_kernel_nd_broadcast_to_any, {"[]", "[0]"}), "[]");
  const std::string tooMany = "INVALID_ARGUMENT: expected a rank of at most 254 but got 255";
  EXPECT_EQ(inferred(sluice_kernel_nd_broadcast_to_any, {"[]", "[255]"}), tooMany);
  std::string sizes = "i32[255]";
  for (int i = 0; i < 255; ++i)
    sizes += " 1";
  EXPECT_EQ(inferred(sluice_kernel_nd_broadcast_to_any, {"[]", ""}, {"", sizes}), tooMany);
  EXPECT_EQ(inferred(sluice_kernel_nd_reshape_any, {"[]", ""}, {"", sizes}), tooMany);
}

TEST(ShapeKernels, BroadcastArguments) {
  const std::vector<DType> two = {DType::kI32, DType::kI32};
  checkCases(
      sluice_kernel_nd_broadcast_gradient_args_any,
      {{{"i32[2] 2 3", "i32[1] 3"}, {}, {"i32[0]", "i32[1] 0"}, two},
       {{"i32[2] 2 1", "i32[2] 1 3"}, {}, {"i32[1] 1", "i32[1] 0"}, two},
       {{"i32[2] 1 3", "i32[2] 1 3"}, {}, {"i32[0]", "i32[0]"}, two},
       {{"i32[2] 1 3", "i32[2] 1 1"}, {}, {"i32[1] 0", "i32[2] 0 1"}, two},
       {{"i32[0]", "i32[2] 2 3"}, {}, {"i32[2] 0 1", "i32[0]"}, two},
       {{"i32[2] 1 3", "i32[1] 3"}, {}, {"i32[1] 0", "i32[1] 0"}, two},
       {{"i32[1] 3", "i32 2"}, {}, {"INVALID_ARGUMENT: In[1] must be a vector.[]"}, two},
       {{"i32[1] 2", "i32[1] 3"}, {}, {"INVALID_ARGUMENT: Incompatible shapes: [2] vs. [3]"}, two},
       {{"i32 2", "i32[1] 3"}, {}, {"INVALID_ARGUMENT: In[0] must be a vector.[]"}, two}});
  checkCases(
      sluice_kernel_nd_broadcast_args_any,
      {{{"i64[2] 2 1", "i64[1] 3"}, {}, {"i64[2] 2 3"}},
       {{"i32[0]", "i32[0]"}, {}, {"i32[0]"}},
       {{"i32[1] 0", "i32[1] 1"}, {}, {"i32[1] 0"}},
       {{"i32[1] 2", "i32[1] 3"}, {}, {"INVALID_ARGUMENT: Incompatible shapes: [2] vs. [3]"}}});
}

TEST(ShapeKernels, ConcatOffset) {
  checkCases(
      sluice_kernel_nd_concat_offset_any,
      {{{"i32 1", "i32[3] 2 3 5", "i32[3] 2 7 5", "i32[3] 2 9 5"},
        {},
        {"i32[3] 0 0 0", "i32[3] 0 3 0", "i32[3] 0 10 0"}},
       {{"i64 -1", "i64[1] 4", "i64[1] 5"}, {}, {"i64[1] 0", "i64[1] 4"}},
       {{"i32 1", "i32[3] 2 3 5", "i32[3] 2 7 10"},
        {},
        {"INVALID_ARGUMENT: All dimensions except 1 must match. Input 1 has shape [2 7 10] and "
         "doesn't match input 0 with shape [2 3 5].",
         ""}},
       {{"i32 3", "i32[3] 2 3 5"}, {}, {"INVALID_ARGUMENT: Concat dim is out of range: 3 vs. 3"}},
       {{"i32 0", "i32[3] 2 3 5", "i32[2] 2 7"},
        {},
        {"INVALID_ARGUMENT: input 1 should contain 3 elements, but got 2", ""}},
       {{"i32 0", "i32[3] 2 3 5", "i32[1,3] 2 7 5"},
        {},
        {"INVALID_ARGUMENT: input 1 should be a vector, but got shape [1,3]", ""}},
       {{"i32[2] 0 0", "i32[1] 2"},
        {},
        {"INVALID_ARGUMENT: Concat dim tensor must be a scalar, but got shape [2]"}},
       {{"i64 0", "i64[1] 9223372036854775807", "i64[1] 1"},
        {},
        {"INVALID_ARGUMENT: sum of sizes along the concat dim overflows 64 bits", ""}}});
}

TEST(ShapeKernels, InvertPermutation) {
  checkCases(sluice_kernel_nd_invert_permutation_i32,
             {{{"i32[3] 2 0 1"}, {}, {"i32[3] 1 2 0"}},
              {{"i32[0]"}, {}, {"i32[0]"}},
              {{"i32[2] 0 0"}, {}, {"INVALID_ARGUMENT: 0 is duplicated in the input."}},
              {{"i32[2] 0 5"}, {}, {"INVALID_ARGUMENT: 5 is not between 0 and 2"}},
              {{"i32[2] 0 2"}, {}, {"INVALID_ARGUMENT: 2 is not between 0 and 2"}},
              {{"i32[1] -1"}, {}, {"INVALID_ARGUMENT: -1 is not between 0 and 1"}},
              {{"i32 0"}, {}, {"INVALID_ARGUMENT: invert_permutation expects a 1D vector."}}});
  checkCases(sluice_kernel_nd_invert_permutation_i64, {{{"i64[2] 1 0"}, {}, {"i64[2] 1 0"}}});
}

} // namespace
} // namespace sluice::rt
