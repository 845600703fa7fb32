// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the scheduler does first, what it gives away, and how work ends that nobody needs any more.
#include "test/runtime/executor/late_workers.h"
#include "test/runtime/executor/products.h"

#include "runtime/workers/worker_threads.h"

#include <chrono>
#include <thread>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32;

// Other ranks, which never answer.
class SilentExchange final : public TokenExchange {
public:
  void sendToken(const Node &, const Iteration &, const Tensor *, bool) override {
    if (atSend)
      atSend();
  }
  void noteRetirement(FrameInstance &) override {}
  void stepAside() override { ++aside; }
  std::function<void()> atSend;
  int aside = 0;
};

class Scheduling : public testing::Test {
protected:
  Status run(TokenMachine &machine, std::span<const Tensor> feeds, size_t fetches = 1) {
    return runToEnd(machine, feeds, std::span(fetches_).first(fetches), environment_);
  }
  Tensor fetches_[2];
  Environment environment_;
  SilentExchange exchange_;
};

TEST_F(Scheduling, sendsGoFirst) {
  GraphBuilder g;
  g.makeRank(0, 2);
  auto x = g.feed("x", f32);
  for (const char *name : {"a", "b"})
    g.fetch(name, g.kernel("nd.neg", name, 0, {x}, {f32}, f32, /*scalars=*/false), f32);
  g.send("there", 0, x, 0, 1);
  auto program = g.buildProgram();
  LateWorkers workers;
  TokenMachine machine(*program->signatures()[0], {}, {}, workers, &exchange_);
  std::optional<uint64_t> kernelsBefore;
  exchange_.atSend = [&] { kernelsBefore = machine.counters().kernels; };
  Tensor feed = Tensor::scalar(1.f);
  EXPECT_TRUE(run(machine, std::span(&feed, 1), 2).ok());
  EXPECT_EQ(kernelsBefore, 0u);
  EXPECT_EQ(machine.counters().kernels, 2u);
}

// Alone there is nobody to wait for it, so it is computed where it is.
TEST_F(Scheduling, ofARankTheOnlyProductGoesToAWorker) {
  for (bool isRank : {false, true}) {
    Products products{"a"};
    auto program = products.program();
    LateWorkers workers;
    TokenMachine machine(*program->signatures()[0], {}, {}, workers, isRank ? &exchange_ : nullptr);
    Tensor feed = Products::feed();
    EXPECT_TRUE(run(machine, std::span(&feed, 1)).ok());
    EXPECT_EQ(machine.counters().offloaded, isRank ? 1u : 0u);
  }
}

// Its effect is not on an operand, so it stays here, and nobody knows how long it will take.
TEST_F(Scheduling, whatMustStayLeavesTheNetworkToOthers) {
  GraphBuilder g;
  Kernel stays{nullptr,
               [](KernelCall &call) {
                 call.output(0) = call.input(0);
                 return okStatus();
               },
               Kernel::kStateful | Kernel::kAllocates};
  auto x = g.feed("x", f32);
  g.fetch("y", g.kernel(stays, "stays", 0, {x}, f32), f32);
  auto program = g.buildProgram();
  LateWorkers workers;
  TokenMachine machine(*program->signatures()[0], {}, {}, workers, &exchange_);
  Tensor feed = Tensor::scalar(1.f);
  EXPECT_TRUE(run(machine, std::span(&feed, 1)).ok());
  EXPECT_EQ(machine.counters().offloaded, 0u);
  EXPECT_EQ(exchange_.aside, 1);
}

// ---- Loops --------------------------------------------------------------------------------------

std::atomic<int> microseconds;
constexpr SluiceCodelet kSleeps = codeletOf(
    nullptr,
    [](SluiceCodeletCall *call) -> int32_t {
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
      *static_cast<float *>(call->outputs[0].data) = 1;
      return kSluiceOk;
    },
    0, nullptr);

// As what is compiled of a loop: there are no members to run in its place, nor an estimate.
std::unique_ptr<Program> loopOf(GraphBuilder &g, const SluiceCodelet &code) {
  auto x = g.feed("x", f32);
  CodeletDesc &codelet = g.addCodelet(code, 1);
  codelet.outputs = {{f32, Shape{}, {0, 0}}};
  codelet.errorMembers = {"loop"};
  g.fetch("y", g.runCodelet("loop", 0, {x}), f32);
  return g.buildProgram();
}

