// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several requests at a time: order of responses, state, and what calls that wait are told.
#include "runtime/api/concurrent_session.h"
#include "test/runtime/api/bench.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

namespace sluice::rt {
namespace {

// Takes its time to be saved.
class SlowObject final : public LastingObject {
public:
  SlowObject() : LastingObject(Kind::kStack) {}
  Result<std::vector<NamedTensor>> save() const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ++saved;
    return std::vector<NamedTensor>();
  }
  Status restore(std::vector<NamedTensor>) override { return okStatus(); }
  mutable std::atomic<int> saved = 0;
};

// "echo" gives what it gets, "wait" gives it when "release" has been called as often.
class Echo final : public Runner {
public:
  Echo() {
    for (const char *name : {"echo", "wait", "release"}) {
      SignatureInfo signature;
      signature.name = name;
      signature.feeds.push_back({"x", DType::kF32, Shape{}});
      signature.fetches.push_back({"y", DType::kF32, Shape{}});
      signatures_.push_back(signature);
    }
    variable_.value = Tensor::scalar(0.f);
  }
  std::span<const SignatureInfo> signatures() const override { return signatures_; }
  std::span<Variable *const> variables() override { return variables_; }
  void setOptions(const RunOptions &) override {}
  Status allowCalls(unsigned) override { return okStatus(); }
  Result<std::vector<Tensor>> call(size_t, std::span<const Tensor>) override {
    return internalError("expected calls among others");
  }
  Result<std::vector<Tensor>> callAmongOthers(size_t signature, std::span<const Tensor> feeds,
                                              std::optional<double>, uint64_t &leftover) override {
    std::unique_lock<std::mutex> lock(mutex_);
    leftover = 0;
    --expected_;
    if (signature == 2)
      ++released_;
    changed_.notify_all();
    if (signature == 1) {
      changed_.wait(lock, [this] { return released_ > 0 || (!expectsMore_ && expected_ == 0); });
      if (released_ == 0)
        return failedPrecondition("waits in vain");
      --released_;
    }
    return std::vector<Tensor>{feeds[0]};
  }
  void expectCalls(int change) override {
    std::lock_guard<std::mutex> lock(mutex_);
    expected_ += change;
    changed_.notify_all();
  }
  void expectMoreCalls(bool expects) override {
    std::lock_guard<std::mutex> lock(mutex_);
    expectsMore_ = expects;
    changed_.notify_all();
  }
  uint64_t leftoverTokens() const override { return 0; }
  Stats stats() const override { return {}; }
  std::string_view programName() const override { return "echo"; }
  std::string_view versionText() const override { return ""; }
  std::string_view programHash() const override { return "hash"; }
  std::span<const LastingResource> lasting() const override { return lasting_; }
  int saved() const { return object_.saved; }

private:
  SlowObject object_;
  std::vector<LastingResource> lasting_{{"stack", "s", &object_}};
  std::mutex mutex_;
  std::condition_variable changed_;
  int released_ = 0, expected_ = 0;
  bool expectsMore_ = false;
  std::vector<SignatureInfo> signatures_;
  Variable variable_{"v", DType::kF32, Shape{}};
  std::vector<Variable *> variables_{&variable_};
};

std::string request(const char *signature, int x, const std::string &more = "") {
  return format(R"({"signature":"%s","inputs":{"x":{"dtype":"float32","shape":[],"data":[%d]}},)"
                R"("plain":true)",
                signature, x) +
         more + '}';
}

class ConcurrentSessions : public testing::Test {
protected:
  std::vector<std::string> answersTo(const std::vector<std::string> &requests, unsigned calls = 2) {
    std::vector<std::string> responses;
    Limits limits;
    CallSession session(echo, limits, nullptr);
    ConcurrentSession answers(session, echo, calls, std::nullopt, systemThreads(),
                              [&](const std::string &response) {
                                responses.push_back(response);
                                return okStatus();
                              });
    for (const std::string &line : requests)
      EXPECT_TRUE(answers.ask({line, {}}).ok());
    EXPECT_TRUE(answers.finish().ok());
    EXPECT_EQ(session.calls(), requests.size());
    return responses;
  }
  static bool gives(const std::string &response, int x) {
    return response.find(format("[%d", x)) != std::string::npos ||
           response.find(format(":%d", x)) != std::string::npos;
  }
  static bool failsWith(const std::string &response, const char *code) {
    return response.find(code) != std::string::npos;
  }

