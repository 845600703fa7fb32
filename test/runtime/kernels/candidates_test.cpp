// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in a random order, and candidates among classes: what TensorFlow gave.
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

TEST(RandomIndexShuffle, IsTensorFlows) {
  const auto &kernel = sluice_kernel_sci_random_index_shuffle_any;
  const char *const seed = "i32[3] 7 -3 99";
  const std::vector<DType> types = {DType::kI32};
  checkCases(
      kernel,
      {{{"i32[5] 0 1 700 65536 70000", seed, "i32 70000"},
        {caseInt(4)},
        {"i32[5] 21519 13187 25406 29237 65146"},
        types},
       {{"i32[7] 0 1 2 3 4 5 6", seed, "i32 6"}, {caseInt(8)}, {"i32[7] 0 1 2 6 3 4 5"}, types},
       {{"i32 3", seed, "i32 0"}, {caseInt(4)}, {"i32 0"}, types},
       {{"i32 1", "i64[2,3] 7 4294967293 99 7 -3 99", "i32 70000"},
        {caseInt(4)},
        {"i32[2] 13187 13187"},
        types},
       {{"i32[0]", seed, "i32 5"}, {caseInt(4)}, {"i32[0]"}, types},
       {{"i32[1,1] 1", seed, "i32 5"},
        {caseInt(4)},
        {"INVALID_ARGUMENT: index must be a scalar or vector, got shape [1,1]"},
        types},
       {{"i32 1", seed, "i32[1,1] 5"},
        {caseInt(4)},
        {"INVALID_ARGUMENT: max_index must be a scalar or vector, got shape [1,1]"},
        types},
       {{"i32 1", "i32[2] 1 2", "i32 5"},
        {caseInt(4)},
        {"INVALID_ARGUMENT: seed must have shape [3] or [n,3], got shape [2]"},
        types},
       {{"i32[2] 1 2", seed, "i32[3] 5 5 5"},
        {caseInt(4)},
        {"INVALID_ARGUMENT: expected index, seed and max_index of one size but got shapes [2], [3] "
         "and [3]"},
        types}});
}

const char *const kPosition = "i64[3] 3 4 0";

std::vector<Attr> attrs(const char *distribution, int64_t range, int64_t count, bool isUnique) {
  return {caseInt(count), caseString(distribution), caseInt(range), caseInt(isUnique)};
}

std::vector<int64_t> drawn(const char *distribution, bool isUnique, float &expected) {
  Tensor position = tensorOf(kPosition), classes = tensorOf("i64[1,1] 1");
  Tensor outputs[3];
  const Tensor *inputs[] = {&position, &classes};
  const DType types[] = {DType::kI64, DType::kF32, DType::kF32};
  auto given = attrs(distribution, 6, 5, isUnique);
  EXPECT_TRUE(
      runKernel(sluice_kernel_sci_random_candidates_any, inputs, outputs, given, types, nullptr)
          .ok());
  expected = *outputs[1].data<float>();
  auto values = outputs[0].values<int64_t>();
  return {values.begin(), values.end()};
}

TEST(RandomCandidates, AreTensorFlows) {
  using Numbers = std::vector<int64_t>;
  float expected = 0;
  EXPECT_EQ(drawn("uniform", false, expected), (Numbers{1, 1, 5, 1, 5}));
  EXPECT_FLOAT_EQ(expected, 0.83333337f);
  EXPECT_EQ(drawn("uniform", true, expected), (Numbers{1, 5, 0, 3, 4}));
  EXPECT_FLOAT_EQ(expected, 0.83849442f);
  EXPECT_EQ(drawn("log_uniform", false, expected), (Numbers{1, 2, 0, 4, 0}));
  EXPECT_FLOAT_EQ(expected, 1.04183924f);
  EXPECT_EQ(drawn("log_uniform", true, expected), (Numbers{1, 2, 0, 4, 3}));
  EXPECT_FLOAT_EQ(expected, 0.87790138f);
}

TEST(RandomCandidates, FitTheirRange) {
  const std::vector<DType> types = {DType::kI64, DType::kF32, DType::kF32};
  checkCases(sluice_kernel_sci_random_candidates_any,
             {{{kPosition, "i64[0,2]"},
               attrs("uniform", 1, 2, false),
               {"i64[2] 0 0", "f32[0,2]", "f32[2] 2 2"},
               types},
              {{kPosition, "i64[1,1] 6"},
               attrs("uniform", 6, 2, false),
               {"INVALID_ARGUMENT: `true_candidate` out of range [0, 6), received 6"},
               types},
              {{kPosition, "i64[1] 0"},
               attrs("uniform", 6, 2, false),
               {"INVALID_ARGUMENT: true_classes must be a matrix, got shape [1]"},
               types},
              {{kPosition, "i64[1,1] 0"},
               attrs("uniform", 1, 2, true),
               {"INVALID_ARGUMENT: Sampler's range is too small."},
               types},
              {{"i64[2] 1 2", "i64[1,1] 0"},
               attrs("uniform", 1, 1, true),
               {"INVALID_ARGUMENT: expected a position of shape [3] but got [2]"},
               types}});
}

} // namespace
} // namespace sluice::rt
