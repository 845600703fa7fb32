// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of complex numbers, places in sorted rows, running sums of logarithms, diagonals.
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/kernel_case.h"

#include <cmath>
#include <limits>

namespace sluice::rt {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Parts, OfComplexNumbers) {
  checkCases(sluice_kernel_sci_complex_f32,
             {{{"f32[2] 1 2", "f32 3"}, {}, {"c64[2] (1,3) (2,3)"}, {DType::kC64}},
              {{"f32[2] 1 2", "f32[3] 1 2 3"},
               {},
               {"INVALID_ARGUMENT: Incompatible shapes: [2] vs. [3]"},
               {DType::kC64}}});
  checkCases(sluice_kernel_sci_imaginary_any,
             {{{"c64[2] (1,3) (2,-4)"}, {}, {"f32[2] 3 -4"}, {DType::kF32}},
              {{"c128 (1,3)"}, {}, {"f64 3"}, {DType::kF64}},
              {{"c64 (1,3)"},
               {},
               {"UNIMPLEMENTED: expected complex numbers and floats of the type of their parts"},
               {DType::kF64}}});
  checkCases(sluice_kernel_sci_magnitude_any,
             {{{"c64[2] (3,4) (0,-2)"}, {}, {"f32[2] 5 2"}, {DType::kF32}},
              {{"c64[0]"}, {}, {"f32[0]"}, {DType::kF32}}});
  auto far =
      callKernel(sluice_kernel_sci_magnitude_any,
                 {tensor<std::complex<float>>({2}, {{3e30f, 4e30f}, {kInf, NAN}})}, {DType::kF32});
  EXPECT_FLOAT_EQ(far->data<float>()[0], 5e30f);
  EXPECT_EQ(far->data<float>()[1], kInf);
}

// ---- search_sorted

const std::vector<Attr> kBefore = {caseInt(0)}, kAfter = {caseInt(1)};

TEST(SearchSorted, Values) {
  const std::vector<DType> i32 = {DType::kI32}, i64 = {DType::kI64};
  checkCases(sluice_kernel_sci_search_sorted_f32,
             {{{"f32[4] 1 2 2 5", "f32[5] 0 1 2 3 9"}, kBefore, {"i32[5] 0 0 1 3 4"}, i32},
              {{"f32[4] 1 2 2 5", "f32[5] 0 1 2 3 9"}, kAfter, {"i64[5] 0 1 3 3 4"}, i64},
              {{"f32[2,2] 1 2 5 6", "f32[2,1] 2 2"}, kAfter, {"i32[2,1] 2 0"}, i32},
              {{"f32[2,0]", "f32[2,1] 2 2"}, kAfter, {"i32[2,1] 0 0"}, i32},
              {{"f32[2,1] 1 2", "f32[2,0]"}, kAfter, {"i32[2,0]"}, i32}});
  checkCases(sluice_kernel_sci_search_sorted_i64,
             {{{"i64 1", "i64[1] 1"},
               kBefore,
               {"INVALID_ARGUMENT: expected rows of numbers but got a scalar"},
               i32},
              {{"i64[2,1] 1 2", "i64[3,1] 1 2 3"},
               kBefore,
               {"INVALID_ARGUMENT: expected equal dims before the last but got the shapes [2,1] "
                "and [3,1]"},
               i32}});
  checkCases(sluice_kernel_sci_search_sorted_bf16,
             {{{"bf16[3] -1 0 1", "bf16[2] 0.5 nan"}, kBefore, {"i32[2] 2 0"}, i32}});
}

// ---- cumulative_logsumexp

std::vector<float> sums(const std::vector<float> &x, bool exclusive, bool reverse) {
  return valuesOf<float>(
      *callKernel(sluice_kernel_sci_cumulative_logsumexp_f32,
                  {tensor<float>({static_cast<int64_t>(x.size())}, x), tensor<int32_t>({}, {-1})},
                  {intAttr(exclusive), intAttr(reverse)}));
}

TEST(CumulativeLogsumexp, Values) {
  const float log2 = std::log(2.0f), log3 = std::log(3.0f);
  auto expectNear = [](const std::vector<float> &found, const std::vector<float> &expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_FLOAT_EQ(found[i], expected[i]) << i;
  };
  expectNear(sums({0, 0, 0}, false, false), {0, log2, log3});
  expectNear(sums({0, 0, 0}, false, true), {log3, log2, 0});
  expectNear(sums({0, 0, 0}, true, false), {-kInf, 0, log2});
  expectNear(sums({1000, 1000}, false, false), {1000, 1000 + log2});
  expectNear(sums({-kInf, 1}, false, false), {-kInf, 1});
  expectNear(sums({kInf, 1}, false, false), {kInf, kInf});
  EXPECT_TRUE(std::isnan(sums({NAN, 1}, false, false)[1]));
  auto rows = callKernel(sluice_kernel_sci_cumulative_logsumexp_f32,
                         {tensor<float>({2, 2}, {0, 1, 0, 1}), tensor<int64_t>({}, {0})},
                         {intAttr(0), intAttr(0)});
  expectNear(valuesOf<float>(*rows), {0, 1, log2, 1 + log2});
}

