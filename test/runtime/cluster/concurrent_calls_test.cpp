// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several calls over a cluster at a time: each as good as if it were alone, what fails disturbs no
// other one, and what waits for another call is told when none can help.
#include "runtime/cluster/simulation.h"
#include "runtime/state/variable.h"
#include "test/runtime/cluster/split_loop.h"
#include "test/runtime/executor/mailbox.h"

#include <atomic>
#include <thread>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32;
using Results = std::vector<Result<std::vector<Tensor>>>;

RunOptions quiet(std::optional<uint64_t> seed = std::nullopt) {
  RunOptions options;
  options.scheduleSeed = seed;
  options.workers = 2;
  options.print = [](std::string_view) {};
  return options;
}

std::unique_ptr<SimulatedCluster> simulate(std::vector<std::unique_ptr<Program>> programs,
                                           uint64_t seed, unsigned calls) {
  auto cluster = makeSimulation(std::move(programs));
  cluster->setOptions(quiet(seed));
  EXPECT_TRUE(cluster->allowCalls(calls).ok());
  return cluster;
}

template <typename T> Results callTogether(SimulatedCluster &cluster, std::vector<T> feeds) {
  std::vector<CallRequest> requests;
  for (T feed : feeds)
    requests.push_back({0, {Tensor::scalar(feed)}});
  return cluster.callTogether(requests);
}

TEST(ClusterCalls, EveryScheduleOfSeveralGivesWhatEachAloneGives) {
  for (uint64_t seed = 0; seed < 120; ++seed) {
    SplitLoop loop(seed % 4 + 1, SplitLoop::Addition::kFailsAtThree);
    auto cluster = simulate(loop.programs(), seed, seed % 5 + 2);
    std::vector<int32_t> limits;
    for (int call = 0; call < 16; ++call)
      limits.push_back(call % 3 == 1 ? 40 : call % 4); // beyond 3 it fails, within the loop
    Results results = callTogether(*cluster, limits);
    for (size_t call = 0; call < limits.size(); ++call) {
      ASSERT_EQ(results[call].ok(), limits[call] <= 3)
          << "seed " << seed << ", call " << call << ": " << results[call].status().toString();
      if (results[call].ok())
        EXPECT_EQ(*(*results[call])[0].data<int32_t>(), limits[call]) << "seed " << seed;
      else
        EXPECT_EQ(results[call].status().node(), "divide");
    }
    EXPECT_FALSE(cluster->clusterEnd());
  }
}

TEST(ClusterCalls, TheSameSeedGivesTheSameRun) {
  auto digest = [](uint64_t seed) {
    testing::internal::CaptureStderr();
    {
      SplitLoop loop;
      callTogether<int32_t>(*simulate(loop.programs(), seed, 3), {5, 7, 2, 9});
    }
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(digest(1), digest(1));
  EXPECT_NE(digest(1), digest(2));
}

// Rank 1 gets x, does something with it and an object of its own, and sends the result back.
class Service {
public:
  using Work = std::function<GraphBuilder::Value(GraphBuilder &, GraphBuilder::Value x)>;
  explicit Service(const Work &work) {
    first_.makeRank(0, 2);
    first_.send("send x", 0, first_.feed("x", f32), 0, 1);
    first_.fetch("y", first_.recv("recv y", 0, {}, f32, 1, 1), f32);
    second_.makeRank(1, 2);
    second_.send("send y", 0, work(second_, second_.recv("recv x", 0, {}, f32, 0, 0)), 1, 0);
  }
  std::vector<std::unique_ptr<Program>> programs() {
    std::vector<std::unique_ptr<Program>> list;
    list.push_back(first_.buildProgram());
    list.push_back(second_.buildProgram());
    return list;
  }

private:
  GraphBuilder first_, second_;
};

constexpr uint32_t kEffect = Kernel::kStateful | Kernel::kAllocates;
const Kernel theVariable = {nullptr,
                            [](KernelCall &call) {
                              call.output(0) = Tensor::handle(
                                  Ref<Object>::share(call.environment()->resources[0]));
                              return okStatus();
                            },
                            kEffect};
const Kernel failIfNegative = {nullptr,
                               [](KernelCall &call) {
                                 call.output(0) = call.input(0);
                                 return *call.input(0).data<float>() < 0
                                            ? invalidArgument("negative")
                                            : okStatus();
                               },
                               kEffect};

// Adds x to variable "sum" unless x is negative.
class Accumulator : public Service {
public:
  Accumulator()
      : Service([](GraphBuilder &g, GraphBuilder::Value x) {
          g.variable("sum", f32, Shape{});
          auto checked = g.kernel(failIfNegative, "check", 0, {x}, f32);
          auto variable = g.kernel(theVariable, "sum", 0, {}, DType::kHandle);
          auto update = g.kernel("state.assign_add", "update", 0, {variable, checked},
                                 {DType::kHandle, f32}, DType::kInvalid, false);
          g.node(update).outputTypes.clear();
          g.node(update).outputIsScalar.clear();
          return checked;
        }) {}

  static void setSum(Runner &cluster, float value) {
    cluster.variables()[0]->value = Tensor::scalar(value);
    EXPECT_TRUE(cluster.writeVariables().ok());
  }
  static float sum(Runner &cluster) {
    EXPECT_TRUE(cluster.readVariables().ok());
    return *cluster.variables()[0]->value.data<float>();
  }
};

TEST(ClusterCalls, ShareStateAndAFailedOneAddsNothing) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Accumulator service;
    auto cluster = simulate(service.programs(), seed, 4);
    Accumulator::setSum(*cluster, 100);
    Results results = callTogether<float>(*cluster, {1, 2, -7, 4, 8, -7, 16, 32});
    EXPECT_EQ(std::count_if(results.begin(), results.end(), [](auto &r) { return r.ok(); }), 6);
    EXPECT_FALSE(results[2].ok());
    EXPECT_FALSE(results[5].ok());
    EXPECT_EQ(Accumulator::sum(*cluster), 163.f) << "seed " << seed;
  }
}

