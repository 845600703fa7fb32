// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More peers than are asked one by one.
#include "test/runtime/transport/cluster.h"

namespace sluice::rt {
namespace {

TEST(ManyPeers, AreHeardAndServed) {
  constexpr uint32_t kRanks = 11;
  Transports ranks = connectedTcp(tcpCluster(kRanks));
  std::vector<Recorder> recorders(kRanks);
  for (uint32_t round = 0; round < 20; ++round) {
    uint32_t speaker = 1 + round % (kRanks - 1); // alone: the others have nothing to say
    sendText(*ranks[speaker], 0, std::to_string(round));
    ranks[speaker]->flush();
    ASSERT_TRUE(pumpUntil(*ranks[0], recorders[0],
                          [&] { return recorders[0].texts.size() == round + 1; }));
    EXPECT_EQ(recorders[0].texts.back(), (Texts{{speaker, std::to_string(round)}}[0]));
  }
  for (uint32_t rank = 1; rank < kRanks; ++rank)
    sendText(*ranks[0], rank, std::string(1 << 20, 'x')); // more than a socket holds
  for (Recorder &recorder : recorders)
    recorder.most = 1 << 20;
  ranks[0]->flush();
  std::thread reader([&] {
    for (uint32_t rank = 1; rank < kRanks; ++rank)
      EXPECT_TRUE(pumpUntil(*ranks[rank], recorders[rank],
                            [&] { return recorders[rank].texts.size() == 1; }));
  });
  EXPECT_TRUE(pumpUntil(*ranks[0], recorders[0], [&] {
    for (uint32_t rank = 1; rank < kRanks; ++rank)
      if (ranks[0]->unsent(rank) > 0)
        return false;
    return true;
  }));
  reader.join();
  std::thread waker([&] { ranks[0]->wake(); });
  ranks[0]->wait(20 * kSecond); // returns long before
  waker.join();
  std::thread leaver([&] { ranks[kRanks - 1]->close(kSecond); });
  EXPECT_TRUE(pumpUntil(*ranks[0], recorders[0], [&] { return !recorders[0].ends.empty(); }));
  EXPECT_EQ(recorders[0].ends, (Ends{{kRanks - 1, Code::kCancelled}}));
  for (uint32_t rank = 1; rank < kRanks - 1; ++rank)
    pumpUntil(*ranks[rank], recorders[rank], [&] { return !recorders[rank].ends.empty(); });
  leaver.join();
}

} // namespace
} // namespace sluice::rt
