// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that cut boxes out of tensors.
#include "test/runtime/kernels/kernel_case.h"

#include <algorithm>
#include <cstdint>

namespace sluice::rt {
namespace {

const std::string kMatrix = "i32[3,4] 0 1 2 3 10 11 12 13 20 21 22 23";

std::vector<Attr> masks(int64_t begin, int64_t end, int64_t ellipsis, int64_t newAxis,
                        int64_t shrink) {
  return {caseInt(begin), caseInt(ellipsis), caseInt(end), caseInt(newAxis), caseInt(shrink)};
}
const std::vector<Attr> kNoMasks = masks(0, 0, 0, 0, 0);

TEST(SliceKernels, Slice) {
  checkCases(
      sluice_kernel_nd_slice_any,
      {{{kMatrix, "i32[2] 1 1", "i32[2] 2 2"}, {}, {"i32[2,2] 11 12 21 22"}},
       {{kMatrix, "i64[2] 2 0", "i64[2] -1 -1"}, {}, {"i32[1,4] 20 21 22 23"}},
       {{"string[3] a b c", "i32[1] 1", "i32[1] 1"}, {}, {"string[1] b"}},
       {{kMatrix, "i32[2] 3 0", "i32[2] 0 4"}, {}, {"i32[0,4]"}},
       {{"f32 1", "i32[0]", "i32[0]"}, {}, {"f32 1"}},
       {{"i32[3] 1 2 3", "i32[1] 4", "i32[1] 0"},
        {},
        {"INVALID_ARGUMENT: Expected begin[0] in [0, 3], but got 4"}},
       {{"i32[3] 1 2 3", "i32[1] -1", "i32[1] 0"},
        {},
        {"INVALID_ARGUMENT: Expected begin[0] in [0, 3], but got -1"}},
       {{"i32[3] 1 2 3", "i32[1] 1", "i32[1] 3"},
        {},
        {"INVALID_ARGUMENT: Expected size[0] in [0, 2], but got 3"}},
       {{"i32[3] 1 2 3", "i32[1] 1", "i32[1] -2"},
        {},
        {"INVALID_ARGUMENT: Expected size[0] in [0, 2], but got -2"}},
       {{"i32[3] 1 2 3", "i32[2] 1 0", "i32[2] 1 1"},
        {},
        {"INVALID_ARGUMENT: Expected begin and size arguments to be 1-D tensors of size 1, but got "
         "shapes [2] and [2] instead."}}});
  EXPECT_EQ(inferred(sluice_kernel_nd_slice_any, {"[?,4]", "[2]", ""}, {"", "", "i32[2] 1 -1"}),
            "[1,?]");
  EXPECT_EQ(inferred(sluice_kernel_nd_slice_any, {"<unknown>", "[2]", "[2]"}), "[?,?]");
}

// Masks have 64 bits, so what comes behind entry 63 is no index and is not open.
TEST(SliceKernels, MasksSayNothingOfLaterEntries) {
  std::string input = "i32[", zeros = "i32[65]", ones = zeros, ends = zeros;
  for (int i = 0; i < 65; ++i) {
    bool wide = i >= 63;
    input += wide ? ",2" : i ? ",1" : "1";
    zeros += wide ? " 1" : " 0";
    ends += wide ? " 2" : " 1";
    ones += " 1";
  }
  input += "] 1 2 3 4";
  std::string result = "i32[";
  for (int i = 1; i < 63; ++i) // the first one is an index
    result += "1,";
  constexpr int64_t kLast = INT64_MIN; // bit 63
  checkCases(sluice_kernel_nd_strided_slice_any,
             {{{input, zeros, ends, ones}, masks(kLast | 1, 0, 0, 0, 1), {result + "2,1] 2 4"}}});
}

TEST(SliceKernels, StridedSlice) {
  checkCases(
      sluice_kernel_nd_strided_slice_any,
      {{{kMatrix, "i32[2] 0 1", "i32[2] 3 4", "i32[2] 2 2"}, kNoMasks, {"i32[2,2] 1 3 21 23"}},
       {{kMatrix, "i32[2] -1 -1", "i32[2] -4 -3", "i32[2] -1 -1"},
        kNoMasks,
        {"i32[3,2] 23 22 13 12 3 2"}},
       {{kMatrix, "i32[1] 1", "i32[1] 0", "i32[1] 1"},
        masks(0, 0, 0, 0, 1),
        {"i32[4] 10 11 12 13"}},
       {{kMatrix, "i32[1] -1", "i32[1] 0", "i32[1] 1"},
        masks(0, 0, 0, 0, 1),
        {"i32[4] 20 21 22 23"}},
       {{kMatrix, "i64[2] 9 9", "i64[2] 9 9", "i64[2] 1 2"},
        masks(3, 3, 0, 0, 0),
        {"i32[3,2] 0 2 10 12 20 22"}},
       {{kMatrix, "i32[2] 0 0", "i32[2] 0 0", "i32[2] 1 -1"},
        masks(3, 3, 0, 0, 0),
        {"i32[3,4] 3 2 1 0 13 12 11 10 23 22 21 20"}},
       {{kMatrix, "i32[2] 0 1", "i32[2] 0 2", "i32[2] 1 1"},
        masks(0, 0, 1, 0, 0),
        {"i32[3,1] 1 11 21"}},
       {{"i32[2] 5 6", "i32[2] 0 0", "i32[2] 0 2", "i32[2] 1 1"},
        masks(0, 0, 0, 1, 0),
        {"i32[1,2] 5 6"}},
       // An ellipsis that stands for nothing, with a new axis after it.
       {{"i32[2] 5 6", "i32[3] 0 0 0", "i32[3] 0 0 2", "i32[3] 1 1 1"},
        masks(0, 0, 1, 2, 0),
        {"i32[1,2] 5 6"}},
       {{"i32[5] 0 1 2 3 4", "i32[1] 3", "i32[1] 1", "i32[1] 1"}, kNoMasks, {"i32[0]"}},
       {{"i32[5] 0 1 2 3 4", "i32[1] -100", "i32[1] 100", "i32[1] 3"}, kNoMasks, {"i32[2] 0 3"}},
       {{"i32[2] 0 1", "i64[1] 0", "i64[1] 2", "i64[1] 9223372036854775807"},
        kNoMasks,
        {"i32[1] 0"}},
       {{"i32[2] 0 1", "i64[1] 1", "i64[1] -9223372036854775808", "i64[1] -9223372036854775808"},
        kNoMasks,
        {"i32[1] 1"}},
       {{"string[3] a b c", "i32[1] 0", "i32[1] 3", "i32[1] 2"}, kNoMasks, {"string[2] a c"}},
       {{"f32 7", "i32[0]", "i32[0]", "i32[0]"}, kNoMasks, {"f32 7"}}});
}

TEST(SliceKernels, StridedSliceShapes) {
  const Kernel &kernel = sluice_kernel_nd_strided_slice_any;
  const auto shrink = masks(0, 0, 0, 0, 1);
  auto wrong = [](const std::string &begin, const std::string &end, const std::string &strides) {
    return "INVALID_ARGUMENT: Expected begin, end, and strides to be 1D equal size tensors, but "
           "got "
           "shapes " +
           begin + ", " + end + ", and " + strides + " instead.";
  };
  EXPECT_EQ(inferred(kernel, {"[2]", "<unknown>", "[1]", "[2]"}, {}, kNoMasks),
            wrong("<unknown>", "[1]", "[2]"));
  EXPECT_EQ(inferred(kernel, {"[2]", "[1,1]", "[1]", "[1]"}, {}, kNoMasks),
            wrong("[1,1]", "[1]", "[1]"));
  EXPECT_EQ(inferred(kernel, {"[2]", "[0]", "[1]", "[1]"}, {}, kNoMasks),
            wrong("[0]", "[1]", "[1]"));
  EXPECT_EQ(inferred(kernel, {"[2]", "[1]", "[1]", ""}, {"", "", "", "i32[1] 0"}, shrink),
            "INVALID_ARGUMENT: strides[0] must be non-zero");
  EXPECT_EQ(inferred(kernel, {"[2]", "[1]", "[1]", ""}, {"", "", "", "i32[1] -1"}, shrink),
            "INVALID_ARGUMENT: only stride 1 allowed on non-range indexing.");
  EXPECT_EQ(inferred(kernel, {"[0]", "", "[1]", "[1]"}, {"", "i32[1] 0"}, shrink),
            "INVALID_ARGUMENT: slice index 0 of dimension 0 out of bounds.");
}

// What a slice of a vector means, element by element.
std::vector<int32_t> slowSlice(int64_t size, int64_t begin, int64_t end, int64_t stride,
                               bool openBegin, bool openEnd) {
  if (begin < 0)
    begin += size;
  if (end < 0)
    end += size;
  std::vector<int32_t> result;
  // Steps start at the first position, inside or not; only positions inside count.
  if (openBegin || (stride > 0 ? begin < 0 : begin >= size))
    begin = stride > 0 ? 0 : size - 1;
  for (int64_t i = begin; i >= 0 && i < size; i += stride)
    if (openEnd || (stride > 0 ? i < end : i > end))
      result.push_back(static_cast<int32_t>(i));
  return result;
}

TEST(SliceKernels, StridedSliceOfEveryShortVector) {
  for (int64_t size = 0; size < 5; ++size)
    for (int64_t begin = -6; begin < 7; ++begin)
      for (int64_t end = -6; end < 7; ++end)
        for (int64_t stride : {-3, -2, -1, 1, 2, 3})
          for (int64_t mask = 0; mask < 4; ++mask) {
            Tensor vector = *Tensor::allocate(DType::kI32, Shape{size});
            for (int32_t i = 0; i < size; ++i)
              vector.data<int32_t>()[i] = i;
            Tensor operands[] = {vector, Tensor::vector<int64_t>({&begin, 1}),
                                 Tensor::vector<int64_t>({&end, 1}),
                                 Tensor::vector<int64_t>({&stride, 1})};
            const Tensor *inputs[] = {&operands[0], &operands[1], &operands[2], &operands[3]};
            std::vector<Attr> attrs = masks(mask & 1, mask >> 1, 0, 0, 0);
            const DType type = DType::kI32;
            Tensor output;
            ASSERT_TRUE(runKernel(sluice_kernel_nd_strided_slice_any, inputs, {&output, 1}, attrs,
                                  {&type, 1}, nullptr)
                            .ok());
            std::vector<int32_t> expected =
                slowSlice(size, begin, end, stride, mask & 1, mask >> 1);
            EXPECT_TRUE(std::ranges::equal(output.values<int32_t>(), expected))
                << size << ": " << begin << " " << end << " " << stride << " mask " << mask;
          }
}

TEST(SliceKernels, StridedSliceErrors) {
  checkCases(
      sluice_kernel_nd_strided_slice_any,
      {{{kMatrix, "i32[2] 0 0", "i32[2] 1 1", "i32[2] 0 1"},
        kNoMasks,
        {"INVALID_ARGUMENT: strides[0] must be non-zero"}},
       {{"i32[3] 1 2 3", "i32[1] 3", "i32[1] 4", "i32[1] 1"},
        masks(0, 0, 0, 0, 1),
        {"INVALID_ARGUMENT: slice index 3 of dimension 0 out of bounds."}},
       {{"i32[3] 1 2 3", "i32[1] -4", "i32[1] 4", "i32[1] 1"},
        masks(0, 0, 0, 0, 1),
        {"INVALID_ARGUMENT: slice index -1 of dimension 0 out of bounds."}},
       {{"i32[3] 1 2 3", "i32[1] 1", "i32[1] 0", "i32[1] -1"},
        masks(0, 0, 0, 0, 1),
        {"INVALID_ARGUMENT: only stride 1 allowed on non-range indexing."}},
       {{"i32[3] 1 2 3", "i32[2] 0 0", "i32[2] 0 0", "i32[2] 1 1"},
        masks(0, 0, 3, 0, 0),
        {"INVALID_ARGUMENT: Multiple ellipses in slice spec not allowed"}},
       {{"i32[3] 1 2 3", "i32[2] 0 0", "i32[2] 1 1", "i32[2] 1 1"},
        kNoMasks,
        {"INVALID_ARGUMENT: Index out of range using input dim 1; input has only 1 dims"}},
       {{"i32 3", "i32[1] 0", "i32[1] 1", "i32[1] 1"},
        kNoMasks,
        {"INVALID_ARGUMENT: Attempting to slice scalar input."}},
       {{"i32[3] 1 2 3", "i32[1] 0", "i32[2] 1 1", "i32[1] 1"},
        kNoMasks,
        {"INVALID_ARGUMENT: Expected begin, end, and strides to be 1D equal size tensors, but got "
         "shapes [1], [2], and [1] instead."}}});
}

TEST(SliceKernels, StridedSlicePartlyKnown) {
  const Kernel &kernel = sluice_kernel_nd_strided_slice_any;
  EXPECT_EQ(inferred(kernel, {"[?,4]", "", "", ""}, {"", "i32[2] 0 1", "i32[2] 2 3", "i32[2] 1 1"},
                     kNoMasks),
            "[?,2]");
  EXPECT_EQ(inferred(kernel, {"[3,4]", "[2]", "[2]", ""}, {"", "", "", "i32[2] 1 2"},
                     masks(2, 2, 0, 0, 1)),
            "[2]");
  EXPECT_EQ(inferred(kernel, {"[3,4]", "[2]", "[2]", "[2]"}, {}, masks(0, 0, 0, 1, 0)), "[1,?,4]");
  EXPECT_EQ(inferred(kernel, {"[3]", "[?]", "[?]", "[?]"}, {}, kNoMasks), "<unknown>");
  EXPECT_EQ(inferred(kernel, {"[3]", "[300]", "[300]", "[300]"}, {}, masks(0, 0, 0, -1, 0)),
            "INVALID_ARGUMENT: Index out of range using input dim 1; input has only 1 dims");
}

TEST(SliceKernels, StridedSliceGrad) {
  checkCases(sluice_kernel_nd_strided_slice_grad_any,
             {{{"i32[2] 2 3", "i32[2] 0 2", "i32[2] 2 0", "i32[2] 1 -2", "f32[2,1] 5 6"},
               kNoMasks,
               {"f32[2,3] 0 0 5 0 0 6"},
               {DType::kF32}},
              {{"i64[1] 3", "i64[1] 1", "i64[1] 0", "i64[1] 1", "f64 5"},
               masks(0, 0, 0, 0, 1),
               {"f64[3] 0 5 0"},
               {DType::kF64}},
              {{"i32[1] 3", "i32[1] 1", "i32[1] 1", "i32[1] 1", "f32[0]"},
               kNoMasks,
               {"f32[3] 0 0 0"},
               {DType::kF32}},
              {{"i32[1] 3", "i32[1] 1", "i32[1] 3", "i32[1] 1", "f32[1] 1"},
               kNoMasks,
               {"INVALID_ARGUMENT: shape of dy was [1] instead of [2]"},
               {DType::kF32}}});
}

} // namespace
} // namespace sluice::rt
