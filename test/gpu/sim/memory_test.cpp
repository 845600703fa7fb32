// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations: their limits, their contents, their end; and what the host may not do with them.
#include "test/gpu/sim/handwritten_twin.h"
#include "test/gpu/sim/simulated_driver.h"

#include <cstring>

namespace sluice::test {
namespace {

TEST(SimulatedMemory, isFilledSoThatNobodyReliesOnZeros) {
  SimulatedDriver driver;
  driver.begin();
  DevicePointer pointer = driver.allocate(16);
  EXPECT_EQ(driver.download<uint8_t>(pointer, 16), std::vector<uint8_t>(16, 0xFF));
}

TEST(SimulatedMemory, hasAnEnd) {
  SimulatedDriver driver(1, {{"SLUICE_SIM_MEMORY", "65536"}});
  driver.begin();
  DevicePointer pointer = driver.allocate(60000), more;
  EXPECT_EQ(driver.cuMemAlloc(&more, 10000), kOutOfMemory);
  size_t free, total;
  EXPECT_EQ(driver.cuMemGetInfo(&free, &total), kSuccess);
  EXPECT_EQ(total, 65536u);
  EXPECT_LE(free, 65536u - 60000);
  EXPECT_EQ(driver.cuMemFree(pointer), kSuccess);
  EXPECT_EQ(driver.cuMemAlloc(&more, 10000), kSuccess);
}

TEST(SimulatedMemory, cannotBeTouchedByTheHost) {
  SimulatedDriver driver;
  driver.begin();
  DevicePointer pointer = driver.allocate(16);
  EXPECT_DEATH(*reinterpret_cast<volatile char *>(pointer) = 1, "");
}

TEST(SimulatedMemory, refusesCopiesThatDoNotFit) {
  SimulatedDriver driver;
  driver.begin();
  DevicePointer pointer = driver.allocate(16);
  char bytes[32] = {};
  testing::internal::CaptureStderr();
  EXPECT_EQ(driver.cuMemcpyHtoD(pointer, bytes, 17), kInvalidValue);
  EXPECT_EQ(driver.cuMemcpyDtoH(bytes, pointer + 8, 9), kInvalidValue);
  EXPECT_EQ(driver.cuMemcpyHtoD(pointer - 1, bytes, 1), kInvalidValue);
  EXPECT_EQ(driver.cuMemFree(pointer + 1), kInvalidValue);
  EXPECT_EQ(driver.cuMemFree(pointer), kSuccess);
  EXPECT_EQ(driver.cuMemFree(pointer), kInvalidValue);
  EXPECT_EQ(driver.cuMemcpyHtoD(pointer, bytes, 1), kInvalidValue);
  testing::internal::GetCapturedStderr();
}

// ---- In the order of streams --------------------------------------------------------------------

Result launchFill(SimulatedDriver &driver, Stream stream, Function fill, DevicePointer to) {
  float value = 5;
  void *parameters[] = {&to, &value};
  return driver.cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr);
}

// Allocates, fills and frees on `first`; what `between` does with it on another stream is judged.
template <typename Between> Result withTemporary(uint64_t seed, Between between) {
  SimulatedDriver driver(seed);
  driver.begin();
  Function fill = driver.function(handwrittenImage(), "fill");
  Stream first = driver.stream(), second = driver.stream();
  DevicePointer pointer = 0;
  EXPECT_EQ(driver.cuMemAllocAsync(&pointer, 256, first), kSuccess);
  testing::internal::CaptureStderr();
  launchFill(driver, first, fill, pointer);
  between(driver, first, second, fill, pointer);
  driver.cuMemFreeAsync(pointer, first);
  Result result = driver.cuCtxSynchronize();
  testing::internal::GetCapturedStderr();
  return result;
}

void order(SimulatedDriver &driver, Stream before, Stream after) {
  Event event;
  driver.cuEventCreate(&event, 0);
  driver.cuEventRecord(event, before);
  driver.cuStreamWaitEvent(after, event, 0);
}

TEST(SimulatedMemory, livesInTheOrderOfItsStream) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed)
    EXPECT_EQ(withTemporary(seed,
                            [](auto &driver, Stream first, Stream second, Function fill,
                               DevicePointer pointer) {
                              order(driver, first, second);
                              launchFill(driver, second, fill, pointer);
                              order(driver, second, first);
                            }),
              kSuccess);
}

