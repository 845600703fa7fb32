// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only a hub can do: hold messages back, and let ranks die.
#include "runtime/transport/in_process/hub.h"

#include "runtime/base/threads.h"
#include "test/runtime/transport/recorder.h"

#include <thread>

namespace sluice::rt {
namespace {

using Channels = std::vector<Hub::Channel>;

struct Ranks {
  explicit Ranks(uint32_t size, Hub::Delivery delivery = Hub::Delivery::kOnDemand)
      : hub(size, delivery), recorders(size) {
    for (uint32_t rank = 0; rank < size; ++rank)
      endpoints.push_back(hub.endpoint(rank));
  }
  void say(uint32_t from, uint32_t to, const std::string &text) {
    sendText(*endpoints[from], to, text);
    endpoints[from]->flush();
  }
  Recorder &poll(uint32_t rank) {
    endpoints[rank]->poll(recorders[rank]);
    return recorders[rank];
  }
  Hub hub;
  std::vector<std::unique_ptr<Transport>> endpoints;
  std::vector<Recorder> recorders;
};

TEST(HubTest, HoldsBackUntilToldWhatMoves) {
  Ranks ranks(3);
  ranks.say(0, 2, "a");
  ranks.say(0, 2, "b");
  ranks.say(1, 2, "c");
  EXPECT_EQ(ranks.hub.channels(), (Channels{{0, 2}, {1, 2}}));
  EXPECT_TRUE(ranks.poll(2).texts.empty());
  EXPECT_TRUE(ranks.hub.deliverOne(1, 2));
  EXPECT_TRUE(ranks.hub.deliverOne(0, 2));
  EXPECT_FALSE(ranks.hub.deliverOne(1, 2));
  EXPECT_EQ(ranks.poll(2).texts, (Texts{{1, "c"}, {0, "a"}}));
  EXPECT_EQ(ranks.hub.channels(), (Channels{{0, 2}}));
}

TEST(HubTest, QueuedIsNotUnderWayBeforeFlush) {
  Ranks ranks(2);
  sendText(*ranks.endpoints[0], 1, "a");
  EXPECT_TRUE(ranks.hub.channels().empty());
  EXPECT_EQ(ranks.endpoints[0]->unsent(1), sizeof(MessageHeader) + 1);
  ranks.endpoints[0]->flush();
  EXPECT_EQ(ranks.endpoints[0]->unsent(1), 0u);
  EXPECT_EQ(ranks.hub.channels(), (Channels{{0, 1}}));
}

TEST(HubTest, EndComesAfterWhatIsUnderWay) {
  Ranks ranks(2);
  ranks.say(0, 1, "last");
  ranks.endpoints[0]->close(0);
  EXPECT_TRUE(ranks.hub.deliverOne(0, 1));
  EXPECT_TRUE(ranks.poll(1).ends.empty());
  EXPECT_TRUE(ranks.hub.deliverOne(0, 1));
  EXPECT_EQ(ranks.poll(1).texts, (Texts{{0, "last"}}));
  EXPECT_EQ(ranks.poll(1).ends, (Ends{{0, Code::kCancelled}}));
}

TEST(HubTest, CutRankIsLostAndLosesAll) {
  Ranks ranks(3, Hub::Delivery::kAtOnce);
  ranks.say(1, 0, "last");
  ranks.say(0, 1, "never read");
  ranks.hub.cut(1);
  EXPECT_EQ(ranks.poll(0).texts, (Texts{{1, "last"}}));
  EXPECT_EQ(ranks.poll(0).ends, (Ends{{1, Code::kUnavailable}}));
  EXPECT_EQ(ranks.poll(1).ends, (Ends{{0, Code::kUnavailable}, {2, Code::kUnavailable}}));
  EXPECT_TRUE(ranks.poll(1).texts.empty());
  ranks.say(0, 2, "others go on");
  EXPECT_EQ(ranks.poll(2).texts, (Texts{{0, "others go on"}}));
}

// Time belongs to who delivers; else a rank waits for as long as it likes.
TEST(HubTest, WaitsWhereMessagesComeByThemselves) {
  Ranks ranks(2);
  ranks.endpoints[0]->wait(3600 * kSecond);
  Ranks threads(2, Hub::Delivery::kAtOnce);
  uint64_t start = systemClock().now();
  std::thread waker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    threads.endpoints[0]->wake();
  });
  threads.endpoints[0]->wait(~uint64_t{0});
  EXPECT_GE(systemClock().now() - start, 20 * kMillisecond);
  waker.join();
}

TEST(HubTest, CutDropsWhatIsUnderWayToTheDead) {
  Ranks ranks(2);
  ranks.say(0, 1, "too late");
  ranks.hub.cut(1);
  EXPECT_EQ(ranks.hub.channels(), (Channels{{1, 0}}));
}

} // namespace
} // namespace sluice::rt
