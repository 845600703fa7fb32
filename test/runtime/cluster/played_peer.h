// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank whose peer is played by the test, and scenes in which that peer says what no rank of the
// same program would.
#pragma once

#include "test/runtime/cluster/pair.h"
#include "test/runtime/cluster/split_loop.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

namespace sluice::rt {

// One real rank; the test plays the other one.
class Stage final : Transport::Handler {
public:
  explicit Stage(uint32_t real) : other_(1 - real), hub_(2) {
    program_ = real == 0 ? &loop_.first() : &loop_.second();
    program_->variable("v", DType::kF32, Shape{2});
    member_ = std::make_unique<Member>(program_->buildProgram(), systemThreads(), clock_);
    options_.workers = 0;
    options_.print = [](std::string_view) {};
    member_->executor().setOptions(options_);
    realEnd_ = hub_.endpoint(real);
    end_ = hub_.endpoint(other_);
    member_->attach(*realEnd_);
  }

  Member &member() { return *member_; }
  void limit(Limit limit, uint64_t value) {
    options_.limits.set(limit, value);
    member_->executor().setOptions(options_);
  }
  void say(MessageType type, const PayloadWriter &payload = {}, uint32_t call = 0,
           uint32_t subject = 0, uint8_t flags = 0, uint16_t count = 0) {
    MessageHeader header;
    header.type = static_cast<uint8_t>(type);
    header.flags = flags;
    header.count = count;
    header.subject = subject;
    header.call = call;
    end_->send(1 - other_, header, payload.bytes());
    end_->flush();
    act();
  }
  void act() {
    for (int i = 0; i < 100; ++i) {
      (void)member_->progress();
      (void)end_->poll(*this);
    }
  }
  void goAway(bool inOrder) {
    if (inOrder)
      end_->close(0);
    end_.reset();
    for (int i = 0; i < 100; ++i)
      (void)member_->progress();
  }
  // As rank 1.
  void ready() { say(MessageType::kReady); }
  void startCall() {
    Tensor limit = Tensor::scalar<int32_t>(100);
    member_->startCall(0, std::span(&limit, 1));
    act();
  }
  uint32_t heard(MessageType type) { return heard_[static_cast<uint8_t>(type)]; }
  // The payload of the last message of the type.
  std::span<const char> last(MessageType type) { return last_[static_cast<uint8_t>(type)]; }

private:
  Result<uint64_t> admit(uint32_t, const MessageHeader &) override { return kLargestMessage; }
  void receive(uint32_t, const MessageHeader &header, std::span<const char> payload) override {
    ++heard_[header.type];
    last_[header.type].assign(payload.data(), payload.size());
  }
  void lost(uint32_t, const Status &) override {}

  const uint32_t other_;
  SplitLoop loop_;
  GraphBuilder *program_ = nullptr;
  TestClock clock_;
  Hub hub_;
  RunOptions options_;
  std::unique_ptr<Member> member_;
  std::unique_ptr<Transport> realEnd_, end_;
  std::map<uint8_t, uint32_t> heard_;
  std::map<uint8_t, std::string> last_;
};

inline PayloadWriter words(std::initializer_list<uint64_t> list) {
  PayloadWriter out;
  for (uint64_t word : list)
    out.u64(word);
  return out;
}
inline PayloadWriter named(const char *name, const Tensor &value) {
  PayloadWriter out;
  out.text(name);
  out.tensor(value);
  return out;
}
// Of a rank that has sent `sent` tokens to rank 0, and no news, and received `received`.
inline PayloadWriter report(const Status &status, uint64_t received = 0, uint64_t sent = 0) {
  PayloadWriter out;
  out.status(status);
  for (uint64_t word : {uint64_t{0}, received, sent, uint64_t{0}, uint64_t{0}, uint64_t{0}})
    out.u64(word);
  return out;
}

struct Scene {
  const char *name;
  uint32_t real; // the rank that is not played
  std::function<void(Stage &)> play;
  const char *expected; // in the message
};

// The rank ends, says what was wrong and who said it, and waits for nothing.
inline void expectRefused(const Scene &scene) {
  Stage stage(scene.real);
  scene.play(stage);
  stage.act();
  ASSERT_TRUE(stage.member().ended());
  EXPECT_EQ(stage.member().end().kind, ClusterEnd::Kind::kRefused);
  const std::string text = stage.member().end().status.toString();
  EXPECT_NE(text.find(scene.expected), std::string::npos) << text;
  EXPECT_NE(text.find(scene.real == 0 ? "rank 1 " : "rank 0 "), std::string::npos) << text;
  EXPECT_TRUE(stage.member().callsOver());
}

} // namespace sluice::rt
