// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peers that break rules, break off, fall silent or are just busy.
#include "test/runtime/transport/raw_peer.h"

namespace sluice::rt {
namespace {

constexpr uint64_t kPeerTimeout = 300 * kMillisecond;

// Rank 0 is real, rank 1 made by hand.
class PeerFaultTest : public testing::Test {
protected:
  PeerFaultTest() {
    TcpOptions &first = all_[0];
    first.peerTimeoutNs = kPeerTimeout;
    Connecting connecting(first);
    peer_ = std::make_unique<RawPeer>(all_[1]);
    EXPECT_TRUE(peer_->shakeHands());
    Connected result = connecting.finish();
    EXPECT_TRUE(result.ok()) << result.status().toString();
    transport_ = std::move(*result);
  }
  bool pumpUntilLost(uint64_t timeoutNs = 20 * kSecond) {
    return pumpUntil(*transport_, recorder_, [&] { return !recorder_.ends.empty(); }, timeoutNs);
  }
  void expectLost(Code code, const std::string &reason) {
    ASSERT_TRUE(pumpUntilLost());
    EXPECT_EQ(recorder_.ends, (Ends{{1, code}})) << recorder_.reasons;
    std::string name = "rank 1 (" + all_[0].addresses[1] + ")";
    bool gaveUp = reason.starts_with("gave up");
    EXPECT_EQ(recorder_.reasons, name + (gaveUp ? " " : ": ") + reason + "\n");
  }
  // As a watch would, until told to stop.
  std::thread keepAlive(std::atomic<bool> &stop, uint8_t flags = 0) {
    return std::thread([this, &stop, flags] {
      MessageHeader header{0, static_cast<uint8_t>(TransportMessage::kHeartbeat), flags};
      while (!stop) {
        (void)::send(peer_->fd(), &header, sizeof header, MSG_NOSIGNAL);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    });
  }

  std::vector<TcpOptions> all_ = tcpCluster(2);
  std::unique_ptr<RawPeer> peer_;
  std::unique_ptr<Transport> transport_;
  Recorder recorder_;
};

TEST_F(PeerFaultTest, OversizeIsRejectedBeforeMemoryIsTaken) {
  struct Strict : Recorder {
    Result<uint64_t> admit(uint32_t, const MessageHeader &header) override {
      asked.push_back(header.bytes);
      return uint64_t{1} << 20;
    }
    std::vector<uint32_t> asked;
  } strict;
  peer_->sendMessage(kTextMessage, 0xfffffff0u, "no more than this");
  ASSERT_TRUE(pumpUntil(*transport_, strict, [&] { return !strict.ends.empty(); }));
  EXPECT_EQ(strict.asked, (std::vector<uint32_t>{0xfffffff0u}));
  EXPECT_EQ(strict.ends, (Ends{{1, Code::kPermissionDenied}}));
  EXPECT_TRUE(strict.texts.empty());
}

TEST_F(PeerFaultTest, UnknownTransportMessageLosesThePeer) {
  peer_->sendMessage(3, 0);
  expectLost(Code::kPermissionDenied, "sent a transport message of type 3 with 0 bytes, expected "
                                      "type 1 with none or 2 with at most 1024");
}

TEST_F(PeerFaultTest, HeartbeatWithPayloadLosesThePeer) {
  peer_->sendMessage(1, 8, "12345678");
  expectLost(Code::kPermissionDenied, "sent a transport message of type 1 with 8 bytes, expected "
                                      "type 1 with none or 2 with at most 1024");
}

TEST_F(PeerFaultTest, HeartbeatWithUnknownFlagsLosesThePeer) {
  MessageHeader header{0, static_cast<uint8_t>(TransportMessage::kHeartbeat), 4};
  peer_->send({reinterpret_cast<const char *>(&header), sizeof header});
  expectLost(Code::kPermissionDenied, "sent a heartbeat with flags 0x4, expected at most 0x3");
}

TEST_F(PeerFaultTest, MessageInPiecesIsPutTogether) {
  MessageHeader header{12, kTextMessage};
  std::string bytes(reinterpret_cast<const char *>(&header), sizeof header);
  bytes += std::string("hello, world") + std::string(4, '\0');
  for (char byte : bytes) {
    EXPECT_TRUE(recorder_.texts.empty());
    peer_->send({&byte, 1});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    transport_->poll(recorder_);
  }
  ASSERT_TRUE(pumpUntil(*transport_, recorder_, [&] { return !recorder_.texts.empty(); }));
  EXPECT_EQ(recorder_.texts, (Texts{{1, "hello, world"}}));
}

TEST_F(PeerFaultTest, EndInTheMiddleOfAMessageIsSaid) {
  peer_->sendMessage(kTextMessage, 100, "the beginning");
  peer_->close();
  ASSERT_TRUE(pumpUntilLost());
  EXPECT_EQ(recorder_.ends, (Ends{{1, Code::kUnavailable}}));
  EXPECT_TRUE(recorder_.texts.empty());
}

TEST_F(PeerFaultTest, WhereAMessageEndsIsSaid) {
  peer_->sendMessage(kTextMessage, 100, "the beginning");
  ::shutdown(peer_->fd(), SHUT_WR);
  expectLost(Code::kUnavailable, "ended in the middle of a message");
}

TEST_F(PeerFaultTest, EndWithoutGoodbyeIsSaid) {
  peer_->sendMessage(kTextMessage, 8, "complete");
  ::shutdown(peer_->fd(), SHUT_WR);
  expectLost(Code::kUnavailable, "ended without goodbye");
  EXPECT_EQ(recorder_.texts, (Texts{{1, "complete"}}));
}

TEST_F(PeerFaultTest, GoodbyeIsAnOrderlyEnd) {
  peer_->sendMessage(static_cast<uint8_t>(TransportMessage::kGoodbye), 0);
  peer_->sendMessage(kTextMessage, 8, "too late");
  expectLost(Code::kCancelled, "ended");
  EXPECT_TRUE(recorder_.texts.empty());
}

TEST_F(PeerFaultTest, GoodbyeMayHaveAReason) {
  MessageHeader goodbye{8, static_cast<uint8_t>(TransportMessage::kGoodbye)};
  goodbye.flags = static_cast<uint8_t>(Code::kDeadlineExceeded);
  peer_->send({reinterpret_cast<const char *>(&goodbye), sizeof goodbye});
  peer_->send("too\x1blate");
  expectLost(Code::kDeadlineExceeded, "gave up: too\\x1blate");
}

// Such a peer has not ended in order.
TEST_F(PeerFaultTest, GoodbyeOfOneThatWasEndedSaysSo) {
  MessageHeader goodbye{1024, static_cast<uint8_t>(TransportMessage::kGoodbye)};
  goodbye.flags = static_cast<uint8_t>(Code::kCancelled);
  peer_->send({reinterpret_cast<const char *>(&goodbye), sizeof goodbye});
  peer_->send(std::string(1024, 'x'));
  expectLost(Code::kUnavailable, "gave up: " + std::string(1024, 'x'));
}

TEST_F(PeerFaultTest, GoodbyeWithAnUnknownCodeIsSound) {
  MessageHeader goodbye{0, static_cast<uint8_t>(TransportMessage::kGoodbye), 200};
  peer_->send({reinterpret_cast<const char *>(&goodbye), sizeof goodbye});
  expectLost(Code::kUnknown, "gave up: ");
}

TEST_F(PeerFaultTest, LongGoodbyeLosesThePeer) {
  peer_->sendMessage(static_cast<uint8_t>(TransportMessage::kGoodbye), 1025);
  expectLost(Code::kPermissionDenied, "sent a transport message of type 2 with 1025 bytes, "
                                      "expected type 1 with none or 2 with at most 1024");
}

TEST_F(PeerFaultTest, ResetIsSaid) {
  peer_->reset();
  expectLost(Code::kUnavailable, "Connection reset by peer");
}

TEST_F(PeerFaultTest, ResetEndsWaitingAndSending) {
  std::string much(1 << 20, 'x');
  sendText(*transport_, 1, much);
  transport_->flush();
  peer_->reset();
  ASSERT_TRUE(pumpUntilLost());
  EXPECT_EQ(transport_->unsent(1), 0u);
}

TEST_F(PeerFaultTest, SilenceIsDetectedInTime) {
  uint64_t start = systemClock().now();
  expectLost(Code::kDeadlineExceeded, "no sign of life for 0.3 s");
  uint64_t passed = systemClock().now() - start;
  EXPECT_GE(passed, kPeerTimeout / 2); // it was heard in the handshake, perhaps a while ago
  EXPECT_LT(passed, 5 * kSecond);
}

TEST_F(PeerFaultTest, SilenceInTheMiddleOfAMessageIsDetected) {
  peer_->sendMessage(kTextMessage, 500, "the beginning, and then nothing more");
  expectLost(Code::kDeadlineExceeded, "no sign of life for 0.3 s");
  EXPECT_TRUE(recorder_.texts.empty());
}

TEST_F(PeerFaultTest, SilenceInALargeMessageIsDetected) {
  recorder_.most = 10 << 20;
  peer_->sendMessage(kTextMessage, 5 << 20, std::string(1 << 20, 'x'));
  expectLost(Code::kDeadlineExceeded, "no sign of life for 0.3 s");
}

TEST_F(PeerFaultTest, SilenceIsDetectedByOneThatOnlyWaits) {
  uint64_t start = systemClock().now();
  while (recorder_.ends.empty() && systemClock().now() - start < 20 * kSecond) {
    transport_->wait(30 * kSecond);
    transport_->poll(recorder_);
  }
  EXPECT_EQ(recorder_.ends, (Ends{{1, Code::kDeadlineExceeded}}));
}

TEST_F(PeerFaultTest, AMillionHeartbeatsAreNoBurden) {
  constexpr int kBlocks = 1000, kEach = 1000;
  MessageHeader heartbeat{0, static_cast<uint8_t>(TransportMessage::kHeartbeat)};
  std::string block;
  for (int i = 0; i < kEach; ++i)
    block.append(reinterpret_cast<const char *>(&heartbeat), sizeof heartbeat);
  std::thread flood([&] {
    for (int i = 0; i < kBlocks; ++i)
      peer_->send(block);
    peer_->sendMessage(kTextMessage, 8, "12345678");
  });
  EXPECT_TRUE(pumpUntil(*transport_, recorder_, [&] { return !recorder_.texts.empty(); }));
  flood.join();
  EXPECT_TRUE(recorder_.ends.empty()) << recorder_.reasons;
}

TEST_F(PeerFaultTest, PeerThatNeverReadsIsLost) {
  std::atomic<bool> stop = false;
  std::thread alive = keepAlive(stop);
  sendText(*transport_, 1, std::string(8 << 20, 'x')); // more than sockets hold
  transport_->flush();
  expectLost(Code::kDeadlineExceeded, "does not read for 0.3 s");
  stop = true;
  alive.join();
}

TEST_F(PeerFaultTest, MoreToSendIsNoSignThatThePeerReads) {
  std::atomic<bool> stop = false;
  std::thread alive = keepAlive(stop);
  sendText(*transport_, 1, std::string(8 << 20, 'x'));
  EXPECT_TRUE(pumpUntil(*transport_, recorder_, [&] {
    sendText(*transport_, 1, "more");
    transport_->flush();
    return !recorder_.ends.empty();
  }));
  EXPECT_EQ(recorder_.ends, (Ends{{1, Code::kDeadlineExceeded}}));
  stop = true;
  alive.join();
}

TEST_F(PeerFaultTest, PeerThatCannotReadJustNowIsKept) {
  std::atomic<bool> stop = false;
  std::thread alive = keepAlive(stop, kInboxFull);
  sendText(*transport_, 1, std::string(8 << 20, 'x'));
  transport_->flush();
  EXPECT_FALSE(pumpUntilLost(3 * kPeerTimeout)) << recorder_.reasons;
  stop = true;
  alive.join();
}

TEST_F(PeerFaultTest, SlowReaderIsKept) {
  std::atomic<bool> stop = false;
  std::thread alive = keepAlive(stop);
  int small = 64 << 10; // so that what is read soon makes room
  ::setsockopt(peer_->fd(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
  std::thread reader([&] {
    char bytes[16 << 10];
    while (!stop) {
      (void)::recv(peer_->fd(), bytes, sizeof bytes, MSG_DONTWAIT);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  sendText(*transport_, 1, std::string(8 << 20, 'x'));
  transport_->flush();
  EXPECT_FALSE(pumpUntilLost(3 * kPeerTimeout)) << recorder_.reasons;
  EXPECT_GT(transport_->unsent(1), 0u);
  stop = true;
  alive.join();
  reader.join();
}

TEST_F(PeerFaultTest, HeartbeatsComeWithoutTheOwner) {
  std::atomic<bool> stop = false;
  std::thread alive = keepAlive(stop);
  std::string beats = peer_->receive(3 * sizeof(MessageHeader)); // nobody polls here
  stop = true;
  alive.join();
  ASSERT_EQ(beats.size(), 3 * sizeof(MessageHeader));
  EXPECT_EQ(beats, std::string("\0\0\0\0\x01\x02\0\0\0\0\0\0\0\0\0\0", 16) + beats.substr(0, 16) +
                       beats.substr(0, 16));
}

TEST_F(PeerFaultTest, HeartbeatsDoNotPileUp) {
  std::atomic<bool> stop = false;
  std::thread alive = keepAlive(stop, kInboxFull);
  sendText(*transport_, 1, std::string(8 << 20, 'x'));
  transport_->flush();
  pumpUntilLost(kPeerTimeout);
  uint64_t unsent = transport_->unsent(1);
  pumpUntilLost(2 * kPeerTimeout);
  EXPECT_EQ(transport_->unsent(1), unsent);
  stop = true;
  alive.join();
}

TEST_F(PeerFaultTest, CloseGivesUpOnOneThatDoesNotRead) {
  sendText(*transport_, 1, std::string(8 << 20, 'x'));
  uint64_t start = systemClock().now();
  transport_->close(100 * kMillisecond);
  EXPECT_LT(systemClock().now() - start, 10 * kSecond);
}

// Both sides are real.
class BusyTest : public testing::Test {
protected:
  static constexpr uint64_t kTimeout = 800 * kMillisecond;
  BusyTest() {
    std::vector<TcpOptions> all = tcpCluster(2);
    for (TcpOptions &options : all)
      options.peerTimeoutNs = kTimeout;
    ranks_ = connectedTcp(all);
  }
  static void work() { std::this_thread::sleep_for(std::chrono::nanoseconds(2 * kTimeout)); }
  Transports ranks_;
  Recorder busy_, other_;
};

TEST_F(BusyTest, BusyRankLivesAndBelievesItsPeerAlive) {
  std::thread worker([] { work(); });
  pumpUntil(*ranks_[1], other_, [&] { return !other_.ends.empty(); }, 2 * kTimeout);
  worker.join();
  sendText(*ranks_[1], 0, "still there?");
  ranks_[1]->flush();
  EXPECT_TRUE(pumpUntil(*ranks_[0], busy_, [&] { return !busy_.texts.empty(); }));
  EXPECT_TRUE(busy_.ends.empty()) << busy_.reasons;
  EXPECT_TRUE(other_.ends.empty()) << other_.reasons;
}

TEST_F(BusyTest, BothMayBeBusyWithMuchUnderWay) {
  std::string much(8 << 20, 'x');
  busy_.most = other_.most = much.size();
  for (uint32_t rank : {0u, 1u}) {
    sendText(*ranks_[rank], 1 - rank, much);
    ranks_[rank]->flush();
  }
  work();
  std::thread second(
      [&] { EXPECT_TRUE(pumpUntil(*ranks_[1], other_, [&] { return !other_.texts.empty(); })); });
  EXPECT_TRUE(pumpUntil(*ranks_[0], busy_,
                        [&] { return !busy_.texts.empty() && ranks_[0]->unsent(1) == 0; }));
  second.join();
  EXPECT_TRUE(busy_.ends.empty()) << busy_.reasons;
  EXPECT_TRUE(other_.ends.empty()) << other_.reasons;
}

TEST_F(BusyTest, BusyReceiverOfALargeMessageIsKept) {
  std::string much(8 << 20, 'x');
  busy_.most = much.size();
  sendText(*ranks_[1], 0, much);
  ranks_[1]->flush();
  EXPECT_FALSE(pumpUntil(
      *ranks_[1], other_, [&] { return !other_.ends.empty(); }, 2 * kTimeout))
      << other_.reasons;
  std::thread sender(
      [&] { pumpUntil(*ranks_[1], other_, [&] { return ranks_[1]->unsent(0) == 0; }); });
  EXPECT_TRUE(pumpUntil(*ranks_[0], busy_, [&] { return !busy_.texts.empty(); }));
  sender.join();
}

TEST(PeerTimeoutTest, MayDifferFromRankToRank) {
  std::vector<TcpOptions> all = tcpCluster(2);
  all[0].peerTimeoutNs = 600 * kMillisecond; // rank 1 would beat every half second
  Transports ranks = connectedTcp(all);
  Recorder recorder;
  EXPECT_FALSE(pumpUntil(
      *ranks[0], recorder, [&] { return !recorder.ends.empty(); }, 1200 * kMillisecond))
      << recorder.reasons;
}

TEST_F(BusyTest, OrderlyEndIsQuickThoughThePeerIsBusy) {
  sendText(*ranks_[0], 1, "last");
  uint64_t start = systemClock().now();
  ranks_[0]->close(60 * kSecond); // rank 1 does not poll: its watch lets us go
  EXPECT_LT(systemClock().now() - start, 30 * kSecond);
  ranks_[0].reset();
  EXPECT_TRUE(pumpUntil(*ranks_[1], other_, [&] { return !other_.ends.empty(); }));
  EXPECT_EQ(other_.texts, (Texts{{0, "last"}}));
  EXPECT_EQ(other_.ends, (Ends{{0, Code::kCancelled}})) << other_.reasons;
}

} // namespace
} // namespace sluice::rt