TEST(CumulativeLogsumexp, Errors) {
  auto call = [](const Tensor &axis) {
    return errorOf(callKernel(sluice_kernel_sci_cumulative_logsumexp_f32,
                              {ramp<float>({2, 2}), axis}, {intAttr(0), intAttr(0)}));
  };
  EXPECT_EQ(call(tensor<int32_t>({}, {2})), "axis has to be within [-2, 2) but is 2");
  EXPECT_EQ(call(tensor<int32_t>({1}, {0})), "axis must be a scalar, got shape [1]");
}

// ---- Diagonals

const std::vector<Attr> kLeftLeft = {caseInt(0), caseInt(0)}, kRightLeft = {caseInt(1), caseInt(0)},
                        kRightRight = {caseInt(1), caseInt(1)};
const char *const kMatrix = "i32[3,4] 1 2 3 4 5 6 7 8 9 10 11 12";

TEST(Diagonals, Values) {
  checkCases(
      sluice_kernel_sci_diagonals_any,
      {{{kMatrix, "i32 0", "i32 0"}, kLeftLeft, {"i32[3] 1 6 11"}},
       {{kMatrix, "i32 -1", "i32 0"}, kLeftLeft, {"i32[2] 5 10"}},
       {{kMatrix, "i32[2] -1 2", "i32 0"}, kLeftLeft, {"i32[4,3] 3 8 0 2 7 12 1 6 11 5 10 0"}},
       {{kMatrix, "i32[2] -1 2", "i32 -9"}, kRightLeft, {"i32[4,3] -9 3 8 2 7 12 1 6 11 5 10 -9"}},
       {{kMatrix, "i32[2] -1 0", "i32 0"}, kRightRight, {"i32[2,3] 1 6 11 0 5 10"}},
       {{"string[2,1,2] a b c d", "i32[2] 0 1", "string e"}, kLeftLeft, {"string[2,2,1] b a d c"}},
       {{"i32[0,3]", "i32 0", "i32 7"}, kLeftLeft, {"i32[0]"}}});
}

TEST(Diagonals, Errors) {
  auto refused = [](const char *input, const char *k, const char *padding, const char *words) {
    checkCases(sluice_kernel_sci_diagonals_any,
               {{{input, k, padding}, kLeftLeft, {std::string("INVALID_ARGUMENT: ") + words}}});
  };
  refused("i32[3] 1 2 3", "i32 0", "i32 0", "input must be at least 2-dim, got shape [3]");
  refused(kMatrix, "i32[3] 1 2 3", "i32 0",
          "k must be a scalar, or a vector of one or two elements, got shape [3]");
  refused(kMatrix, "i32[2] 1 0", "i32 0", "k must not fall, got [1, 0]");
  refused(kMatrix, "i32 4", "i32 0", "k is out of bound: 4 is no diagonal of a matrix of 3 x 4");
  refused(kMatrix, "i32[2] -3 0", "i32 0",
          "k is out of bound: -3 is no diagonal of a matrix of 3 x 4");
  refused(kMatrix, "i32 0", "i32[1] 0", "padding must be a scalar, got shape [1]");
}

TEST(SetDiagonals, Values) {
  checkCases(sluice_kernel_sci_set_diagonals_any,
             {{{kMatrix, "i32[3] -1 -2 -3", "i32 0"},
               kLeftLeft,
               {"i32[3,4] -1 2 3 4 5 -2 7 8 9 10 -3 12"}},
              {{kMatrix, "i32[2,3] 0 -1 -2 -3 -4 0", "i32[2] -1 0"},
               kRightLeft,
               {"i32[3,4] 0 2 3 4 -3 -1 7 8 9 -4 -2 12"}},
              {{kMatrix, "i32[2] 0 0", "i32 0"},
               kLeftLeft,
               {"INVALID_ARGUMENT: diagonals must have the shape [3], got [2]"}}});
  EXPECT_EQ(inferred(sluice_kernel_sci_set_diagonals_any, {"[?,4]", "[2,?]", "[2]"}, {}, kLeftLeft),
            "[?,4]");
  EXPECT_EQ(inferred(sluice_kernel_sci_diagonals_any, {"[5,?,4]", "[2]", "[]"},
                     {"", "i32[2] 0 1", ""}, kLeftLeft),
            "[5,2,?]");
}

} // namespace
} // namespace sluice::rt
