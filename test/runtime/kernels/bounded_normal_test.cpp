// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normal random numbers between bounds: what TensorFlow gave for the seeds 1 and 2, and errors.
#include "runtime/base/arithmetic.h"
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

const char *const kPosition = "i64[3] -8033011296201900102 -616074917663951349 0";

// Distributions that are drawn in each way: from the whole one, evenly, and from its end.
template <typename T>
void expectNear(const Kernel &kernel, const std::string &type, const std::vector<double> &expected,
                double tolerance) {
  constexpr DType dtype = DTypeOf<T>::value;
  Tensor position = tensorOf(kPosition), shape = tensorOf("i32[2] 3 6");
  Tensor means = tensorOf(type + "[6] 0 0 0 0 1 0"),
         deviations = tensorOf(type + "[6] 1 1 1 1 2 1");
  Tensor lows = tensorOf(type + "[6] -2 0 2 -inf -1 3");
  Tensor highs = tensorOf(type + "[6] 2 0.5 inf -2 0 3.1"), output;
  const Tensor *inputs[] = {&position, &shape, &means, &deviations, &lows, &highs};
  ASSERT_TRUE(runKernel(kernel, inputs, {&output, 1}, {}, {&dtype, 1}, nullptr).ok());
  ASSERT_EQ(output.elements(), static_cast<int64_t>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(static_cast<double>(static_cast<Compute<T>>(output.data<T>()[i])), expected[i],
                tolerance * std::abs(expected[i]));
}

TEST(RandomBoundedNormal, IsTensorFlows) {
  expectNear<double>(sluice_kernel_sci_random_bounded_normal_f64, "f64",
                     {-0.1423118100189212, 0.257405935865611, 2.6350105135360486,
                      -2.0582981296834184, -0.26340990668772046, 3.0348371110079233,
                      0.7406072461585091, 0.30387252489031136, 2.19247383914995, -2.48960204865576,
                      -0.8098930972388363, 3.045691786341724, -1.469047669443883,
                      0.41987402767561155, 2.08757286074671, -2.2610695422748917,
                      -0.7229589021864624, 3.05638515439832},
                     1e-13);
  expectNear<float>(sluice_kernel_sci_random_bounded_normal_f32, "f32",
                    {0.544110119342804, 0.13599509000778198, 2.305412769317627, -2.218104600906372,
                     -0.5785424709320068, 3.0108587741851807, 0.20738030970096588,
                     0.32467299699783325, 2.1046524047851562, -2.0335841178894043,
                     -0.09176790714263916, 3.0253472328186035, 0.0735643208026886,
                     0.05347222089767456, 2.20817494392395, -2.177173376083374, -0.4093879461288452,
                     3.080138683319092},
                    1e-6);
  expectNear<Half>(sluice_kernel_sci_random_bounded_normal_f16, "f16",
                   {0.5439453125, 0.07177734375, 2.017578125, -3.189453125, -0.8603515625,
                    3.001953125, 0.2073974609375, 0.22119140625, 2.04296875, -2.126953125,
                    -0.6943359375, 3.044921875, 0.07354736328125, 0.04443359375, 2.27734375,
                    -2.359375, -0.0849609375, 3.06640625},
                   1e-3);
}

TEST(RandomBoundedNormal, FitsItsParameters) {
  const std::vector<DType> types = {DType::kF32};
  const std::string bad =
      "INVALID_ARGUMENT: Invalid parameters: expected a positive deviation, and "
      "bounds of which the first one is smaller and one is finite";
  checkCases(sluice_kernel_sci_random_bounded_normal_f32,
             {{{kPosition, "i32[2] 0 1", "f32[1] 0", "f32[1] 0", "f32[1] 0", "f32[1] 0"},
               {},
               {"f32[0,1]"},
               types},
              {{kPosition, "i32[1] 1", "f32 0", "f32 0", "f32 0", "f32 1"}, {}, {bad}, types},
              {{kPosition, "i32[1] 1", "f32 0", "f32 1", "f32 1", "f32 1"}, {}, {bad}, types},
              {{kPosition, "i32[1] 1", "f32 0", "f32 1", "f32 -inf", "f32 inf"}, {}, {bad}, types},
              {{kPosition, "i32[1] 1", "f32 nan", "f32 1", "f32 0", "f32 1"},
               {},
               {"INTERNAL: no number between the bounds was found in 1000 tries"},
               types},
              {{kPosition, "i32[1] 1", "f32 0", "f32[1] 1", "f32 0", "f32 1"},
               {},
               {"INVALID_ARGUMENT: expected parameters of one shape but got [] and [1]"},
               types}});
}

} // namespace
} // namespace sluice::rt
