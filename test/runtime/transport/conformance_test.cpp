// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runtime/transport/transport.h says, held against every implementation.
#include "test/runtime/transport/cluster.h"

#include <numeric>

namespace sluice::rt {
namespace {

class TransportTest : public testing::TestWithParam<std::string> {
protected:
  static Transports connected(uint32_t size) {
    if (GetParam() != "InProcess") {
      std::vector<TcpOptions> all = tcpCluster(size);
      for (TcpOptions &options : all)
        options.spinNs = GetParam() == "TcpSpinning" ? 20'000 : 0;
      return connectedTcp(all);
    }
    Hub hub(size);
    Transports transports;
    for (uint32_t rank = 0; rank < size; ++rank)
      transports.push_back(hub.endpoint(rank));
    return transports;
  }
  // Never the same eight bytes within a page.
  static std::string pattern(size_t size, uint32_t seed) {
    std::string page(std::min<size_t>(size, 4099), '\0'), text;
    for (size_t i = 0; i < page.size(); ++i)
      page[i] = static_cast<char>((i * 2654435761u + seed) >> 7);
    text.reserve(size + page.size());
    while (text.size() < size)
      text += page;
    text.resize(size);
    return text;
  }
};

INSTANTIATE_TEST_SUITE_P(All, TransportTest,
                         testing::Values("InProcess", "TcpBlocking", "TcpSpinning"),
                         [](const auto &info) { return info.param; });

TEST_P(TransportTest, KnowsItsPlace) {
  Transports ranks = connected(3);
  for (uint32_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(ranks[rank]->rank(), rank);
    EXPECT_EQ(ranks[rank]->size(), 3u);
  }
}

TEST_P(TransportTest, CarriesHeaderAndBothPartsOfThePayload) {
  struct Keeper : Recorder {
    void receive(uint32_t peer, const MessageHeader &header,
                 std::span<const char> payload) override {
      last = header;
      Recorder::receive(peer, header, payload);
    }
    MessageHeader last;
  } keeper;
  Transports ranks = connected(2);
  MessageHeader header{99, kTextMessage, 7, 513, 70000, 0x80000001};
  ranks[1]->send(0, header, std::string_view("ab"), std::string_view("cde"));
  ranks[1]->flush();
  ASSERT_TRUE(pumpUntil(*ranks[0], keeper, [&] { return keeper.texts.size() == 1; }));
  EXPECT_EQ(keeper.texts[0], (std::pair<uint32_t, std::string>(1, "abcde")));
  EXPECT_EQ(keeper.last.bytes, 5u);
  EXPECT_EQ(keeper.last.flags, 7);
  EXPECT_EQ(keeper.last.count, 513);
  EXPECT_EQ(keeper.last.subject, 70000u);
  EXPECT_EQ(keeper.last.call, 0x80000001);
}

TEST_P(TransportTest, KeepsOrderAndLosesNothing) {
  Transports ranks = connected(2);
  Recorder recorder;
  constexpr uint32_t kCount = 3000;
  for (uint32_t i = 0; i < kCount; ++i) {
    sendText(*ranks[0], 1, pattern(i % 97, i));
    if (i % 7 == 0)
      ranks[0]->flush();
  }
  ranks[0]->flush();
  Recorder none;
  ASSERT_TRUE(pumpUntil(*ranks[1], recorder, [&] {
    ranks[0]->poll(none);
    return recorder.texts.size() == kCount;
  }));
  for (uint32_t i = 0; i < kCount; ++i)
    ASSERT_EQ(recorder.texts[i].second, pattern(i % 97, i)) << i;
}

TEST_P(TransportTest, CarriesMessagesOfAllSizes) {
  Transports ranks = connected(2);
  std::vector<size_t> sizes = {0, 1, 7, 8, 4096, 65519, 65520, 65521, 262144, 300001, 64 << 20, 3};
  std::thread sender([&] {
    Recorder none;
    for (size_t size : sizes) {
      sendText(*ranks[0], 1, pattern(size, 5));
      ranks[0]->flush();
    }
    EXPECT_TRUE(pumpUntil(*ranks[0], none, [&] { return ranks[0]->unsent(1) == 0; }));
  });
  Recorder recorder;
  recorder.most = 64 << 20;
  EXPECT_TRUE(
      pumpUntil(*ranks[1], recorder, [&] { return recorder.texts.size() == sizes.size(); }));
  sender.join();
  for (size_t i = 0; i < recorder.texts.size(); ++i)
    EXPECT_TRUE(recorder.texts[i].second == pattern(sizes[i], 5)) << sizes[i];
}

TEST_P(TransportTest, CarriesManySmallMessages) {
  struct Counter : Recorder {
    void receive(uint32_t, const MessageHeader &header, std::span<const char>) override {
      ordered &= header.call == count++;
    }
    uint32_t count = 0;
    bool ordered = true;
  } counter;
  Transports ranks = connected(2);
  constexpr uint32_t kCount = 200000;
  Recorder none;
  uint32_t sent = 0;
  ASSERT_TRUE(pumpUntil(*ranks[1], counter, [&] {
    for (uint32_t end = std::min(kCount, sent + 5000); sent < end; ++sent) {
      MessageHeader header;
      header.type = kTextMessage;
      header.call = sent;
      ranks[0]->send(1, header, std::string_view("0123456789abcdef0123456789abcdef"));
    }
    ranks[0]->flush();
    ranks[0]->poll(none);
    return counter.count == kCount;
  }));
  EXPECT_TRUE(counter.ordered);
}

TEST_P(TransportTest, AllSpeakToAll) {
  constexpr uint32_t kRanks = 4, kRounds = 300;
  Transports ranks = connected(kRanks);
  std::vector<Recorder> recorders(kRanks);
  std::vector<std::thread> threads;
  for (uint32_t rank = 0; rank < kRanks; ++rank)
    threads.emplace_back([&, rank] {
      for (uint32_t round = 0; round < kRounds; ++round) {
        for (uint32_t peer = 0; peer < kRanks; ++peer)
          if (peer != rank)
            sendText(*ranks[rank], peer, std::to_string(round));
        ranks[rank]->flush();
        size_t expected = (round + 1) * (kRanks - 1);
        ASSERT_TRUE(pumpUntil(*ranks[rank], recorders[rank],
                              [&] { return recorders[rank].texts.size() >= expected; }));
      }
      ranks[rank]->close(5 * kSecond);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const Recorder &recorder : recorders) {
    std::vector<uint32_t> next(kRanks);
    for (const auto &[peer, text] : recorder.texts)
      EXPECT_EQ(text, std::to_string(next[peer]++));
  }
}

TEST_P(TransportTest, HandlerMaySend) {
  struct Echo : Recorder {
    void receive(uint32_t peer, const MessageHeader &header,
                 std::span<const char> payload) override {
      transport->send(peer, header, payload);
      transport->flush();
    }
    Transport *transport = nullptr;
  } echo;
  Transports ranks = connected(2);
  echo.transport = ranks[1].get();
  Recorder recorder, none;
  for (int i = 0; i < 100; ++i)
    sendText(*ranks[0], 1, std::to_string(i));
  ranks[0]->flush();
  ASSERT_TRUE(pumpUntil(*ranks[0], recorder, [&] {
    ranks[1]->poll(echo);
    return recorder.texts.size() == 100;
  }));
  EXPECT_EQ(recorder.texts.back().second, "99");
}

TEST_P(TransportTest, WakesFromAnotherThread) {
  Transports ranks = connected(2);
  uint64_t start = systemClock().now();
  std::thread waker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    ranks[0]->wake();
  });
  ranks[0]->wait(60 * kSecond);
  waker.join();
  EXPECT_LT(systemClock().now() - start, 30 * kSecond);

