// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the executor relies on, for every implementation of Workers. A new one gets a line in the
// table.
#include "runtime/workers/worker_threads.h"

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
  std::unique_ptr<Workers> (*make)();
};

const Kind kinds[] = {
    {"Threads", [] { return std::unique_ptr<Workers>(new WorkerThreads(systemThreads(), 3)); }},
    {"None", [] { return std::unique_ptr<Workers>(new WorkerThreads(systemThreads(), 0)); }},
    {"SystemWithoutThreads",
     [] { return std::unique_ptr<Workers>(new WorkerThreads(noThreads, 3)); }},
};

constexpr uint64_t kLong = 600'000'000'000;

class EveryWorkers : public testing::TestWithParam<Kind> {
protected:
  CompletionInbox inbox;
  std::unique_ptr<Workers> workers = GetParam().make();
};
INSTANTIATE_TEST_SUITE_P(Workers, EveryWorkers, testing::ValuesIn(kinds),
                         [](const auto &info) { return std::string(info.param.name); });

// Every third one fails.
struct Count final : Work {
  explicit Count(int number) : number(number) {}
  Status run() override { return number % 3 ? okStatus() : invalidArgument("three"); }
  int number;
};

TEST_P(EveryWorkers, CompletesWorkOnceAndTellsHowItEnded) {
  std::set<int> done;
  for (int i = 0; i < 50; ++i)
    workers->enqueue(std::make_unique<Count>(i), inbox);
  for (int i = 0; i < 50; ++i) {
    Completion completion;
    if (i % 2 == 0 || !inbox.tryTake(completion))
      EXPECT_TRUE(inbox.awaitNext(completion, kLong));
    int number = static_cast<Count &>(*completion.work).number;
    EXPECT_EQ(completion.status.ok(), number % 3 != 0);
    EXPECT_TRUE(done.insert(number).second);
  }
  Completion none;
  EXPECT_FALSE(inbox.tryTake(none));
}

TEST_P(EveryWorkers, EndsWithWorkThatNobodyAwaits) {
  for (int i = 0; i < 50; ++i)
    workers->enqueue(std::make_unique<Count>(i), inbox);
}

TEST_P(EveryWorkers, NotifiesOfCompletionsElsewhere) {
  std::atomic<int> notified = 0;
  inbox.setNotifier([&] { ++notified; });
  workers->enqueue(std::make_unique<Count>(1), inbox);
  Completion completion;
  EXPECT_TRUE(inbox.awaitNext(completion, kLong));
  workers.reset();
  inbox.setNotifier({}); // it may still have been running
  EXPECT_EQ(notified, 1);
}

// What is notified may look at once, and nothing is there later than its notification.
TEST_P(EveryWorkers, NotifierMayTakeTheCompletion) {
  std::atomic<int> taken = 0;
  inbox.setNotifier([&] {
    Completion completion;
    taken += inbox.tryTake(completion);
  });
  workers->enqueue(std::make_unique<Count>(1), inbox);
  if (!workers->hasConcurrency())
    return;
  while (!taken)
    std::this_thread::yield();
  inbox.setNotifier({});
}

// So that what the former one refers to may go.
TEST_P(EveryWorkers, WaitsForARunningNotifier) {
  std::atomic<bool> began = false, ended = false;
  inbox.setNotifier([&] {
    began = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ended = true;
  });
  workers->enqueue(std::make_unique<Count>(1), inbox);
  if (!workers->hasConcurrency())
    return;
  while (!began)
    std::this_thread::yield();
  Completion completion;
  EXPECT_TRUE(inbox.awaitNext(completion, kLong));
  inbox.setNotifier({});
  EXPECT_TRUE(ended);
}

TEST_P(EveryWorkers, StopsWaitingInTime) {
  Completion none;
  EXPECT_FALSE(inbox.awaitNext(none, 1'000'000));
  workers->enqueue(std::make_unique<Count>(1), inbox);
  EXPECT_TRUE(inbox.awaitNext(none, kLong));
}

// Each worker has a number, from 1 on; work that nobody else could do has 0.
TEST_P(EveryWorkers, TellsWhoHasWorkedAndWhen) {
  uint64_t begin = systemClock().now();
  for (int i = 0; i < 50; ++i)
    workers->enqueue(std::make_unique<Count>(i), inbox);
  for (int i = 0; i < 50; ++i) {
    Completion completion;
    ASSERT_TRUE(inbox.awaitNext(completion, kLong));
    EXPECT_LE(completion.worker, 3);
    EXPECT_EQ(completion.worker > 0, workers->hasConcurrency());
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

TEST(WorkerThreads, StartsWorkersWhenTheyAreNeededAndNoMoreThanAllowed) {
  CountedThreads threads;
  CompletionInbox inbox;
  WorkerThreads workers(threads, 3);
  EXPECT_EQ(threads.started, 0);
  for (int i = 0; i < 10; ++i) {
    workers.enqueue(std::make_unique<Count>(i), inbox);
    EXPECT_EQ(threads.started, std::min(i + 1, 3));
  }
}

TEST(WorkerThreads, IsConcurrentIfThereAreThreads) {
  EXPECT_TRUE(WorkerThreads(systemThreads(), 3).hasConcurrency());
  EXPECT_FALSE(WorkerThreads(systemThreads(), 0).hasConcurrency());
  CompletionInbox inbox;
  WorkerThreads refused(noThreads, 3);
  refused.enqueue(std::make_unique<Count>(1), inbox);
  EXPECT_FALSE(refused.hasConcurrency());
}

} // namespace
} // namespace sluice::rt