TEST_F(Scheduling, aLoopIsGivenAwayFirstAndThenIfItTookLong) {
  GraphBuilder g;
  auto program = loopOf(g, kSleeps);
  WorkerThreads workers(systemThreads(), 1);
  TokenMachine machine(*program->signatures()[0], {}, {}, workers, &exchange_);
  Tensor feed = Tensor::scalar(1.f);
  auto offloads = [&](int time) {
    microseconds = time;
    uint64_t before = machine.counters().offloaded;
    EXPECT_TRUE(run(machine, std::span(&feed, 1)).ok());
    return machine.counters().offloaded - before;
  };
  EXPECT_EQ(offloads(1000), 1u); // nobody knows
  EXPECT_EQ(offloads(0), 1u);    // long the last time
  while (program->signatures()[0]->nodes[1]->lastTime.get() > 50 && offloads(0)) {
  } // a busy machine
  exchange_.aside = 0;
  EXPECT_EQ(offloads(1000), 0u); // short the last time
  EXPECT_EQ(exchange_.aside, 1); // others read and write meanwhile, should it take longer
  EXPECT_EQ(offloads(0), 1u);
}

// ---- The end ------------------------------------------------------------------------------------

constexpr SluiceCodelet kEndless = codeletOf(
    nullptr,
    [](SluiceCodeletCall *call) -> int32_t {
      while (__atomic_load_n(call->cancel, __ATOMIC_RELAXED) == 0) {
      }
      return kSluiceCancelled;
    },
    0, nullptr);

TEST_F(Scheduling, endlessWorkEndsWithItsCall) {
  GraphBuilder g;
  auto program = loopOf(g, kEndless);
  WorkerThreads workers(systemThreads(), 1);
  TokenMachine machine(*program->signatures()[0], {}, {}, workers, &exchange_);
  Tensor feed = Tensor::scalar(1.f);
  for (int call = 0; call < 2; ++call) {
    machine.begin(std::span(&feed, 1), std::span(fetches_).first(1), environment_);
    while (machine.advance(10)) {
    }
    EXPECT_FALSE(machine.done());
    machine.abort(invalidArgument("enough"));
    EXPECT_EQ(machine.finish().message(), "enough");
    EXPECT_FALSE(machine.stuck());
  }
}

TEST_F(Scheduling, endlessWorkOfTheSchedulerIsEndedByAnotherThread) {
  GraphBuilder g;
  auto program = loopOf(g, kEndless);
  WorkerThreads workers(systemThreads(), 0);
  TokenMachine machine(*program->signatures()[0], {}, {}, workers);
  Tensor feed = Tensor::scalar(1.f);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    machine.cancellation().request();
  });
  Status status = run(machine, std::span(&feed, 1));
  other.join();
  EXPECT_EQ(status.code(), Code::kCancelled);
  EXPECT_EQ(status.node(), "loop");
}

// 250 billion operations, of which not many are done.
TEST_F(Scheduling, aLongProductEndsAsWell) {
  Products products{"a"};
  auto program = products.program();
  WorkerThreads workers(systemThreads(), 0);
  TokenMachine machine(*program->signatures()[0], {}, {}, workers);
  auto feed = Tensor::allocate(f32, Shape{5000, 5000});
  ASSERT_TRUE(feed.ok());
  std::memset(feed->raw(), 0, feed->bytes());
  uint64_t asked = 0;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    asked = systemClock().now();
    machine.cancellation().request();
  });
  Status status = run(machine, std::span(&*feed, 1));
  other.join();
  EXPECT_EQ(status.code(), Code::kCancelled);
  EXPECT_LT(systemClock().now() - asked, 1'000'000'000u);
}

// What fails elsewhere ends it, too.
TEST_F(Scheduling, aFailureEndsEndlessWork) {
  GraphBuilder g;
  Kernel fails = *findKernel("nd.neg", std::vector{f32}, std::vector{f32})->kernel;
  fails.run = [](KernelCall &) { return invalidArgument("no"); };
  auto x = g.feed("x", f32);
  CodeletDesc &codelet = g.addCodelet(kEndless, 1);
  codelet.outputs = {{f32, Shape{}, {0, 0}}};
  codelet.errorMembers = {"loop"};
  g.fetch("y", g.runCodelet("loop", 0, {x}), f32);
  g.fetch("z", g.kernel(fails, "fails", 0, {x}, f32), f32);
  auto program = g.buildProgram();
  WorkerThreads workers(systemThreads(), 1);
  TokenMachine machine(*program->signatures()[0], {}, {}, workers);
  Tensor feed = Tensor::scalar(1.f);
  Status status = run(machine, std::span(&feed, 1), 2);
  EXPECT_EQ(status.node(), "fails");
  EXPECT_FALSE(machine.stuck());
}

} // namespace
} // namespace sluice::rt
