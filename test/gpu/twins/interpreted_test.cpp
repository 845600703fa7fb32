// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX of kernels gives what their twins give, in every bit, and with a fault what the fault
// deserves; also one that comes about in LLVM's code generator, which twins do not see.
#include "test/gpu/twins/kernel_calls.h"

namespace sluice::test {
namespace {

using Run = Result (*)(SimulatedDriver &, const std::string &image, std::vector<float> &results);

Result axpy(SimulatedDriver &driver, const std::string &image, std::vector<float> &results) {
  results.assign(1000, 0.1f);
  return runAxpy(driver, image, results, 1000);
}
Result blockSum(SimulatedDriver &driver, const std::string &image, std::vector<float> &results) {
  results.resize(1);
  return runBlockSum(driver, image, results[0], 1000, 128);
}
Result transpose(SimulatedDriver &driver, const std::string &image, std::vector<float> &results) {
  return runTranspose(driver, image, results, 40);
}
Result matmul(SimulatedDriver &driver, const std::string &image, std::vector<float> &results) {
  int n = 48;
  std::vector<float> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = 1.0f / (i + 1);
    b[i] = 0.3f * (i % 17);
  }
  return runMatmul(driver, image, results, a, b, n);
}
Result twoStageSum(SimulatedDriver &driver, const std::string &image, std::vector<float> &results) {
  results.resize(1);
  return runTwoStageSum(driver, image, results[0], 2000);
}

struct Kernel {
  const char *name;
  Run run;
};
constexpr Kernel kKernels[] = {{"axpy", axpy},
                               {"block_sum", blockSum},
                               {"transpose", transpose},
                               {"matmul", matmul},
                               {"partial_sums", twoStageSum}};

TEST(Interpreted, givesTheBitsOfTwins) {
  for (const Kernel &kernel : kKernels) {
    SCOPED_TRACE(kernel.name);
    KernelRuns twin(kernel.name), ptx(kernel.name, RunBy::kPtx);
    for (uint64_t seed = 0; seed < 3; ++seed) {
      std::vector<float> expected, results;
      {
        SimulatedDriver driver(seed, twin.settings());
        ASSERT_EQ(kernel.run(driver, twin.image(), expected), kSuccess);
      }
      SimulatedDriver driver(seed, ptx.settings());
      ASSERT_EQ(kernel.run(driver, ptx.image(), results), kSuccess);
      EXPECT_EQ(results, expected);
    }
  }
}

TEST(Interpreted, aMissingBarrierIsARace) {
  constexpr const char *kBarrier = "llvm.nvvm.barrier.cta.sync.aligned.all";
  for (const Kernel &kernel : kKernels)
    for (size_t i = 0, count = KernelModule(kernel.name).calls(kBarrier).size(); i < count; ++i) {
      KernelModule mutant(kernel.name);
      mutant.eraseCall(kBarrier, i);
      SCOPED_TRACE(std::string(kernel.name) + ", barrier " + std::to_string(i));
      KernelRuns runs(mutant, RunBy::kPtx);
      for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        SimulatedDriver driver(seed, runs.settings());
        std::vector<float> results;
        testing::internal::CaptureStderr();
        EXPECT_EQ(kernel.run(driver, runs.image(), results), kLaunchFailed);
        EXPECT_NE(testing::internal::GetCapturedStderr().find("race: "), std::string::npos);
      }
    }
}

TEST(Interpreted, alignmentThatOnlyTheCodeGeneratorBelievesInIsFound) {
  KernelRuns runs("unaligned_row", RunBy::kPtx);
  SimulatedDriver driver(1, runs.settings());
  driver.begin();
  Function function = driver.function(runs.image(), "unaligned_row");
  Stream stream = driver.stream();
  DevicePointer to = driver.allocate(4);
  void *parameters[] = {&to};
  testing::internal::CaptureStderr();
  driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), kMisalignedAddress);
  std::string told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("writes 8 bytes at byte 8 of shared variable 'row' (1024 bytes)"),
            std::string::npos)
      << told;
}

} // namespace
} // namespace sluice::test
