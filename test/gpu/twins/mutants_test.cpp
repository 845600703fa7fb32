// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with one fault each: it is found with every seed, and told in words that lead to it.
#include "test/gpu/twins/kernel_calls.h"

namespace sluice::test {
namespace {

constexpr const char *kBarrier = "llvm.nvvm.barrier.cta.sync.aligned.all";

// `run` must end with `result`, and stderr must hold `words`.
template <typename Run>
void expectFound(const KernelModule &kernel, Result result, const std::string &words, Run run) {
  KernelRuns runs(kernel);
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimulatedDriver driver(seed, runs.settings());
    testing::internal::CaptureStderr();
    EXPECT_EQ(run(driver, runs.image()), result) << "seed " << seed;
    std::string told = testing::internal::GetCapturedStderr();
    EXPECT_NE(told.find(words), std::string::npos) << "seed " << seed << ": " << told;
  }
}

Result blockSum(SimulatedDriver &driver, const std::string &image) {
  float sum;
  return runBlockSum(driver, image, sum, 1000, 128);
}
Result transpose(SimulatedDriver &driver, const std::string &image) {
  std::vector<float> result;
  return runTranspose(driver, image, result, 40);
}
Result matmul(SimulatedDriver &driver, const std::string &image) {
  std::vector<float> result, a(48 * 48), b(48 * 48);
  return runMatmul(driver, image, result, a, b, 48);
}
Result twoStageSum(SimulatedDriver &driver, const std::string &image) {
  float sum;
  return runTwoStageSum(driver, image, sum, 2000);
}
Result axpy(SimulatedDriver &driver, const std::string &image) {
  std::vector<float> y(1000);
  return runAxpy(driver, image, y, 1000);
}

// ---- Barriers -----------------------------------------------------------------------------------

// Each barrier of each kernel is needed.
TEST(Mutants, aMissingBarrierIsARace) {
  struct Case {
    const char *name;
    size_t barriers;
    Result (*run)(SimulatedDriver &, const std::string &);
  };
  for (const Case &one : {Case{"block_sum", 1, blockSum}, Case{"transpose", 1, transpose},
                          Case{"matmul", 2, matmul}, Case{"partial_sums", 2, twoStageSum}}) {
    ASSERT_EQ(KernelModule(one.name).calls(kBarrier).size(), one.barriers) << one.name;
    for (size_t i = 0; i < one.barriers; ++i) {
      KernelModule kernel(one.name);
      kernel.eraseCall(kBarrier, i);
      SCOPED_TRACE(std::string(one.name) + ", barrier " + std::to_string(i));
      expectFound(kernel, kLaunchFailed, "race: ", one.run);
    }
  }
}

// The same by the simulator, of twins and of PTX: the second barrier of the code, in each round.
TEST(Mutants, aBarrierThatIsLeftOutIsARace) {
  for (RunBy by : {RunBy::kTwin, RunBy::kPtx}) {
    KernelRuns runs("matmul", by);
    for (const char *omission : {"barrier:1", "barrier:2", "barrier:3"}) {
      SimulatedDriver::Settings settings = runs.settings();
      settings["SLUICE_SIM_OMIT"] = omission;
      SimulatedDriver driver(1, settings);
      bool isThere = std::string(omission) != "barrier:3";
      testing::internal::CaptureStderr();
      EXPECT_EQ(matmul(driver, runs.image()), isThere ? kLaunchFailed : kSuccess);
      std::string told = testing::internal::GetCapturedStderr();
      EXPECT_EQ(told.find("left out: barrier") != std::string::npos, isThere) << told;
      EXPECT_EQ(told.find("race: ") != std::string::npos, isThere) << told;
    }
  }
}

// A kernel that does not go on in strides does not do all of its work then.
TEST(Mutants, gridsCanBeMadeSmaller) {
  KernelRuns runs("axpy");
  SimulatedDriver::Settings settings = runs.settings();
  settings["SLUICE_SIM_GRID"] = "3";
  SimulatedDriver driver(1, settings);
  std::vector<float> y(1000);
  EXPECT_EQ(runAxpy(driver, runs.image(), y, 1000), kSuccess);
  EXPECT_NE(y[3 * 128 - 1], 0);
  EXPECT_EQ(y[3 * 128], 0);
}

TEST(Mutants, aBarrierThatSomeThreadsDoNotReachIsDivergent) {
  KernelModule kernel("block_sum");
  // Only the first lane of each warp comes by.
  kernel.replaceText("  br label %if.end\n",
                     "  call void @" + std::string(kBarrier) + "(i32 0)\n  br label %if.end\n");
  expectFound(kernel, kLaunchFailed, "divergent barrier: the 128 threads", blockSum);
}

TEST(Mutants, aBarrierAfterSomeThreadsHaveEndedIsDivergent) {
  KernelModule kernel("transpose");
  kernel.replaceText("br i1 %or.cond, label %if.then, label %if.end\n",
                     "br i1 %or.cond, label %if.then, label %if.end26\n");
  expectFound(kernel, kLaunchFailed, "threads wait at a barrier", transpose);
}

// ---- Warps --------------------------------------------------------------------------------------

TEST(Mutants, aShuffleWithAnAbsentLaneIsFound) {
  KernelModule kernel("block_sum");
  // The first half of the warp shuffles with the other, which is not there.
  kernel.replaceText("%cmp11 = icmp samesign ult i32 %0, 32", "%cmp11 = icmp ult i32 %0, 16");
  expectFound(kernel, kLaunchFailed, "absent lane", blockSum);
}

// The lanes that are there want nothing of the others, but wait for them.
TEST(Mutants, aLaneThatNeverComesIsFound) {
  KernelModule kernel("block_sum");
  kernel.replaceText("%cmp11 = icmp samesign ult i32 %0, 32", "%cmp11 = icmp ult i32 %0, 16");
  kernel.replaceText("%d17.050 = phi i32 [ %shr24, %for.body21 ], [ 16,",
                     "%d17.050 = phi i32 [ %shr24, %for.body21 ], [ 8,");
  expectFound(kernel, kLaunchFailed, "absent lane: 16 threads wait for lanes", blockSum);
}

TEST(Mutants, aShuffleWithALaneOfAnotherMaskIsFound) {
  KernelModule kernel("block_sum");
  kernel.replaceText("%3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1,",
                     "%lane = and i32 %0, 31\n"
                     "  %high = icmp ugt i32 %lane, 15\n"
                     "  %mask = select i1 %high, i32 -65536, i32 65535\n"
                     "  %3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 %mask,");
  expectFound(kernel, kLaunchFailed, "absent lane: shuffles with lane", blockSum);
}

TEST(Mutants, aLaneThatItsMaskDoesNotNameIsFound) {
  KernelModule kernel("block_sum");
  kernel.replaceText("@llvm.nvvm.shfl.sync.bfly.f32(i32 -1,",
                     "@llvm.nvvm.shfl.sync.bfly.f32(i32 65535,");
  expectFound(kernel, kLaunchFailed, "exchange of the lanes 0x0000ffff", blockSum);
}

// ---- Addresses ----------------------------------------------------------------------------------

TEST(Mutants, aMissingGuardIsOutOfBounds) {
  KernelModule kernel("axpy");
  kernel.replaceText("%cmp = icmp slt i32 %add, %n", "%cmp = icmp sle i32 %add, %n");
  expectFound(kernel, kIllegalAddress, "out of bounds: reads 4 bytes at 0 bytes behind the end of",
              axpy);
}

TEST(Mutants, sharedMemoryHasBoundsToo) {
  KernelModule kernel("transpose");
  kernel.replaceText("global [16 x [17 x float]] undef", "global [16 x [16 x float]] undef");
  expectFound(kernel, kIllegalAddress, "shared variable 'tile' (1024 bytes)", transpose);
}

TEST(Mutants, aWideReadOfNarrowMemoryIsMisaligned) {
  KernelModule kernel("axpy");
  // Two floats at once from any place, as if each were even.
  kernel.replaceText("%3 = load float, ptr addrspace(1) %arrayidx, align 4",
                     "%w = load <2 x float>, ptr addrspace(1) %arrayidx, align 8\n"
                     "  %3 = extractelement <2 x float> %w, i32 0");
  expectFound(kernel, kMisalignedAddress, "which is not a multiple of 8", axpy);
}

TEST(Mutants, sharedVariablesAreAlignedNoBetterThanTheySay) {
  KernelModule kernel("transpose");
  kernel.replaceText("store float %4, ptr addrspace(3) %arrayidx9, align 4",
                     "store float %4, ptr addrspace(3) %arrayidx9, align 4\n"
                     "  %wide = load <2 x float>, ptr addrspace(3) @tile, align 8");
  expectFound(kernel, kMisalignedAddress, "shared variable 'tile'", transpose);
}

// ---- Blocks -------------------------------------------------------------------------------------

TEST(Mutants, blocksThatWriteTheSamePlaceAreARace) {
  KernelModule kernel("axpy");
  kernel.replaceText("%add = add nuw nsw i32 %mul, %2", "%add = add nuw nsw i32 0, %2");
  expectFound(kernel, kLaunchFailed, "race: ", axpy);
}

TEST(Mutants, aTrapIsFound) {
  KernelModule kernel("axpy");
  kernel.replaceText("if.then:", "if.then:\n  call void @llvm.trap()");
  kernel.module();
  expectFound(kernel, kIllegalInstruction, "reaches a trap", axpy);
}

} // namespace
} // namespace sluice::test
