// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random choices, and numbers that are drawn until one is good: what TensorFlow printed for the
// seeds 1 and 2.
#include "runtime/base/arithmetic.h"
#include "test/runtime/kernels/kernel_case.h"

#include <set>

namespace sluice::rt {
namespace {

const char *const kPosition = "i64[3] -8033011296201900102 -616074917663951349 0";
const std::string kBadPosition = "INVALID_ARGUMENT: expected a position of shape [3] but got [2]";

TEST(RandomShuffle, IsTensorFlows) {
  const auto &kernel = sluice_kernel_sci_random_shuffle_any;
  checkCases(
      kernel,
      {{{kPosition, "i32[9] 0 1 2 3 4 5 6 7 8"}, {}, {"i32[9] 1 2 7 6 3 4 5 0 8"}, {DType::kI32}},
       {{kPosition, "string[3,2] a b c d e f"}, {}, {"string[3,2] c d e f a b"}, {DType::kString}},
       {{kPosition, "f32[0,2]"}, {}, {"f32[0,2]"}, {DType::kF32}},
       {{kPosition, "f32[2,0]"}, {}, {"f32[2,0]"}, {DType::kF32}},
       {{kPosition, "f32 7"}, {}, {"f32 7"}, {DType::kF32}},
       {{"i64[2] 1 2", "f32[1] 7"}, {}, {kBadPosition}, {DType::kF32}}});
}

TEST(RandomShuffle, HasEveryRowOnce) {
  Tensor position = tensorOf(kPosition), shuffled;
  Tensor input = *Tensor::allocate(DType::kI32, Shape{1000});
  for (int i = 0; i < 1000; ++i)
    input.data<int32_t>()[i] = i;
  const Tensor *inputs[] = {&position, &input};
  const DType dtype = DType::kI32;
  ASSERT_TRUE(runKernel(sluice_kernel_sci_random_shuffle_any, inputs, {&shuffled, 1}, {},
                        {&dtype, 1}, nullptr)
                  .ok());
  auto values = shuffled.values<int32_t>();
  EXPECT_EQ(std::set<int32_t>(values.begin(), values.end()).size(), 1000u);
}

TEST(RandomChoices, AreTensorFlows) {
  const auto &kernel = sluice_kernel_sci_random_choices_f32;
  const std::vector<DType> types = {DType::kI64};
  checkCases(kernel, {{{kPosition, "f32[3,4] 0 1 2 -1 3 0 -inf 3 1 1 1 nan", "i32 5"},
                       {},
                       {"i64[3,5] 2 3 1 2 2 3 3 0 3 3 2 1 0 1 1"},
                       types},
                      {{kPosition, "f32[2,3] 0 1 2 -1 3 0", "i32 0"}, {}, {"i64[2,0]"}, types},
                      {{kPosition, "f32[0,3]", "i32 2"}, {}, {"i64[0,2]"}, types},
                      {{kPosition, "f32[3] 0 1 2", "i32 5"},
                       {},
                       {"INVALID_ARGUMENT: logits should be a matrix, got shape [3]"},
                       types},
                      {{kPosition, "f32[1,1] 0", "i32[1] 5"},
                       {},
                       {"INVALID_ARGUMENT: num_samples should be a scalar, got shape [1]"},
                       types},
                      {{kPosition, "f32[1,1] 0", "i32 -5"},
                       {},
                       {"INVALID_ARGUMENT: num_samples should be non-negative, got -5"},
                       types},
                      {{kPosition, "f32[2,0]", "i32 5"},
                       {},
                       {"INVALID_ARGUMENT: num_classes should be positive, got 0"},
                       types},
                      {{"i64[2] 1 2", "f32[1,1] 7", "i32 1"}, {}, {kBadPosition}, types}});
}

template <typename T>
void expectNear(const Kernel &kernel, const char *shape, const char *alpha,
                const std::vector<double> &expected, double tolerance) {
  constexpr DType dtype = DTypeOf<T>::value;
  Tensor position = tensorOf(kPosition), dims = tensorOf(shape), parameters = tensorOf(alpha);
  Tensor output;
  const Tensor *inputs[] = {&position, &dims, &parameters};
  ASSERT_TRUE(runKernel(kernel, inputs, {&output, 1}, {}, {&dtype, 1}, nullptr).ok());
  ASSERT_EQ(output.elements(), static_cast<int64_t>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(static_cast<double>(static_cast<Compute<T>>(output.data<T>()[i])), expected[i],
                tolerance * expected[i]);
}

TEST(RandomGamma, IsTensorFlows) {
  const std::vector<double> wide = {0.06695361383821083, 2.2487352006448047, 2.2619924202884416,
                                    12.748073761796578,  0.62823544551181,   1.89350913788573,
                                    1.4950694623057916,  10.338543280417555};
  expectNear<double>(sluice_kernel_sci_random_gamma_f64, "i32[2] 2 4", "f64[4] 0.5 1 2 10", wide,
                     1e-14);
  expectNear<float>(sluice_kernel_sci_random_gamma_f32, "i64[2] 2 4", "f32[4] 0.5 1 2 10", wide,
                    1e-7);
  expectNear<Half>(sluice_kernel_sci_random_gamma_f16, "i32[1] 4", "f16[4] 0.5 1 2 10",
                   {0.06695556640625, 1.7197265625, 3.3359375, 10.921875}, 1e-3);
}

TEST(RandomGamma, FitsItsParameters) {
  const std::vector<DType> types = {DType::kF32};
  checkCases(sluice_kernel_sci_random_gamma_f32,
             {{{kPosition, "i32[2] 0 2", "f32[2] 1 2"}, {}, {"f32[0,2]"}, types},
              {{kPosition, "i32[2] 2 0", "f32[0]"}, {}, {"f32[2,0]"}, types},
              {{kPosition, "i32[1] 2", "f32 0"}, {}, {"f32[2] 0 0"}, types},
              {{kPosition, "i32[1] 2", "f32 nan"}, {}, {"f32[2] nan nan"}, types},
              {{kPosition, "i32[2] 2 3", "f32[2] 1 2"},
               {},
               {"INVALID_ARGUMENT: expected a shape that ends with that of the parameters, [2], "
                "but got [2,3]"},
               types},
              {{kPosition, "i32[1] -2", "f32 1"},
               {},
               {"INVALID_ARGUMENT: Dimension -2 must be >= 0"},
               types},
              {{"i64[2] 1 2", "i32[1] 1", "f32[1] 7"}, {}, {kBadPosition}, types}});
}

TEST(RandomPoisson, IsTensorFlows) {
  const std::string rates = "f64[4] 0.5 9 20 1000";
  const std::string numbers = "[3,4] 3 11 20 1015 2 11 19 996 1 13 14 985";
  checkCases(sluice_kernel_sci_random_poisson_i32,
             {{{kPosition, "i32[2] 3 4", rates}, {}, {"i32" + numbers}, {DType::kI32}},
              {{kPosition, "i32[1] 4", "f64[4] 0 -3 nan inf"},
               {},
               {"i32[4] 0 0 0 2147483647"},
               {DType::kI32}},
              {{kPosition, "i32[1] 4", "f64[3] 0 1 2"},
               {},
               {"INVALID_ARGUMENT: expected a shape that ends with that of the parameters, [3], "
                "but got [4]"},
               {DType::kI32}}});
  checkCases(sluice_kernel_sci_random_poisson_i64,
             {{{kPosition, "i32[2] 3 4", rates}, {}, {"i64" + numbers}, {DType::kI64}}});
  checkCases(
      sluice_kernel_sci_random_poisson_f16,
      {{{kPosition, "i32[2] 3 4", rates}, {}, {"f16" + numbers}, {DType::kF16}},
       {{kPosition, "i32[1] 3", "f64[3] nan inf 1e6"}, {}, {"f16[3] nan inf inf"}, {DType::kF16}}});
}

TEST(RandomBinomial, IsTensorFlows) {
  const char *const counts = "f32[6] 10 100 100 1000 5 7", *const probs =
                                                               "f32[6] 0.3 0.3 0.8 0.99 1 0";
  checkCases(sluice_kernel_sci_random_binomial_i32,
             {{{kPosition, "i32[2] 2 6", counts, probs},
               {},
               {"i32[2,6] 5 37 84 987 5 0 5 42 77 997 5 0"},
               {DType::kI32}},
              {{kPosition, "i32[1] 3", "f32[3] -1 inf 5", "f32[3] 0.5 0.5 nan"},
               {},
               {"i32[3] 0 2147483647 0"},
               {DType::kI32}},
              {{kPosition, "i32[1] 2", "f32[2] 1 2", "f32 0.5"},
               {},
               {"INVALID_ARGUMENT: expected counts and probs of one shape but got [2] and []"},
               {DType::kI32}}});
  // In 16 bits, the probabilities are others.
  checkCases(
      sluice_kernel_sci_random_binomial_f32,
      {{{kPosition, "i32[2] 2 6", "f16[6] 10 100 100 1000 5 7", "f16[6] 0.3 0.3 0.8 0.99 1 0"},
        {},
        {"f32[2,6] 5 37 84 987 5 0 5 42 76 997 5 0"},
        {DType::kF32}}});
}

} // namespace
} // namespace sluice::rt
