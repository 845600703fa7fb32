// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings that are parked until another firing, of this call or of another one, brings what they
// wait for; and calls at the same time, which share state.
#include "runtime/state/variable.h"
#include "test/runtime/executor/graph_builder.h"
#include "test/runtime/executor/mailbox.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32, kHandle = DType::kHandle;

constexpr uint32_t kEffect = Kernel::kStateful | Kernel::kAllocates;
const Kernel takeKernel = {nullptr,
                           [](KernelCall &call) {
                             mailboxOf(call).take(call);
                             return okStatus();
                           },
                           kEffect};
// Gives what it has put.
const Kernel putKernel = {nullptr,
                          [](KernelCall &call) {
                            call.output(0) = call.input(1);
                            mailboxOf(call).put(call.input(1));
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
const Kernel endless = {nullptr,
                        [](KernelCall &call) {
                          call.output(0) = call.input(0);
                          while (!Cancellation::requestedHere()) {
                          }
                          return okStatus();
                        },
                        kEffect};

class ConcurrentCalls : public testing::Test {
protected:
  Tensor mailbox() { return Tensor::handle(Ref<Object>::share(mail_.get())); }
  void buildTake() {
    auto mail = g_.feed("mail", kHandle);
    g_.fetch("taken", g_.kernel(takeKernel, "take", 0, {mail}, f32), f32);
  }
  Result<float> callTake(Executor &executor, std::optional<double> seconds = std::nullopt) {
    std::vector<Tensor> feeds{mailbox()};
    uint64_t leftover = 0;
    SLUICE_ASSIGN_OR_RETURN(std::vector<Tensor> fetches,
                            executor.callAmongOthers(0, feeds, seconds, leftover));
    EXPECT_EQ(leftover, 0u);
    return *fetches[0].data<float>();
  }

  GraphBuilder g_;
  Ref<Mailbox> mail_ = Ref<Mailbox>::adopt(new Mailbox());
};

TEST_F(ConcurrentCalls, AFiringWaitsForAnotherOne) {
  auto mail = g_.feed("mail", kHandle), x = g_.feed("x", f32);
  auto taken = g_.kernel(takeKernel, "take", 0, {mail}, f32);
  auto put = g_.kernel(putKernel, "put", 0, {mail, x}, f32);
  g_.fetch("taken", taken, f32);
  g_.fetch("put", put, f32);
  auto executor = g_.build();
  for (float value : {1.f, 2.f, 3.f}) {
    std::vector<Tensor> feeds{mailbox(), Tensor::scalar(value)};
    auto fetches = executor->call(0, feeds);
    ASSERT_TRUE(fetches.ok()) << fetches.status().toString();
    EXPECT_EQ(*(*fetches)[0].data<float>(), value);
  }
  EXPECT_EQ(executor->leftoverTokens(), 0u);
}

TEST_F(ConcurrentCalls, AloneACallIsToldThatItWaitsInVain) {
  buildTake();
  auto executor = g_.build();
  std::vector<Tensor> feeds{mailbox()};
  auto fetches = executor->call(0, feeds);
  ASSERT_FALSE(fetches.ok());
  EXPECT_EQ(fetches.status().code(), Code::kFailedPrecondition);
  EXPECT_NE(fetches.status().message().find("node 'take' is parked on mailbox 'm', take"),
            std::string::npos)
      << fetches.status().toString();
  EXPECT_EQ(mail_->numWaiting(), 0u);
  mail_->put(Tensor::scalar(5.f)); // and the next call finds what has come since
  fetches = executor->call(0, feeds);
  ASSERT_TRUE(fetches.ok());
  EXPECT_EQ(*(*fetches)[0].data<float>(), 5.f);
}

TEST_F(ConcurrentCalls, AnotherThreadBringsWhatACallWaitsFor) {
  buildTake();
  auto executor = g_.build();
  ASSERT_TRUE(executor->allowCalls(2).ok());
  executor->expectMoreCalls(true);
  std::thread other([&] {
    while (mail_->numWaiting() == 0)
      std::this_thread::yield();
    mail_->put(Tensor::scalar(7.f));
  });
  auto taken = callTake(*executor);
  other.join();
  ASSERT_TRUE(taken.ok()) << taken.status().toString();
  EXPECT_EQ(*taken, 7.f);
}

// Nobody can help either of them once no more calls are expected.
TEST_F(ConcurrentCalls, AllThatWaitAreToldWhenNobodyIsLeft) {
  buildTake();
  auto executor = g_.build();
  ASSERT_TRUE(executor->allowCalls(2).ok());
  executor->expectMoreCalls(true);
  std::atomic<int> inVain = 0;
  auto wait = [&] { inVain += callTake(*executor).status().code() == Code::kFailedPrecondition; };
  std::thread one(wait), two(wait);
  while (mail_->numWaiting() < 2)
    std::this_thread::yield();
  EXPECT_EQ(inVain, 0);
  executor->expectMoreCalls(false);
  one.join();
  two.join();
  EXPECT_EQ(inVain, 2);
  EXPECT_EQ(mail_->numWaiting(), 0u);
}

// A call that has been announced may help, until it is called off.
TEST_F(ConcurrentCalls, WhoWaitsIsNotToldWhileACallIsExpected) {
  buildTake();
  auto executor = g_.build();
  ASSERT_TRUE(executor->allowCalls(2).ok());
  executor->expectCalls(2);
  std::atomic<bool> told = false;
  std::thread one([&] {
    EXPECT_EQ(callTake(*executor).status().code(), Code::kFailedPrecondition);
    told = true;
  });
  while (mail_->numWaiting() == 0)
    std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(150)); // some looks
  EXPECT_FALSE(told);
  executor->expectCalls(-1);
  one.join();
}

// Each hands over to the other and waits at once, while the other may not have woken up yet.
TEST_F(ConcurrentCalls, WhatIsInAnInboxIsHelpOnItsWay) {
  constexpr int kTurns = 40;
  auto in = g_.feed("in", kHandle), out = g_.feed("out", kHandle), last = in;
  for (int i = 0; i < kTurns; ++i) {
    auto taken = g_.kernel(takeKernel, "take", 0, {in, last}, f32);
    last = g_.kernel(putKernel, "put", 0, {out, taken}, f32);
  }
  g_.fetch("last", last, f32);
  auto executor = g_.build();
  ASSERT_TRUE(executor->allowCalls(2).ok());
  Ref<Mailbox> other = Ref<Mailbox>::adopt(new Mailbox());
  auto play = [&](Mailbox &from, Mailbox &to) {
    std::vector<Tensor> feeds{Tensor::handle(Ref<Object>::share(&from)),
                              Tensor::handle(Ref<Object>::share(&to))};
    uint64_t leftover = 0;
    auto fetches = executor->callAmongOthers(0, feeds, std::nullopt, leftover);
    EXPECT_TRUE(fetches.ok()) << fetches.status().toString();
  };
  executor->expectCalls(2);
  mail_->put(Tensor::scalar(1.f));
  std::thread one([&] { play(*mail_, *other); }), two([&] { play(*other, *mail_); });
  one.join();
  two.join();
}

TEST_F(ConcurrentCalls, ADeadlineEndsWhatIsParked) {
  buildTake();
  auto executor = g_.build();
  ASSERT_TRUE(executor->allowCalls(2).ok());
  executor->expectMoreCalls(true);
  auto taken = callTake(*executor, 0.02);
  EXPECT_EQ(taken.status().code(), Code::kDeadlineExceeded);
  EXPECT_NE(taken.status().message().find("parked on mailbox 'm'"), std::string::npos)
      << taken.status().toString();
}

TEST_F(ConcurrentCalls, ADeadlineEndsWhatComputes) {
  g_.fetch("y", g_.kernel(endless, "endless", 0, {g_.feed("x", f32)}, f32), f32);
  auto executor = g_.build();
  ASSERT_TRUE(executor->allowCalls(2).ok());
  std::vector<Tensor> feeds{Tensor::scalar(1.f)};
  uint64_t leftover;
  auto fetches = executor->callAmongOthers(0, feeds, 0.02, leftover);
  EXPECT_EQ(fetches.status().code(), Code::kDeadlineExceeded);
  EXPECT_NE(fetches.status().message().find("endless"), std::string::npos)
      << fetches.status().toString();
}

// Updates are whole, and calls that fail disturb nobody.
TEST_F(ConcurrentCalls, ShareVariables) {
  auto x = g_.feed("x", f32), v = g_.feed("v", kHandle);
  auto checked = g_.kernel(failIfNegative, "check", 0, {x}, f32);
  auto updated = g_.kernel("state.assign_add", "update", 0, {v, checked}, {kHandle, f32},
                           DType::kInvalid, false);
  g_.node(updated).outputTypes.clear();
  g_.node(updated).outputIsScalar.clear();
  g_.fetch("x", checked, f32);
  auto executor = g_.build();
  constexpr int kThreads = 8, kCalls = 500, kElements = 64;
  ASSERT_TRUE(executor->allowCalls(kThreads).ok());
  Tensor zeros = *Tensor::allocate(f32, Shape{kElements}), ones = *zeros.clone();
  std::fill_n(zeros.data<float>(), kElements, 0.f);
  std::fill_n(ones.data<float>(), kElements, 1.f);
  Ref<Variable> variable = Ref<Variable>::adopt(new Variable("v", f32, Shape{kElements}));
  variable->value = zeros;
  std::atomic<int> failures = 0;
  auto work = [&](int thread) {
    for (int i = 0; i < kCalls; ++i) {
      bool fails = (thread + i) % 5 == 0;
      Tensor by = *ones.clone();
      if (fails)
        by.data<float>()[0] = -1.f;
      std::vector<Tensor> feeds{by, Tensor::handle(Ref<Object>::share(variable.get()))};
      uint64_t leftover = 0;
      auto fetches = executor->callAmongOthers(0, feeds, std::nullopt, leftover);
      EXPECT_EQ(fetches.ok(), !fails);
      failures += !fetches.ok();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, kThreads * kCalls / 5);
  for (float element : variable->value.values<float>())
    EXPECT_EQ(element, static_cast<float>(kThreads * kCalls * 4 / 5));
}

// Adds what it is given, but not at once, so that others could come between.
const Kernel addLate = {nullptr,
                        [](KernelCall &call) {
                          std::this_thread::sleep_for(std::chrono::microseconds(20));
                          float by = *call.input(1).data<float>();
                          call.output(0) = Tensor::scalar(*call.input(0).data<float>() + by);
                          return by < 0 ? invalidArgument("negative") : okStatus();
                        },
                        kEffect};

// From take to give a variable is its call's alone; one that fails in between lets others have it,
// and has changed nothing.
TEST_F(ConcurrentCalls, KeepWhatTheyHaveTaken) {
  auto runs = g_.feed("runs", DType::kBool), x = g_.feed("x", f32), v = g_.feed("v", kHandle);
  auto taken = g_.kernel("state.take", "take", 0, {runs, v}, {DType::kBool, kHandle}, f32, false);
  auto sum = g_.kernel(addLate, "add", 0, {taken, x}, f32);
  auto given = g_.kernel("state.give", "give", 0, {runs, v, sum}, {DType::kBool, kHandle, f32},
                         DType::kInvalid, false);
  g_.node(given).outputTypes.clear();
  g_.node(given).outputIsScalar.clear();
  g_.fetch("sum", sum, f32);
  auto executor = g_.build();
  constexpr int kThreads = 4, kCalls = 100;
  ASSERT_TRUE(executor->allowCalls(kThreads).ok());
  Ref<Variable> variable = Ref<Variable>::adopt(new Variable("v", f32, Shape{}));
  variable->value = Tensor::scalar(0.f);
  auto work = [&](int thread) {
    for (int i = 0; i < kCalls; ++i) {
      bool fails = (thread + i) % 5 == 0;
      std::vector<Tensor> feeds{Tensor::scalar(true), Tensor::scalar(fails ? -1.f : 1.f),
                                Tensor::handle(Ref<Object>::share(variable.get()))};
      uint64_t leftover = 0;
      EXPECT_EQ(executor->callAmongOthers(0, feeds, std::nullopt, leftover).ok(), !fails);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(*variable->value.data<float>(), static_cast<float>(kThreads * kCalls * 4 / 5));
}

// Threads take turns in writing the trace: no event is lost, and each has its call.
TEST_F(ConcurrentCalls, AreRecordedTogether) {
  auto x = g_.feed("x", f32);
  for (int i = 0; i < 5; ++i)
    x = g_.kernel(failIfNegative, "check", 0, {x}, f32);
  g_.fetch("x", x, f32);
  auto executor = g_.build();
  executor->record(100'000);
  executor->setOptions({});
  constexpr int kThreads = 4, kCalls = 200;
  ASSERT_TRUE(executor->allowCalls(kThreads).ok());
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      std::vector<Tensor> feeds{Tensor::scalar(1.f)};
      uint64_t leftover = 0;
      for (int call = 0; call < kCalls; ++call)
        EXPECT_TRUE(executor->callAmongOthers(0, feeds, std::nullopt, leftover).ok());
    });
  for (std::thread &thread : threads)
    thread.join();
  std::string trace = executor->trace();
  auto count = [&](const std::string &part) {
    int found = 0;
    for (size_t at = trace.find(part); at != trace.npos; at = trace.find(part, at + 1))
      ++found;
    return found;
  };
  for (int call = 1; call <= kThreads * kCalls; ++call) {
    ASSERT_EQ(count(format("\"name\":\"call %d of main\"", call)), 1);
    ASSERT_EQ(count(format("\"args\":{\"call\":%d,\"node\":\"check\"", call)), 5);
  }
}

} // namespace
} // namespace sluice::rt
