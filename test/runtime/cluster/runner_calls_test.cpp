// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls at a time as a runner makes them: each rank lends an object to one firing at a time, what a
// call leaves behind is counted, and a cluster that has ended begins none.
#include "runtime/cluster/cluster_runner.h"
#include "test/runtime/cluster/pair.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32, i32 = DType::kI32, kHandle = DType::kHandle;

// Rank 0, whoever drives it; rank 1 goes on whenever it does.
class TwoRanks final : public ClusterRunner {
public:
  TwoRanks(GraphBuilder &first, GraphBuilder &second)
      : ClusterRunner(first.buildProgram(), systemThreads(), systemClock()), hub_(2),
        end_(hub_.endpoint(1)), second_(second.buildProgram(), systemThreads(), systemClock()) {
    transport_ = hub_.endpoint(0);
    RunOptions options;
    options.workers = 2;
    options.limits.set(Limit::kInlineOperations, 1); // what can goes to workers
    setOptions(options);
    second_.executor().setOptions(options);
    member_.attach(*transport_);
    second_.attach(*end_);
    EXPECT_FALSE(awaitRanks());
    EXPECT_TRUE(allowCalls(2).ok());
  }

  Result<std::vector<Tensor>> callWith(const Tensor &feed, uint64_t &leftover) {
    return callAmongOthers(0, std::span(&feed, 1), std::nullopt, leftover);
  }
  void loseSecond() { loses_ = true; }

private:
  void drive() override {
    if (loses_)
      end_.reset();
    (void)member_.progress();
    if (end_)
      (void)second_.progress();
  }

  Hub hub_;
  std::unique_ptr<Transport> end_; // outlives the workers, which wake it
  std::atomic<bool> loses_ = false;
  Member second_;
};

struct Thing final : Object {
  Thing() : Object(Kind::kStack) {}
  std::atomic<int> users = 0;
  std::atomic<int> uses = 0, sharedUses = 0;
};
Ref<Thing> theThing;

const Kernel thing = {nullptr,
                      [](KernelCall &call) {
                        call.output(0) = Tensor::handle(Ref<Object>::share(theThing.get()));
                        return okStatus();
                      },
                      Kernel::kStateful | Kernel::kAllocates};
// Gives others the time to come.
const Kernel use = {nullptr,
                    [](KernelCall &call) {
                      auto &used = static_cast<Thing &>(*call.input(0).object());
                      ++used.users;
                      bool shared = false;
                      for (int i = 0; i < 50 && !shared; ++i) {
                        shared = used.users > 1;
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                      }
                      used.sharedUses += shared;
                      ++used.uses;
                      --used.users;
                      call.output(0) = Tensor::scalar(0.f);
                      return okStatus();
                    },
                    Kernel::kStateful | Kernel::kAllocates | Kernel::kOnWorkers};