  start = systemClock().now();
  ranks[0]->wait(20 * kMillisecond); // it has been woken once
  EXPECT_GE(systemClock().now() - start, 19 * kMillisecond);
}

TEST_P(TransportTest, WakeBeforeWaitIsNotForgotten) {
  Transports ranks = connected(2);
  Recorder recorder;
  ranks[0]->wake();
  ranks[0]->poll(recorder); // does not use it up
  uint64_t start = systemClock().now();
  ranks[0]->wait(60 * kSecond);
  EXPECT_LT(systemClock().now() - start, 30 * kSecond);
}

TEST_P(TransportTest, WaitEndsInTime) {
  Transports ranks = connected(2);
  uint64_t start = systemClock().now();
  ranks[0]->wait(20 * kMillisecond);
  EXPECT_GE(systemClock().now() - start, 19 * kMillisecond);
}

TEST_P(TransportTest, MessageEndsTheWait) {
  Transports ranks = connected(2);
  std::thread sender([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    sendText(*ranks[1], 0, "hello");
    ranks[1]->flush();
  });
  Recorder recorder;
  uint64_t start = systemClock().now();
  while (recorder.texts.empty() && systemClock().now() - start < 60 * kSecond) {
    ranks[0]->wait(60 * kSecond);
    ranks[0]->poll(recorder);
  }
  sender.join();
  EXPECT_EQ(recorder.texts, (Texts{{1, "hello"}}));
  EXPECT_LT(systemClock().now() - start, 30 * kSecond);
}

TEST_P(TransportTest, DeathIsToldOnceAfterTheLastMessage) {
  Transports ranks = connected(3);
  sendText(*ranks[1], 0, "last");
  ranks[1]->flush();
  ranks[1].reset();
  Recorder recorder;
  ASSERT_TRUE(pumpUntil(*ranks[0], recorder, [&] { return !recorder.ends.empty(); }));
  EXPECT_EQ(recorder.texts, (Texts{{1, "last"}}));
  for (int i = 0; i < 5; ++i)
    ranks[0]->poll(recorder);
  EXPECT_EQ(recorder.ends, (Ends{{1, Code::kUnavailable}}));
  EXPECT_NE(recorder.reasons.find("rank 1"), std::string::npos) << recorder.reasons;
}

TEST_P(TransportTest, OthersOutliveALostPeer) {
  Transports ranks = connected(3);
  ranks[1].reset();
  Recorder recorder;
  ASSERT_TRUE(pumpUntil(*ranks[0], recorder, [&] { return !recorder.ends.empty(); }));
  sendText(*ranks[2], 0, "here");
  ranks[2]->flush();
  ASSERT_TRUE(pumpUntil(*ranks[0], recorder, [&] { return !recorder.texts.empty(); }));
  EXPECT_EQ(recorder.texts, (Texts{{2, "here"}}));
}

TEST_P(TransportTest, WhatIsSentToALostPeerIsDropped) {
  Transports ranks = connected(2);
  ranks[1].reset();
  Recorder recorder;
  ASSERT_TRUE(pumpUntil(*ranks[0], recorder, [&] { return !recorder.ends.empty(); }));
  sendText(*ranks[0], 1, "nobody");
  EXPECT_EQ(ranks[0]->unsent(1), 0u);
  ranks[0]->flush();
  ranks[0]->poll(recorder);
  EXPECT_EQ(recorder.ends.size(), 1u);
}

TEST_P(TransportTest, CloseDeliversEverythingFirst) {
  Transports ranks = connected(2);
  constexpr size_t kCount = 40, kBytes = 200000; // more than sockets hold
  std::thread closer([&] {
    for (size_t i = 0; i < kCount; ++i)
      sendText(*ranks[1], 0, pattern(kBytes, static_cast<uint32_t>(i)));
    ranks[1]->close(20 * kSecond);
    ranks[1].reset();
  });
  Recorder recorder;
  recorder.most = kBytes;
  EXPECT_TRUE(pumpUntil(*ranks[0], recorder, [&] {
    sendText(*ranks[0], 1, "unread"); // what crosses the end may not hurt
    ranks[0]->flush();
    return !recorder.ends.empty();
  }));
  closer.join();
  ASSERT_EQ(recorder.texts.size(), kCount);
  for (size_t i = 0; i < kCount; ++i)
    EXPECT_TRUE(recorder.texts[i].second == pattern(kBytes, static_cast<uint32_t>(i)));
  EXPECT_EQ(recorder.ends, (Ends{{1, Code::kCancelled}})) << recorder.reasons;
}

TEST_P(TransportTest, AllMayCloseAtOnce) {
  Transports ranks = connected(3);
  uint64_t start = systemClock().now();
  std::vector<std::thread> threads;
  for (auto &transport : ranks)
    threads.emplace_back([&transport] { transport->close(60 * kSecond); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_LT(systemClock().now() - start, 30 * kSecond);
}

TEST_P(TransportTest, ClosedTransportOnlyDrops) {
  Transports ranks = connected(2);
  ranks[0]->close(kMillisecond);
  sendText(*ranks[0], 1, "late");
  ranks[0]->flush();
  EXPECT_EQ(ranks[0]->unsent(1), 0u);
  Recorder recorder, late;
  EXPECT_FALSE(ranks[0]->poll(late));
  ASSERT_TRUE(pumpUntil(*ranks[1], recorder, [&] { return !recorder.ends.empty(); }));
  EXPECT_TRUE(recorder.texts.empty());
}

TEST_P(TransportTest, UnsentCountsWhatIsQueued) {
  Transports ranks = connected(2);
  EXPECT_EQ(ranks[0]->unsent(1), 0u);
  sendText(*ranks[0], 1, pattern(1000, 0));
  EXPECT_GE(ranks[0]->unsent(1), 1000u);
  ranks[0]->flush();
  EXPECT_EQ(ranks[0]->unsent(1), 0u);
}

TEST_P(TransportTest, MessagesThatAreNotAdmittedLoseThePeer) {
  Transports ranks = connected(3);
  sendText(*ranks[1], 0, "fine");
  sendText(*ranks[1], 0, pattern(2000, 0));
  sendText(*ranks[1], 0, "behind");
  ranks[1]->flush();
  MessageHeader unknown;
  unknown.type = 200;
  ranks[2]->send(0, unknown, {});
  ranks[2]->flush();
  Recorder recorder, other;
  ASSERT_TRUE(pumpUntil(*ranks[0], recorder, [&] { return recorder.ends.size() == 2; }));
  EXPECT_EQ(recorder.texts, (Texts{{1, "fine"}}));
  for (const auto &end : recorder.ends)
    EXPECT_EQ(end.second, Code::kPermissionDenied);
  EXPECT_NE(recorder.reasons.find("2000 bytes, expected at most 1024"), std::string::npos)
      << recorder.reasons;
  EXPECT_NE(recorder.reasons.find("sent a message of unknown type 200"), std::string::npos)
      << recorder.reasons;
  ASSERT_TRUE(pumpUntil(*ranks[1], other, [&] { return !other.ends.empty(); }));
  EXPECT_EQ(other.ends, (Ends{{0, Code::kUnavailable}}));
}

} // namespace
} // namespace sluice::rt