TEST(SimulatedMemory, useBeforeItsAllocationIsFound) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed)
    EXPECT_NE(withTemporary(seed,
                            [](auto &driver, Stream first, Stream second, Function fill,
                               DevicePointer pointer) {
                              launchFill(driver, second, fill, pointer);
                              order(driver, second, first);
                            }),
              kSuccess)
        << seed;
}

TEST(SimulatedMemory, useThatItsFreeDoesNotWaitForIsFound) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed)
    EXPECT_NE(withTemporary(seed,
                            [](auto &driver, Stream first, Stream second, Function fill,
                               DevicePointer pointer) {
                              order(driver, first, second);
                              launchFill(driver, second, fill, pointer);
                            }),
              kSuccess)
        << seed;
}

TEST(SimulatedMemory, aFreedAllocationCannotBeNamed) {
  SimulatedDriver driver(1, {{"SLUICE_SIM_POLICY", "lazy"}});
  driver.begin();
  Stream stream = driver.stream();
  DevicePointer pointer;
  EXPECT_EQ(driver.cuMemAllocAsync(&pointer, 256, stream), kSuccess);
  EXPECT_EQ(driver.cuMemFreeAsync(pointer, stream), kSuccess);
  testing::internal::CaptureStderr();
  EXPECT_EQ(driver.cuMemsetD8Async(pointer, 0, 1, stream), kInvalidValue);
  EXPECT_EQ(driver.cuMemFreeAsync(pointer, stream), kInvalidValue);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("freed already"), std::string::npos);
}

TEST(SimulatedMemory, poolsCountWhatIsUsed) {
  SimulatedDriver driver;
  driver.begin();
  MemoryPoolProperties properties = {};
  properties.allocationType = kAllocationPinned;
  properties.location = {kLocationDevice, 0};
  MemoryPool pool;
  ASSERT_EQ(driver.cuMemPoolCreate(&pool, &properties), kSuccess);
  uint64_t threshold = UINT64_MAX, used = 0;
  EXPECT_EQ(driver.cuMemPoolSetAttribute(pool, kPoolReleaseThreshold, &threshold), kSuccess);
  Stream stream = driver.stream();
  DevicePointer pointer;
  EXPECT_EQ(driver.cuMemAllocFromPoolAsync(&pointer, 100, pool, stream), kSuccess);
  EXPECT_EQ(driver.cuMemPoolGetAttribute(pool, kPoolUsedCurrent, &used), kSuccess);
  EXPECT_EQ(used, 100u);
  testing::internal::CaptureStderr();
  EXPECT_EQ(driver.cuMemPoolDestroy(pool), kInvalidValue);
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(driver.cuMemFreeAsync(pointer, stream), kSuccess);
  EXPECT_EQ(driver.cuStreamSynchronize(stream), kSuccess);
  EXPECT_EQ(driver.cuMemPoolDestroy(pool), kSuccess);
}

TEST(SimulatedMemory, leaksAreToldWhenAskedFor) {
  for (bool freed : {false, true}) {
    SimulatedDriver driver(1, {{"SLUICE_SIM_LEAKS", "1"}});
    driver.begin();
    DevicePointer pointer = driver.allocate(16);
    if (freed)
      EXPECT_EQ(driver.cuMemFree(pointer), kSuccess);
    testing::internal::CaptureStderr();
    EXPECT_EQ(driver.cuDevicePrimaryCtxRelease(0), freed ? kSuccess : kLaunchFailed);
    EXPECT_EQ(testing::internal::GetCapturedStderr().empty(), freed);
  }
}

} // namespace
} // namespace sluice::test