TEST(RunnerCalls, NoTwoUseAnObjectAtATimeOnAnyRank) {
  for (uint32_t user : {0u, 1u}) {
    GraphBuilder ranks[2];
    for (uint32_t rank : {0u, 1u}) {
      ranks[rank].makeRank(rank, 2);
      if (rank == user)
        (void)ranks[rank].kernel(use, "use", 0,
                                 {ranks[rank].kernel(thing, "thing", 0, {}, kHandle)}, f32);
    }
    ranks[0].fetch("x", ranks[0].feed("x", f32), f32);
    theThing = Ref<Thing>::adopt(new Thing());
    TwoRanks cluster(ranks[0], ranks[1]);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([&] {
        uint64_t leftover = 0;
        auto fetches = cluster.callWith(Tensor::scalar(1.f), leftover);
        EXPECT_TRUE(fetches.ok()) << fetches.status().toString();
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(theThing->uses, 2) << "rank " << user;
    EXPECT_EQ(theThing->sharedUses, 0) << "rank " << user;
  }
}

TEST(RunnerCalls, WhatACallLeavesIsCountedOnAllRanks) {
  GraphBuilder first, second;
  first.makeRank(0, 2);
  second.makeRank(1, 2);
  auto x = first.feed("x", i32);
  first.send("send x", 0, x, 0, 1);
  first.add(NodeKind::kMerge, "merge", 0, {x}, 3);
  first.node(first.last()).controls = {first.last(1)};
  first.fetch("x", x, i32);
  auto received = second.recv("recv x", 0, {}, i32, 0, 0);
  second.add(NodeKind::kMerge, "never", 0, {}, 3);
  auto never = second.last();
  for (const char *name : {"sum", "another sum"})
    (void)second.kernel("nd.add", name, 0, {received, never}, {i32, i32}, i32);
  TwoRanks cluster(first, second);
  for (int call = 0; call < 2; ++call) { // those of a call, not of all
    uint64_t leftover = 0;
    ASSERT_TRUE(cluster.callWith(Tensor::scalar<int32_t>(4), leftover).ok());
    EXPECT_EQ(leftover, 3u);
  }
}

TEST(RunnerCalls, AClusterThatHasEndedKeepsNothingOfACall) {
  GraphBuilder first, second;
  first.makeRank(0, 2);
  second.makeRank(1, 2);
  first.fetch("x", first.feed("x", f32), f32);
  TwoRanks cluster(first, second);
  Tensor feed = *Tensor::allocate(f32, Shape{100});
  uint64_t leftover = 0;
  ASSERT_TRUE(cluster.callWith(feed, leftover).ok());
  cluster.loseSecond();
  for (int call = 0; call < 3; ++call) { // the first one finds out
    auto fetches = cluster.callWith(feed, leftover);
    EXPECT_EQ(fetches.status().code(), Code::kUnavailable) << fetches.status().toString();
    EXPECT_TRUE(feed.solelyOwned()) << "call " << call;
  }
  EXPECT_EQ(cluster.call(0, std::span(&feed, 1)).status().code(), Code::kUnavailable);
  EXPECT_TRUE(feed.solelyOwned());
}

std::atomic<bool> isHeld, isReleased, wasLate;

void awaitFlag(const std::atomic<bool> &flag) {
  for (int i = 0; i < 10'000 && !flag; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
// Those of negative numbers take long, and fail another kernel.
const Kernel hold = {nullptr,
                     [](KernelCall &call) {
                       call.output(0) = call.input(0);
                       if (*call.input(0).data<float>() >= 0)
                         return okStatus();
                       isHeld = true;
                       awaitFlag(isReleased);
                       wasLate = !isReleased;
                       return okStatus();
                     },
                     Kernel::kAllocates | Kernel::kOnWorkers};
const Kernel failWhileHeld = {nullptr,
                              [](KernelCall &call) {
                                call.output(0) = call.input(0);
                                if (*call.input(0).data<float>() >= 0)
                                  return okStatus();
                                awaitFlag(isHeld);
                                return invalidArgument("negative");
                              },
                              Kernel::kAllocates};

TEST(RunnerCalls, OthersGoOnWhileWorkersEndWhatAFailedOneHasGivenThem) {
  for (uint32_t user : {0u, 1u}) {
    GraphBuilder ranks[2];
    ranks[0].makeRank(0, 2);
    ranks[1].makeRank(1, 2);
    auto x = ranks[0].feed("x", f32), there = x;
    if (user == 1) {
      ranks[0].send("send x", 0, x, 0, 1);
      there = ranks[1].recv("recv x", 0, {}, f32, 0, 0);
    }
    (void)ranks[user].kernel(hold, "hold", 0, {there}, f32);
    (void)ranks[user].kernel(failWhileHeld, "fail", 0, {there}, f32);
    ranks[0].fetch("x", x, f32);
    isHeld = isReleased = wasLate = false;
    TwoRanks cluster(ranks[0], ranks[1]);
    std::thread failing([&] {
      uint64_t leftover = 0;
      auto fetches = cluster.callWith(Tensor::scalar(-1.f), leftover);
      EXPECT_EQ(fetches.status().code(), Code::kInvalidArgument) << fetches.status().toString();
      EXPECT_TRUE(isReleased); // what it uses is in use until then
    });
    awaitFlag(isHeld);
    for (int call = 0; call < 3; ++call) {
      uint64_t leftover = 0;
      auto fetches = cluster.callWith(Tensor::scalar(1.f), leftover);
      EXPECT_TRUE(fetches.ok()) << fetches.status().toString();
    }
    EXPECT_FALSE(wasLate) << "rank " << user;
    isReleased = true;
    failing.join();
  }
}

TEST(RunnerCalls, AClusterEndsWithWhatLingers) {
  GraphBuilder ranks[2];
  ranks[0].makeRank(0, 2);
  ranks[1].makeRank(1, 2);
  auto x = ranks[0].feed("x", f32);
  (void)ranks[0].kernel(hold, "hold", 0, {x}, f32);
  (void)ranks[0].kernel(failWhileHeld, "fail", 0, {x}, f32);
  ranks[0].fetch("x", x, f32);
  isHeld = isReleased = wasLate = false;
  TwoRanks cluster(ranks[0], ranks[1]);
  std::thread failing([&] {
    uint64_t leftover = 0;
    EXPECT_FALSE(cluster.callWith(Tensor::scalar(-1.f), leftover).ok());
    EXPECT_TRUE(isReleased);
  });
  awaitFlag(isHeld);
  cluster.loseSecond();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  isReleased = true;
  failing.join();
  EXPECT_FALSE(wasLate);
}

// Else whoever drives it would wait for a message while something can be done.
TEST(RunnerCalls, ARankGoesOnAsLongAsSomethingIsReady) {
  GraphBuilder first, second;
  first.makeRank(0, 2);
  second.makeRank(1, 2);
  auto x = first.feed("x", i32);
  for (int i = 0; i < 5; ++i)
    x = first.kernel("nd.neg", "neg", 0, {x}, {i32}, i32);
  first.fetch("y", x, i32);
  TestClock clock; // only one node fires at a time
  Pair pair(first, second, clock);
  pair.act();
  Tensor feed = Tensor::scalar<int32_t>(1);
  pair.first().startCall(0, std::span(&feed, 1));
  int goesOn = 0;
  while (pair.first().progress())
    ++goesOn;
  EXPECT_GE(goesOn, 5);
  EXPECT_FALSE(pair.first().hasReadyCall());
  EXPECT_TRUE(pair.finishCall());
}

} // namespace
} // namespace sluice::rt
