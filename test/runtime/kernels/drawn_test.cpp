// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers that follow from keys: numbers that TensorFlow printed for the seeds 1 and 2.
#include "runtime/base/arithmetic.h"
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

const char *const kPosition = "i64[3] -8033011296201900102 -616074917663951349 0";
constexpr DType kU64 = DType::kU64;

TEST(RandomKey, Cases) {
  checkCases(sluice_kernel_sci_random_key_any,
             {{{"i64[2] 1 2"},
               {},
               {"u64[1] 10413732777507651514", "u64[2] 0 17830669156045600267"},
               {kU64, kU64}},
              {{"i32[2] -1 2147483647"},
               {},
               {"u64[1] 2239773067629616033", "u64[2] 0 17156273573732702654"},
               {kU64, kU64}},
              {{"i64[3] 1 2 3"},
               {},
               {"INVALID_ARGUMENT: seed must have shape [2], not [3]"},
               {kU64, kU64}}});
}

TEST(RandomStream, Cases) {
  const std::vector<DType> types = {DType::kI64};
  for (const char *algorithm : {"i32 1", "i32 3"})
    checkCases(sluice_kernel_sci_random_stream_any,
               {{{"u64[1] 5", "u64[2] 6 7", algorithm}, {}, {"i64[3] 5 7 6"}, types},
                {{"u64[1] 5", "u64[3] 6 7 8", algorithm}, {}, {"i64[3] 5 7 6"}, types}});
  checkCases(sluice_kernel_sci_random_stream_any,
             {{{"u64[1] 5", "u64[2] 6 7", "i32 2"},
               {},
               {"UNIMPLEMENTED: expected the algorithm Philox but got ThreeFry"},
               types},
              {{"u64[1] 5", "u64[2] 6 7", "i32 4"},
               {},
               {"INVALID_ARGUMENT: Unsupported algorithm id: 4"},
               types},
              {{"u64[2] 5 5", "u64[2] 6 7", "i32 1"},
               {},
               {"INVALID_ARGUMENT: key must have shape [1], not [2]"},
               types},
              {{"u64[1] 5", "u64[1] 6", "i32 1"},
               {},
               {"INVALID_ARGUMENT: expected a counter of 2 or more numbers but got shape [1]"},
               types},
              {{"u64[1] 5", "u64[2] 6 7", "i32[1] 1"},
               {},
               {"INVALID_ARGUMENT: algorithm must be of shape [], not [1]"},
               types}});
}

template <typename T>
void expectNear(const Kernel &kernel, const std::vector<double> &expected, double tolerance) {
  constexpr DType dtype = DTypeOf<T>::value;
  Tensor position = tensorOf(kPosition);
  Tensor shape = tensorOf("i32[1] " + std::to_string(expected.size())), output;
  const Tensor *inputs[] = {&position, &shape};
  ASSERT_TRUE(runKernel(kernel, inputs, {&output, 1}, {}, {&dtype, 1}, nullptr).ok());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(static_cast<double>(static_cast<Compute<T>>(output.data<T>()[i])), expected[i],
                tolerance);
}

TEST(RandomNormal, IsTensorFlows) {
  expectNear<float>(sluice_kernel_sci_random_normal_f32,
                    {0.544110119342804, 0.20738030970096588, 0.0735643208026886}, 1e-6);
  expectNear<Half>(sluice_kernel_sci_random_normal_f16,
                   {0.5439453125, 0.2073974609375, 0.07354736328125}, 1e-3);
  expectNear<BFloat16>(sluice_kernel_sci_random_normal_bf16,
                       {0.54296875, 0.20703125, 0.07373046875}, 4e-3);
  expectNear<double>(sluice_kernel_sci_random_normal_f64,
                     {-0.1423118100189212, 0.7406072461585091, -1.469047669443883}, 1e-14);
}

TEST(RandomTruncatedNormal, IsTensorFlows) {
  expectNear<float>(sluice_kernel_sci_random_truncated_normal_f32,
                    {0.544110119342804, 0.20738030970096588, 0.0735643208026886,
                     0.04643455147743225, 0.16820591688156128},
                    1e-6);
  expectNear<double>(sluice_kernel_sci_random_truncated_normal_f64,
                     {-0.1423118100189212, 0.7406072461585091, -0.552387756244845,
                      -0.734450092480207, -0.39842023956588357},
                     1e-14);
}

TEST(RandomTruncatedNormal, IsNearItsMean) {
  Tensor position = tensorOf(kPosition), shape = tensorOf("i32[1] 10001"), output;
  const Tensor *inputs[] = {&position, &shape};
  const DType dtype = DType::kF32;
  ASSERT_TRUE(runKernel(sluice_kernel_sci_random_truncated_normal_f32, inputs, {&output, 1}, {},
                        {&dtype, 1}, nullptr)
                  .ok());
  for (int64_t i = 0; i < output.elements(); ++i)
    EXPECT_LT(std::abs(output.data<float>()[i]), 2);
}

TEST(RandomBits, IsTensorFlows) {
  checkCases(
      sluice_kernel_sci_random_bits_i32,
      {{{kPosition, "i32[1] 3"}, {}, {"i32[3] 1105988140 1738052849 -335576002"}, {DType::kI32}},
       {{kPosition, "i32[2] 0 3"}, {}, {"i32[0,3]"}, {DType::kI32}},
       {{kPosition, "i32[1] -3"},
        {},
        {"INVALID_ARGUMENT: Dimension -3 must be >= 0"},
        {DType::kI32}},
       {{"i64[2] 1 2", "i32[1] 3"},
        {},
        {"INVALID_ARGUMENT: expected a position of shape [3] but got [2]"},
        {DType::kI32}}});
  checkCases(sluice_kernel_sci_random_bits_u64,
             {{{kPosition, "i32[1] 3"},
               {},
               {"u64[3] 7464880146280614444 1591045637757961278 17389275318164050067"},
               {kU64}}});
}

TEST(RandomInt, IsTensorFlows) {
  checkCases(
      sluice_kernel_sci_random_int_i32,
      {{{kPosition, "i32[1] 5", "i32 3", "i32 103"}, {}, {"i32[5] 43 52 97 82 30"}, {DType::kI32}},
       {{kPosition, "i32[1] 0", "i32 5", "i32 5"}, {}, {"i32[0]"}, {DType::kI32}},
       {{kPosition, "i32[1] 1", "i32 5", "i32 5"},
        {},
        {"INVALID_ARGUMENT: Need minval < maxval, got 5 >= 5"},
        {DType::kI32}},
       {{kPosition, "i32[1] 1", "i32[1] 5", "i32 7"},
        {},
        {"INVALID_ARGUMENT: minval must be 0-D, got shape [1]"},
        {DType::kI32}}});
  checkCases(
      sluice_kernel_sci_random_int_i64,
      {{{kPosition, "i32[1] 5", "i64 3", "i64 103"}, {}, {"i64[5] 47 81 70 6 26"}, {DType::kI64}}});
}

} // namespace
} // namespace sluice::rt
