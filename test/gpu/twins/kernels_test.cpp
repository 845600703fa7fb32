// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on the simulated driver give what they should, with every seed.
#include "test/gpu/twins/kernel_calls.h"

namespace sluice::test {
namespace {

TEST(Twins, axpyStopsAtItsEnd) {
  KernelRuns runs("axpy");
  for (uint64_t seed = 0; seed < kSeeds; ++seed)
    for (int count : {1, 127, 128, 1000}) {
      SimulatedDriver driver(seed, runs.settings());
      std::vector<float> y(count + 1, 1.0f);
      EXPECT_EQ(runAxpy(driver, runs.image(), y, count), kSuccess);
      for (int i = 0; i < count; ++i)
        ASSERT_EQ(y[i], 1.0f + 2.0f * i) << i;
      EXPECT_EQ(y[count], 1.0f);
    }
}

TEST(Twins, blockSumUsesShufflesAndSharedMemory) {
  KernelRuns runs("block_sum");
  for (uint64_t seed = 0; seed < kSeeds; ++seed)
    for (unsigned block : {32, 128, 1024}) {
      SimulatedDriver driver(seed, runs.settings());
      float sum = 0;
      EXPECT_EQ(runBlockSum(driver, runs.image(), sum, 1000, block), kSuccess);
      EXPECT_EQ(sum, 999.0f * 1000 / 2);
    }
}

TEST(Twins, transposeGoesThroughTiles) {
  KernelRuns runs("transpose");
  for (uint64_t seed = 0; seed < kSeeds; ++seed)
    for (int n : {1, 16, 40}) {
      SimulatedDriver driver(seed, runs.settings());
      std::vector<float> result;
      EXPECT_EQ(runTranspose(driver, runs.image(), result, n), kSuccess);
      for (int i = 0; i < n * n; ++i)
        ASSERT_EQ(result[i], float(i % n * n + i / n));
    }
}

TEST(Twins, matmulSharesTiles) {
  KernelRuns runs("matmul");
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimulatedDriver driver(seed, runs.settings());
    int n = 48;
    std::vector<float> a(n * n), b(n * n), result;
    for (int i = 0; i < n * n; ++i) {
      a[i] = i % 7;
      b[i] = i % 5;
    }
    EXPECT_EQ(runMatmul(driver, runs.image(), result, a, b, n), kSuccess);
    for (int i = 0; i < n * n; ++i) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i / n * n + k] * b[k * n + i % n];
      ASSERT_EQ(result[i], sum);
    }
  }
}

TEST(Twins, sumsInTwoStages) {
  KernelRuns runs("partial_sums");
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimulatedDriver driver(seed, runs.settings());
    float sum = 0;
    EXPECT_EQ(runTwoStageSum(driver, runs.image(), sum, 2000), kSuccess);
    EXPECT_EQ(sum, 1999.0f * 2000 / 2);
  }
}

} // namespace
} // namespace sluice::test
