// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whoever computes delays nothing: what it has sent leaves, and what comes is read.
#include "test/runtime/transport/cluster.h"

#include <random>

namespace sluice::rt {
namespace {

constexpr size_t kMany = 16 << 20; // bytes, more than sockets hold

std::string pattern(size_t size) {
  std::string text(size, '\0');
  for (size_t i = 0; i < size; ++i)
    text[i] = static_cast<char>((i * 2654435761u) >> 9);
  return text;
}

struct Pair {
  Transports ranks = connectedTcp(tcpCluster(2));
  Recorder recorder, none;
  Pair() { recorder.most = kMany; }
  Transport &operator[](size_t rank) { return *ranks[rank]; }
};

TEST(StepAside, whatWasSentLeavesWithoutItsOwner) {
  Pair pair;
  std::string text = pattern(kMany);
  pair[0].poll(pair.none);
  sendText(pair[0], 1, text);
  pair[0].stepAside();
  EXPECT_TRUE(pumpUntil(pair[1], pair.recorder, [&] { return !pair.recorder.texts.empty(); }));
  ASSERT_EQ(pair.recorder.texts.size(), 1u);
  EXPECT_TRUE(pair.recorder.texts[0].second == text);
}

TEST(StepAside, whatComesIsReadWithoutItsOwner) {
  Pair pair;
  std::string text = pattern(kMany);
  pair[1].poll(pair.recorder);
  pair[1].stepAside();
  sendText(pair[0], 1, text);
  pair[0].flush();
  EXPECT_TRUE(pumpUntil(pair[0], pair.none, [&] { return pair[0].unsent(1) == 0; }));
  EXPECT_TRUE(pair.recorder.texts.empty()); // and nothing is delivered but by the owner
  EXPECT_TRUE(pumpUntil(pair[1], pair.recorder, [&] { return !pair.recorder.texts.empty(); }));
  ASSERT_EQ(pair.recorder.texts.size(), 1u);
  EXPECT_TRUE(pair.recorder.texts[0].second == text);
}

// Only for who has said so: others look soon themselves.
TEST(StepAside, nothingLeavesForWhoIsThere) {
  Pair pair;
  pair[0].stepAside();
  pair[0].poll(pair.none);
  sendText(pair[0], 1, "soon");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GT(pair[0].unsent(1), 0u);
  pair[0].flush();
  EXPECT_EQ(pair[0].unsent(1), 0u);
}

TEST(StepAside, aPeerThatEndsMeanwhileIsLostInOrder) {
  Pair pair;
  pair[1].poll(pair.recorder);
  pair[1].stepAside();
  std::string text = pattern(1 << 20);
  sendText(pair[0], 1, text);
  pair[0].close(20 * kSecond);
  EXPECT_TRUE(pumpUntil(pair[1], pair.recorder, [&] { return !pair.recorder.ends.empty(); }));
  ASSERT_EQ(pair.recorder.texts.size(), 1u);
  EXPECT_TRUE(pair.recorder.texts[0].second == text);
  EXPECT_EQ(pair.recorder.ends, (Ends{{0, Code::kCancelled}}));
}

// Both ranks send messages of all sizes, and are away for random times.
TEST(StepAside, nothingIsLostOrOutOfOrder) {
  Transports ranks = connectedTcp(tcpCluster(2));
  constexpr size_t kCount = 400;
  auto talk = [&](uint32_t rank, Recorder &recorder) {
    std::mt19937 random(rank);
    Transport &transport = *ranks[rank];
    recorder.most = 1 << 20;
    size_t sent = 0;
    auto over = [&] {
      size_t limits[] = {20, 3000, 70000, 1 << 20};
      if (sent < kCount)
        sendText(transport, 1 - rank,
                 std::string(random() % limits[random() % 4], static_cast<char>(sent++)));
      if (random() % 4 == 0) {
        transport.stepAside();
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 1000));
      }
      return sent == kCount && recorder.texts.size() == kCount && transport.unsent(1 - rank) == 0;
    };
    EXPECT_TRUE(pumpUntil(transport, recorder, over));
  };
  Recorder recorders[2];
  std::thread other([&] { talk(1, recorders[1]); });
  talk(0, recorders[0]);
  other.join();
  for (Recorder &recorder : recorders) {
    ASSERT_EQ(recorder.texts.size(), kCount);
    for (size_t i = 0; i < kCount; ++i)
      EXPECT_EQ(recorder.texts[i].second.find_first_not_of(static_cast<char>(i)), std::string::npos)
          << i;
  }
}

} // namespace
} // namespace sluice::rt