TEST(ClusterCalls, OfManyThreads) {
  constexpr int kThreads = 8, kCalls = 100;
  for (bool simulated : {false, true}) {
    Accumulator service;
    auto cluster = makeInProcessCluster(service.programs(), {simulated});
    RunOptions options = quiet();
    options.limits.set(Limit::kInlineOperations, 1); // what can goes to workers
    cluster->setOptions(options);
    ASSERT_TRUE(cluster->allowCalls(kThreads).ok());
    Accumulator::setSum(*cluster, 0);
    std::atomic<int> failures = 0;
    auto work = [&](int thread) {
      for (int i = 0; i < kCalls; ++i) {
        auto value = static_cast<float>(i % 10 == thread ? -1 : thread * kCalls + i);
        Tensor feed = Tensor::scalar(value);
        uint64_t leftover = 1;
        auto fetches = cluster->callAmongOthers(0, std::span(&feed, 1), std::nullopt, leftover);
        failures += !fetches.ok();
        if (fetches.ok())
          EXPECT_EQ(*(*fetches)[0].data<float>(), value); // and not that of another call
        else
          EXPECT_EQ(fetches.status().node(), "check") << fetches.status().toString();
        if (fetches.ok())
          EXPECT_EQ(leftover, 0u);
      }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back(work, i);
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(failures, kThreads * kCalls / 10);
    float expected = 0;
    for (int thread = 0; thread < kThreads; ++thread)
      for (int i = 0; i < kCalls; ++i)
        expected += static_cast<float>(i % 10 == thread ? 0 : thread * kCalls + i);
    EXPECT_EQ(Accumulator::sum(*cluster), expected);
    EXPECT_FALSE(cluster->clusterEnd());
  }
}

//===-- Calls that wait for others ------------------------------------------------------------===//

Ref<Mailbox> theMailbox;
const Kernel mailbox = {nullptr,
                        [](KernelCall &call) {
                          call.output(0) = Tensor::handle(Ref<Object>::share(theMailbox.get()));
                          return okStatus();
                        },
                        kEffect};
// Takes a value if x is negative, else puts x there.
const Kernel takeOrPut = {nullptr,
                          [](KernelCall &call) {
                            if (*call.input(1).data<float>() < 0) {
                              mailboxOf(call).take(call);
                              return okStatus();
                            }
                            call.output(0) = call.input(1);
                            mailboxOf(call).put(call.input(1));
                            return okStatus();
                          },
                          kEffect};

class ClusterMailbox : public testing::Test {
protected:
  ClusterMailbox()
      : service_([](GraphBuilder &g, GraphBuilder::Value x) {
          auto box = g.kernel(mailbox, "mailbox", 0, {}, DType::kHandle);
          return g.kernel(takeOrPut, "exchange", 0, {box, x}, f32);
        }) {
    theMailbox = Ref<Mailbox>::adopt(new Mailbox());
  }
  static bool waitsInVain(const Result<std::vector<Tensor>> &result) {
    return result.status().code() == Code::kFailedPrecondition &&
           result.status().message().find("node 'exchange' is parked on mailbox 'm', take") !=
               std::string::npos;
  }
  static float valueOf(const Result<std::vector<Tensor>> &result) {
    EXPECT_TRUE(result.ok()) << result.status().toString();
    return result.ok() ? *(*result)[0].data<float>() : NAN;
  }

  static Result<std::vector<Tensor>> call(Runner &cluster, float x,
                                          std::optional<double> seconds = std::nullopt) {
    Tensor feed = Tensor::scalar(x);
    uint64_t leftover;
    return cluster.callAmongOthers(0, std::span(&feed, 1), seconds, leftover);
  }

  Service service_;
};

TEST_F(ClusterMailbox, OneCallBringsWhatAnotherOneWaitsFor) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    auto cluster = simulate(service_.programs(), seed, 3);
    Results results = callTogether<float>(*cluster, {-1, -1, 5, 5});
    for (auto &result : results)
      EXPECT_EQ(valueOf(result), 5.f) << "seed " << seed;
  }
}

