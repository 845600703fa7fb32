// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the executor relies on, for every implementation of Device. A new one gets a line in the
// table.
#include "runtime/device/cpu/cpu_device.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

namespace sluice::rt {
namespace {

// A system that starts no threads.
struct NoThreads final : Threads {
  std::unique_ptr<ThreadHandle> start(const char *, std::function<void()>) override {
    return nullptr;
  }
};
NoThreads noThreads;

struct Kind {
  const char *name;
  std::unique_ptr<Device> (*make)();
};

const Kind kinds[] = {
    {"Cpu", [] { return std::unique_ptr<Device>(new CpuDevice(systemThreads(), 3)); }},
    {"CpuWithoutWorkers",
     [] { return std::unique_ptr<Device>(new CpuDevice(systemThreads(), 0)); }},
    {"CpuWithoutThreads", [] { return std::unique_ptr<Device>(new CpuDevice(noThreads, 3)); }},
};

constexpr uint64_t kLong = 600'000'000'000;

class EveryDevice : public testing::TestWithParam<Kind> {
protected:
  CompletionInbox inbox;
  std::unique_ptr<Device> device = GetParam().make();
};
INSTANTIATE_TEST_SUITE_P(Devices, EveryDevice, testing::ValuesIn(kinds),
                         [](const auto &info) { return std::string(info.param.name); });

// Every third one fails.
struct Count final : Device::Work {
  explicit Count(int number) : number(number) {}
  Status run() override { return number % 3 ? okStatus() : invalidArgument("three"); }
  int number;
};

TEST_P(EveryDevice, CompletesWorkOnceAndTellsHowItEnded) {
  std::set<int> done;
  for (int i = 0; i < 50; ++i)
    device->enqueue(std::make_unique<Count>(i), inbox);
  for (int i = 0; i < 50; ++i) {
    Device::Completion completion;
    if (i % 2 == 0 || !inbox.tryTake(completion))
      EXPECT_TRUE(inbox.awaitNext(completion, kLong));
    int number = static_cast<Count &>(*completion.work).number;
    EXPECT_EQ(completion.status.ok(), number % 3 != 0);
    EXPECT_TRUE(done.insert(number).second);
  }
  Device::Completion none;
  EXPECT_FALSE(inbox.tryTake(none));
}

TEST_P(EveryDevice, EndsWithWorkThatNobodyAwaits) {
  for (int i = 0; i < 50; ++i)
    device->enqueue(std::make_unique<Count>(i), inbox);
}

TEST_P(EveryDevice, NotifiesOfCompletionsElsewhere) {
  std::atomic<int> notified = 0;
  inbox.setNotifier([&] { ++notified; });
  device->enqueue(std::make_unique<Count>(1), inbox);
  Device::Completion completion;
  EXPECT_TRUE(inbox.awaitNext(completion, kLong));
  device.reset();
  inbox.setNotifier({}); // it may still have been running
  EXPECT_EQ(notified, 1);
}

// What is notified may look at once, and nothing is there later than its notification.
TEST_P(EveryDevice, NotifierMayTakeTheCompletion) {
  std::atomic<int> taken = 0;
  inbox.setNotifier([&] {
    Device::Completion completion;
    taken += inbox.tryTake(completion);
  });
  device->enqueue(std::make_unique<Count>(1), inbox);
  if (!device->hasConcurrency())
    return;
  while (!taken)
    std::this_thread::yield();
  inbox.setNotifier({});
}

// So that what the former one refers to may go.
TEST_P(EveryDevice, WaitsForARunningNotifier) {
  std::atomic<bool> began = false, ended = false;
  inbox.setNotifier([&] {
    began = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ended = true;
  });
  device->enqueue(std::make_unique<Count>(1), inbox);
  if (!device->hasConcurrency())
    return;
  while (!began)
    std::this_thread::yield();
  Device::Completion completion;
  EXPECT_TRUE(inbox.awaitNext(completion, kLong));
  inbox.setNotifier({});
  EXPECT_TRUE(ended);
}

TEST_P(EveryDevice, StopsWaitingInTime) {
  Device::Completion none;
  EXPECT_FALSE(inbox.awaitNext(none, 1'000'000));
  device->enqueue(std::make_unique<Count>(1), inbox);
  EXPECT_TRUE(inbox.awaitNext(none, kLong));
}

TEST_P(EveryDevice, HasMemoryAndCopies) {
  Buffer *buffer = device->allocate(100);
  ASSERT_NE(buffer, nullptr);
  char text[] = "hello", back[sizeof text];
  device->copy(buffer->data(), text, sizeof text);
  device->copy(back, buffer->data(), sizeof text);
  EXPECT_STREQ(back, "hello");
  buffer->release();
}

TEST_P(EveryDevice, HasAName) { EXPECT_NE(device->name().find(':'), std::string_view::npos); }

// Each worker has a number, from 1 on; work that nobody else could do has 0.
TEST_P(EveryDevice, TellsWhoHasWorkedAndWhen) {
  uint64_t begin = systemClock().now();
  for (int i = 0; i < 50; ++i)
    device->enqueue(std::make_unique<Count>(i), inbox);
  for (int i = 0; i < 50; ++i) {
    Device::Completion completion;
    ASSERT_TRUE(inbox.awaitNext(completion, kLong));
    EXPECT_LE(completion.worker, 3);
    EXPECT_EQ(completion.worker > 0, device->hasConcurrency());
    EXPECT_GE(completion.begin, begin);
    EXPECT_GE(completion.end, completion.begin);
    EXPECT_LE(completion.end, systemClock().now());
  }
}

// Counts those that it starts.
struct CountedThreads final : Threads {
  std::unique_ptr<ThreadHandle> start(const char *name, std::function<void()> body) override {
    ++started;
    return systemThreads().start(name, std::move(body));
  }
  int started = 0;
};

TEST(CpuDevice, StartsWorkersWhenTheyAreNeededAndNoMoreThanAllowed) {
  CountedThreads threads;
  CompletionInbox inbox;
  CpuDevice device(threads, 3);
  EXPECT_EQ(threads.started, 0);
  for (int i = 0; i < 10; ++i) {
    device.enqueue(std::make_unique<Count>(i), inbox);
    EXPECT_EQ(threads.started, std::min(i + 1, 3));
  }
}

TEST(CpuDevice, IsConcurrentIfThereAreThreads) {
  EXPECT_TRUE(CpuDevice(systemThreads(), 3).hasConcurrency());
  EXPECT_FALSE(CpuDevice(systemThreads(), 0).hasConcurrency());
  CompletionInbox inbox;
  CpuDevice refused(noThreads, 3);
  refused.enqueue(std::make_unique<Count>(1), inbox);
  EXPECT_FALSE(refused.hasConcurrency());
}

} // namespace
} // namespace sluice::rt
