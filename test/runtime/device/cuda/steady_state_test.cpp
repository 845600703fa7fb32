// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an iteration of a loop asks of the driver: to enqueue its work, and nothing that waits, or
// that takes as long as a launch.
#include "test/runtime/device/device_kinds.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

constexpr StreamId kIn = StreamId::kHostToDevice, kA = computeStream(0);

int asked; // by any of the functions below
cuda::Driver real;

// The driver, with each function counted that is not to be called.
cuda::Driver countingDriver() {
  real = *simulatedDriver();
  cuda::Driver driver = real;
  driver.cuEventQuery = [](cuda::Event event) { return ++asked, real.cuEventQuery(event); };
  driver.cuEventRecord = [](cuda::Event event, cuda::Stream stream) {
    return ++asked, real.cuEventRecord(event, stream);
  };
  driver.cuEventSynchronize = [](cuda::Event event) {
    return ++asked, real.cuEventSynchronize(event);
  };
  driver.cuStreamWaitEvent = [](cuda::Stream stream, cuda::Event event, unsigned flags) {
    return ++asked, real.cuStreamWaitEvent(stream, event, flags);
  };
  driver.cuStreamSynchronize = [](cuda::Stream stream) {
    return ++asked, real.cuStreamSynchronize(stream);
  };
  driver.cuCtxSynchronize = [] { return ++asked, real.cuCtxSynchronize(); };
  driver.cuMemAlloc = [](cuda::DevicePointer *pointer, size_t bytes) {
    return ++asked, real.cuMemAlloc(pointer, bytes);
  };
  return driver;
}

TEST(SteadyState, AnIterationOnlyEnqueues) {
  auto opened = cuda::CudaDevice::open(countingDriver(), 0, {});
  ASSERT_TRUE(opened.ok()) << opened.status().toString();
  Device &device = **opened;
  float number = 1;
  DeviceMemory operand = std::move(*device.allocate(4, kIn, "operand"));
  Moment there = *device.copyIn(operand.data(), &number, 4, kIn);
  DeviceMemory state = std::move(*device.allocate(4096, kA, "state"));
  for (int iteration = 0; iteration < 10; ++iteration) {
    if (iteration == 2) // then all memory is there, and the stream is behind the copy
      asked = 0;
    ASSERT_TRUE(device.order(kA, there).ok());
    DeviceMemory next = std::move(*device.allocate(4096, kA, "next"));
    DeviceMemory arena = std::move(*device.allocate(1024, kA, "arena"));
    ASSERT_TRUE(device.copyWithin(arena.data(), operand.data(), 4, kA).ok());
    Moment done = *device.copyWithin(next.data(), state.data(), 4096, kA);
    ASSERT_TRUE(operand.noteUse(done).ok());
    state = std::move(next);
  }
  EXPECT_EQ(asked, 0);
  ASSERT_TRUE(device.await(device.lastMoment(kA), {"the end", 60'000'000'000}).ok());
}

} // namespace
} // namespace sluice::rt