TEST_F(ClusterMailbox, WhoWaitsInVainIsTold) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    auto cluster = simulate(service_.programs(), seed, 2);
    Results alone = callTogether<float>(*cluster, {-1});
    EXPECT_TRUE(waitsInVain(alone[0])) << alone[0].status().toString();
    // Both wait and no third one can begin; when one has been told it can, and helps the other.
    Results results = callTogether<float>(*cluster, {-1, -1, 5});
    EXPECT_EQ(valueOf(results[2]), 5.f);
    EXPECT_NE(waitsInVain(results[0]), waitsInVain(results[1])) << "seed " << seed;
    EXPECT_EQ(valueOf(results[waitsInVain(results[0])]), 5.f);
    EXPECT_EQ(theMailbox->numWaiting(), 0u);
  }
}

TEST_F(ClusterMailbox, WhoWaitsIsNotToldWhileMoreCallsMayCome) {
  auto cluster = makeInProcessCluster(service_.programs(), {});
  cluster->setOptions(quiet());
  ASSERT_TRUE(cluster->allowCalls(2).ok());
  cluster->expectMoreCalls(true);
  std::thread waiting([&] { EXPECT_EQ(valueOf(call(*cluster, -1)), 5.f); });
  while (theMailbox->numWaiting() == 0)
    std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(400)); // some rounds of questions
  EXPECT_EQ(valueOf(call(*cluster, 5)), 5.f);
  waiting.join();
  cluster->expectMoreCalls(false);
  auto alone = call(*cluster, -1);
  EXPECT_TRUE(waitsInVain(alone)) << alone.status().toString();
}

TEST_F(ClusterMailbox, ADeadlineEndsItsCallOnly) {
  auto cluster = makeInProcessCluster(service_.programs(), {});
  cluster->setOptions(quiet());
  ASSERT_TRUE(cluster->allowCalls(2).ok());
  cluster->expectMoreCalls(true);
  std::thread waiting([&] { EXPECT_EQ(valueOf(call(*cluster, -1)), 5.f); });
  while (theMailbox->numWaiting() == 0)
    std::this_thread::yield();
  Status late = call(*cluster, -1, 0.05).status();
  EXPECT_EQ(late.code(), Code::kDeadlineExceeded);
  EXPECT_NE(late.message().find("longer than 0.05 s: "), std::string::npos) << late.message();
  EXPECT_EQ(valueOf(call(*cluster, 5)), 5.f);
  waiting.join();
}

const Kernel endless = {nullptr,
                        [](KernelCall &call) {
                          call.output(0) = call.input(0);
                          while (!Cancellation::requestedHere()) {
                          }
                          return okStatus();
                        },
                        kEffect};

// The scheduler of the rank computes, so somebody else has to see that time is over: on rank 0 what
// the call was given, elsewhere what the rank was.
TEST(ClusterCalls, ADeadlineEndsWhatComputesOnAnyRank) {
  for (uint32_t computing : {0u, 1u}) {
    GraphBuilder ranks[2];
    std::vector<std::unique_ptr<Program>> programs;
    for (uint32_t rank : {0u, 1u}) {
      GraphBuilder &g = ranks[rank];
      g.makeRank(rank, 2);
      if (rank == computing)
        (void)g.kernel(endless, "endless", 0, {g.constant<int32_t>(0)}, DType::kI32);
      if (rank == 0)
        g.fetch("x", g.feed("x", f32), f32);
      programs.push_back(g.buildProgram());
    }
    auto cluster = makeInProcessCluster(std::move(programs), {});
    CallTimer timer(0.1, "", 1);
    RunOptions options = quiet();
    options.timer = &timer;
    cluster->setOptions(options);
    ASSERT_TRUE(cluster->allowCalls(2).ok());
    Tensor feed = Tensor::scalar(1.f);
    uint64_t leftover;
    std::optional<double> seconds;
    if (computing == 0)
      seconds = 0.1;
    Status late = cluster->callAmongOthers(0, std::span(&feed, 1), seconds, leftover).status();
    EXPECT_EQ(late.code(), Code::kDeadlineExceeded) << late.toString();
    EXPECT_EQ(late.message(), std::string("the call has taken longer than ") +
                                  (computing ? "the 0.1 s of --timeout" : "0.1 s") +
                                  ": node 'endless' was computing");
    EXPECT_FALSE(cluster->clusterEnd());
  }
}

} // namespace
} // namespace sluice::rt
