// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU as a device: work completes on workers, and without any.
#include "runtime/device/cpu/cpu_device.h"

#include <gtest/gtest.h>

#include <set>

namespace sluice::rt {
namespace {

struct Count final : Device::Work {
  explicit Count(int number) : number(number) {}
  Status run() override { return number % 3 ? okStatus() : invalidArgument("three"); }
  int number;
};

// A system that starts no threads.
struct NoThreads final : Threads {
  std::unique_ptr<ThreadHandle> start(const char *, std::function<void()>) override {
    return nullptr;
  }
};

void completesEverything(CpuDevice &device) {
  std::set<int> done;
  for (int i = 0; i < 50; ++i)
    device.enqueue(std::make_unique<Count>(i));
  for (int i = 0; i < 50; ++i) {
    Device::Completion completion;
    if (i % 2 == 0 || !device.tryComplete(completion))
      device.awaitCompletion(completion);
    int number = static_cast<Count &>(*completion.work).number;
    EXPECT_EQ(completion.status.ok(), number % 3 != 0);
    EXPECT_TRUE(done.insert(number).second);
  }
  Device::Completion none;
  EXPECT_FALSE(device.tryComplete(none));
}

TEST(CpuDevice, WorkCompletesOnWorkers) {
  CpuDevice device(systemThreads(), 3);
  EXPECT_TRUE(device.hasConcurrency());
  completesEverything(device);
}

TEST(CpuDevice, WorkCompletesWhenTheSystemRefusesThreads) {
  NoThreads refused;
  CpuDevice device(refused, 3);
  completesEverything(device);
  EXPECT_FALSE(device.hasConcurrency());
}

TEST(CpuDevice, CopiesAndAllocates) {
  CpuDevice device(systemThreads(), 0);
  EXPECT_FALSE(device.hasConcurrency());
  Buffer *buffer = device.allocate(100);
  char text[] = "hello";
  device.copy(buffer->data(), text, sizeof text);
  EXPECT_STREQ(static_cast<char *>(buffer->data()), "hello");
  buffer->release();
}

} // namespace
} // namespace sluice::rt
