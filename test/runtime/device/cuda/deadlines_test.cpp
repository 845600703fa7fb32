// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU that never ends anything: waits end all the same, and nobody frees what it may still use.
#include "test/runtime/device/device_kinds.h"

#include <gtest/gtest.h>

#include <atomic>

namespace sluice::rt {
namespace {

constexpr uint64_t kShort = 20'000'000, kLong = 60'000'000'000;
constexpr StreamId kA = computeStream(0), kB = computeStream(1);

std::atomic<bool> ends;
std::atomic<int> freed;
cuda::cuEventQueryFunction query;
cuda::cuMemFreeFunction freeMemory;

class StuckDevice : public testing::Test {
protected:
  void SetUp() override {
    ends = false;
    freed = 0;
    cuda::Driver driver = *simulatedDriver();
    query = driver.cuEventQuery;
    freeMemory = driver.cuMemFree;
    driver.cuEventQuery = [](cuda::Event event) { return ends ? query(event) : cuda::kNotReady; };
    driver.cuMemFree = [](cuda::DevicePointer pointer) {
      ++freed;
      return freeMemory(pointer);
    };
    cuda::CudaDevice::Options options;
    options.mostWaitNanoseconds = kShort;
    options.memoryLimit = 4 << 20;
    options.staging = {64, 4, 1024, 2};
    auto opened = cuda::CudaDevice::open(driver, 0, options);
    ASSERT_TRUE(opened.ok()) << opened.status().toString();
    device = std::move(*opened);
  }
  Moment work() {
    memory = std::move(*device->allocate(4096, kA, "x"));
    return *device->fill(memory.data(), 1, 1, 4096, kA);
  }
  std::unique_ptr<cuda::CudaDevice> device;
  DeviceMemory memory;
};

TEST_F(StuckDevice, WaitsEndInTime) {
  Moment moment = work();
  EXPECT_FALSE(*device->hasCompleted(moment));
  EXPECT_EQ(device->await(moment, {"the sum", kShort}).toString(),
            "DEADLINE_EXCEEDED: GPU:0: the sum did not come within 0.02 s");
  Cancellation cancellation;
  cancellation.request();
  EXPECT_EQ(device->await(moment, {"the sum", kLong, &cancellation}).toString(),
            "CANCELLED: GPU:0: the wait for the sum was ended");
  ends = true;
  EXPECT_TRUE(device->await(moment, {"the sum", kLong}).ok());
  memory.reset();
}

TEST_F(StuckDevice, CopiesDoNotWaitLongForStaging) {
  work();
  std::vector<char> data(100'000);
  EXPECT_EQ(device->copyIn(memory.data(), data.data(), 4000, kA).status().code(),
            Code::kDeadlineExceeded);
  for (int i = 0; i < 4; ++i)
    EXPECT_TRUE(device->copyIn(memory.data(), data.data(), 1, kA).ok());
  Status refused = device->copyIn(memory.data(), data.data(), 1, kA).status();
  EXPECT_EQ(refused.toString(),
            "DEADLINE_EXCEEDED: GPU:0: earlier copies between host and device do not end");
  ends = true;
  EXPECT_TRUE(device->copyIn(memory.data(), data.data(), 4000, kA).ok());
  memory.reset();
}

TEST_F(StuckDevice, AllocationDoesNotWaitLong) {
  work();
  EXPECT_EQ(device->allocate(4 << 20, kA, "y").status().code(), Code::kDeadlineExceeded);
  ends = true;
  memory.reset();
  EXPECT_TRUE(device->allocate(4 << 20, kA, "y").ok());
}

// Memory that is not used any more goes back, and other than that is ordered, not awaited.
TEST_F(StuckDevice, ReusesMemoryWithoutWaiting) {
  for (int i = 0; i < 50; ++i) {
    DeviceMemory other = std::move(*device->allocate(3 << 20, i % 2 ? kA : kB, "x"));
    EXPECT_TRUE(device->fill(other.data(), 1, 1, 100, i % 2 ? kA : kB).ok());
  }
  ends = true;
}

TEST_F(StuckDevice, TellsWhatIsLeftWhenItIsClosedAndFreesNothing) {
  Moment moment = work();
  CompletionInbox inbox;
  device->tell(moment, nullptr, inbox);
  Completion completion;
  EXPECT_FALSE(inbox.awaitNext(completion, kShort));
  memory.reset();
  device.reset();
  ASSERT_TRUE(inbox.tryTake(completion));
  EXPECT_EQ(completion.status.toString(), "CANCELLED: GPU:0 is being closed");
  EXPECT_EQ(freed, 0);
  ends = true;
  sluice_sim_restart();
}

TEST_F(StuckDevice, GivesMemoryBackWhenItIsClosed) {
  work();
  ends = true;
  memory.reset();
  device.reset();
  EXPECT_EQ(freed, 1);
}

// A system that starts no threads.
struct NoThreads final : Threads {
  std::unique_ptr<ThreadHandle> start(const char *, std::function<void()>) override {
    return nullptr;
  }
};

TEST(CudaDeviceWithoutThreads, WaitsBeforeItTells) {
  NoThreads none;
  cuda::CudaDevice::Options options;
  options.threads = &none;
  auto device = cuda::CudaDevice::open(*simulatedDriver(), 0, options);
  ASSERT_TRUE(device.ok()) << device.status().toString();
  CompletionInbox inbox;
  (*device)->tell((*device)->lastMoment(kA), nullptr, inbox);
  EXPECT_FALSE(inbox.empty());
}

} // namespace
} // namespace sluice::rt
