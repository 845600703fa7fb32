// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank that lives and does not answer is lost by name; one that computes is not.
#include "test/runtime/cluster/split_loop.h"
#include "test/runtime/transport/raw_peer.h"

#include "runtime/cluster/member.h"

#include <atomic>
#include <thread>

namespace sluice::rt {
namespace {

constexpr uint64_t kPeerTimeout = kSecond, kKernelSeconds = 4;

// Rank 0 is real; of rank 1 there is only what a watch would say, and what the test adds.
class SilentPeer : public testing::Test {
protected:
  SilentPeer() {
    all_[0].peerTimeoutNs = kPeerTimeout;
    Connecting connecting(all_[0]);
    peer_ = std::make_unique<RawPeer>(all_[1]);
    EXPECT_TRUE(peer_->shakeHands());
    Connected result = connecting.finish();
    EXPECT_TRUE(result.ok()) << result.status().toString();
    transport_ = std::move(*result);
    watch_ = std::thread([this] {
      for (int i = 0; !stop_; ++i) {
        MessageHeader beat{0, static_cast<uint8_t>(TransportMessage::kHeartbeat), flags_};
        (void)::send(peer_->fd(), &beat, sizeof beat, MSG_NOSIGNAL);
        if (saysItIsIdle_ && i % 12 == 0) // a rank that hears more does not ask
          sayIdleIn(1000);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    });
    RunOptions options;
    options.workers = 0;
    options.limits.set(Limit::kKernelSeconds, kKernelSeconds);
    member_.executor().setOptions(options);
    member_.attach(*transport_, kPeerTimeout);
  }
  ~SilentPeer() override {
    stop_ = true;
    watch_.join();
  }
  // A message without a payload: heartbeats may come between two messages, not within one.
  void say(MessageType type) {
    MessageHeader header{0, static_cast<uint8_t>(type)};
    peer_->send({reinterpret_cast<const char *>(&header), sizeof header});
  }
  // In a round of questions that has not begun.
  void sayIdleIn(uint32_t round) {
    struct {
      MessageHeader header{sizeof answer, static_cast<uint8_t>(MessageType::kProbeReply)};
      uint64_t answer[6] = {1, 1, 0, 0, 0, 0}; // call 1, idle, nothing received or sent, no text
    } message;
    message.header.subject = round;
    (void)::send(peer_->fd(), &message, sizeof message, MSG_NOSIGNAL);
  }
  // True if the cluster has ended.
  bool drive(const std::function<bool()> &until, uint64_t timeoutNs = 20 * kSecond) {
    uint64_t start = systemClock().now();
    while (!member_.ended() && !until() && systemClock().now() - start < timeoutNs)
      if (!member_.progress())
        transport_->wait(5 * kMillisecond);
    return member_.ended();
  }
  void becomeReady() {
    say(MessageType::kReady);
    ASSERT_FALSE(drive([&] { return member_.allReady(); }));
    ASSERT_TRUE(member_.allReady());
  }
  void startCall(std::optional<double> seconds = std::nullopt) {
    Tensor limit = Tensor::scalar<int32_t>(3);
    member_.startCall(0, std::span(&limit, 1), seconds);
  }
  void expectLost(const std::string &why) {
    ASSERT_TRUE(drive([] { return false; }));
    EXPECT_EQ(member_.end().kind, ClusterEnd::Kind::kTimedOut);
    EXPECT_EQ(member_.end().status.code(), Code::kDeadlineExceeded);
    const std::string &text = member_.end().status.message();
    EXPECT_TRUE(text.starts_with("rank 1 (/device:CPU:1) ")) << text;
    EXPECT_NE(text.find(why), std::string::npos) << text;
  }

  std::vector<TcpOptions> all_ = tcpCluster(2);
  std::unique_ptr<RawPeer> peer_;
  std::unique_ptr<Transport> transport_;
  SplitLoop loop_;
  Member member_{loop_.first().buildProgram(), systemThreads(), systemClock()};
  std::atomic<bool> stop_ = false;
  std::atomic<uint8_t> flags_ = 0;
  std::atomic<bool> saysItIsIdle_ = false;
  std::thread watch_;
};

TEST_F(SilentPeer, thatIsNeverReady) {
  expectLost("lives, but has not said that it is ready for ");
}

TEST_F(SilentPeer, inACall) {
  becomeReady();
  startCall();
  expectLost("lives, but has not said whether it can go on for ");
  EXPECT_TRUE(member_.callsOver());
}

TEST_F(SilentPeer, thatAnswersWhatIsNotAsked) {
  becomeReady();
  startCall();
  saysItIsIdle_ = true;
  expectLost("computes, but has not said whether it can go on for 4.");
}

TEST_F(SilentPeer, thatDoesNotEndAFailedCall) {
  becomeReady();
  startCall(0);
  member_.endInTime();
  expectLost("lives, but has not said that it has ended the call, which has failed for ");
}

TEST_F(SilentPeer, thatKeepsItsVariables) {
  becomeReady();
  member_.requestVariables();
  expectLost("lives, but has not said what its variables hold for ");
  EXPECT_TRUE(member_.variablesHere());
}

TEST_F(SilentPeer, betweenCallsIsAwaited) {
  becomeReady();
  EXPECT_FALSE(drive([] { return false; }, 3 * kPeerTimeout));
}

TEST_F(SilentPeer, thatComputesIsAwaited) {
  flags_ = kOwnerBusy;
  becomeReady();
  startCall();
  EXPECT_FALSE(drive([] { return false; }, 2 * kPeerTimeout));
}

TEST_F(SilentPeer, thatComputesIsAwaitedAsLongAsKernelsMayTake) {
  flags_ = kOwnerBusy;
  expectLost("computes, but has not said that it is ready for 4.");
}

} // namespace
} // namespace sluice::rt