  Echo echo;
};

TEST_F(ConcurrentSessions, ResponsesHaveTheOrderOfRequests) {
  std::vector<std::string> requests;
  for (int i = 0; i < 200; ++i)
    requests.push_back(request("echo", i));
  std::vector<std::string> responses = answersTo(requests, 4);
  ASSERT_EQ(responses.size(), requests.size());
  for (int i = 0; i < 200; ++i)
    EXPECT_TRUE(gives(responses[i], i)) << responses[i];
}

TEST_F(ConcurrentSessions, ALaterRequestHelpsAnEarlierOne) {
  std::vector<std::string> responses = answersTo({request("wait", 1), request("release", 2)});
  ASSERT_EQ(responses.size(), 2u);
  EXPECT_TRUE(gives(responses[0], 1)) << responses[0];
  EXPECT_TRUE(gives(responses[1], 2)) << responses[1];
}

// Two threads wait, and the third request finds none until one of them has been told.
TEST_F(ConcurrentSessions, WhoWaitsIsToldWhenNoThreadIsFree) {
  std::vector<std::string> responses =
      answersTo({request("wait", 1), request("wait", 2), request("release", 3)});
  ASSERT_EQ(responses.size(), 3u);
  EXPECT_TRUE(failsWith(responses[0], "FAILED_PRECONDITION") ||
              failsWith(responses[1], "FAILED_PRECONDITION"))
      << responses[0] << responses[1];
  EXPECT_TRUE(gives(responses[2], 3));
}

TEST_F(ConcurrentSessions, WhoWaitsIsToldAtTheEnd) {
  std::vector<std::string> responses = answersTo({request("wait", 1)});
  ASSERT_EQ(responses.size(), 1u);
  EXPECT_TRUE(failsWith(responses[0], "FAILED_PRECONDITION")) << responses[0];
}

// Who reads the state waits for those under way, so they cannot wait for it.
TEST_F(ConcurrentSessions, WhoeverReadsTheStateIsAlone) {
  std::vector<std::string> responses = answersTo(
      {request("wait", 1), request("echo", 2, R"(,"want_state":true)"), request("echo", 3)}, 3);
  ASSERT_EQ(responses.size(), 3u);
  EXPECT_TRUE(failsWith(responses[0], "FAILED_PRECONDITION")) << responses[0];
  EXPECT_NE(responses[1].find("\"state\""), std::string::npos) << responses[1];
  EXPECT_TRUE(gives(responses[2], 3));
}

// A request is read by its thread, and one after it may be read sooner.
TEST_F(ConcurrentSessions, EnterInTheirOrder) {
  std::string zeros = "0";
  for (int i = 1; i < 500'000; ++i)
    zeros += ",0";
  std::string state = R"(,"state":{"v":{"dtype":"float32","shape":[],"data":[5]},)"
                      R"("unknown":{"dtype":"float32","shape":[500000],"data":[)" +
                      zeros + "]}}";
  std::vector<std::string> responses =
      answersTo({request("echo", 1, state), request("echo", 2, R"(,"want_state":true)"),
                 request("echo", 3, R"(,"want_state":true)")},
                3);
  ASSERT_EQ(responses.size(), 3u);
  for (int i : {1, 2})
    EXPECT_TRUE(gives(responses[i].substr(responses[i].find("\"state\"")), 5)) << responses[i];
}

TEST_F(ConcurrentSessions, TellsThatItCannotPrint) {
  Limits limits;
  CallSession session(echo, limits, nullptr);
  ConcurrentSession answers(session, echo, 2, std::nullopt, systemThreads(),
                            [](const std::string &) { return Status(Code::kUnavailable, "full"); });
  int asked = 0;
  while (answers.ask({request("echo", 1), {}}).ok()) // until it has been noticed
    ASSERT_LT(++asked, 1000);
  EXPECT_EQ(answers.finish().code(), Code::kUnavailable);
  EXPECT_LE(session.calls(), static_cast<uint64_t>(asked));
}

// The first request ends after the third call, with which a checkpoint is due, and is in it as
// well.
TEST_F(ConcurrentSessions, WhatEndsWhileACheckpointIsDueWaitsForIt) {
  std::string folder = testing::TempDir() + "/sluice-session-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  CheckpointOptions options{.folder = folder, .every = 3};
  MemoryConsole console;
  Diagnostics diagnostics(console);
  Checkpointing checkpoints(options, echo, diagnostics);
  ASSERT_FALSE(checkpoints.begin());
  Limits limits;
  CallSession session(echo, limits, nullptr);
  session.checkpointWith(checkpoints);
  std::atomic<int> printed = 0;
  {
    ConcurrentSession answers(session, echo, 5, std::nullopt, systemThreads(),
                              [&](const std::string &) {
                                EXPECT_EQ(echo.saved(), 1) << "response " << printed;
                                ++printed;
                                return okStatus();
                              });
    // What waits is told so when somebody wants to be alone, to write the checkpoint.
    for (const char *signature : {"wait", "echo", "echo", "echo"})
      EXPECT_TRUE(answers.ask({request(signature, 1), {}}).ok());
    while (printed < 4)
      std::this_thread::yield();
    EXPECT_TRUE(answers.ask({request("echo", 1), {}}).ok()); // with this one none is due
    EXPECT_TRUE(answers.finish().ok());
  }
  EXPECT_EQ(checkpoints.step(), 5u);
  EXPECT_EQ(echo.saved(), 1);
  EXPECT_TRUE(std::filesystem::exists(folder + "/step-4/MANIFEST"));
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace sluice::rt
