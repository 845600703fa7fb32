// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is a race inside a launch, and what is none.
#include "runtime/sim/shadow.h"

#include <gtest/gtest.h>

namespace sluice::rt::sim {
namespace {

constexpr AccessKind R = AccessKind::kRead, W = AccessKind::kWrite, A = AccessKind::kAtomic;

ThreadTime at(uint16_t thread, uint32_t epoch = 0, uint32_t block = 0, uint16_t warpEpoch = 0) {
  return {block, thread, warpEpoch, epoch};
}

struct Access {
  AccessKind kind;
  ThreadTime time;
  uint64_t address = 64;
  size_t bytes = 4;
};

// Whether the last of them races with one before.
bool races(const std::vector<Access> &accesses) {
  Shadow shadow;
  for (size_t i = 0; i + 1 < accesses.size(); ++i)
    EXPECT_FALSE(
        shadow.access(accesses[i].address, accesses[i].bytes, accesses[i].kind, accesses[i].time));
  const Access &last = accesses.back();
  return shadow.access(last.address, last.bytes, last.kind, last.time);
}

TEST(Shadow, barriersOrderThreadsOfABlock) {
  EXPECT_TRUE(races({{W, at(1)}, {R, at(2)}}));
  EXPECT_TRUE(races({{R, at(1)}, {W, at(2)}}));
  EXPECT_TRUE(races({{W, at(1)}, {W, at(2)}}));
  EXPECT_FALSE(races({{R, at(1)}, {R, at(2)}}));
  EXPECT_FALSE(races({{W, at(1)}, {R, at(1)}}));
  EXPECT_FALSE(races({{W, at(1)}, {R, at(2, 1)}}));
  // The last reader is the writer, but was not the only one.
  EXPECT_TRUE(races({{R, at(1)}, {R, at(2)}, {W, at(2)}}));
  EXPECT_FALSE(races({{R, at(1)}, {R, at(2)}, {W, at(2, 1)}}));
}

TEST(Shadow, nothingOrdersBlocks) {
  EXPECT_TRUE(races({{W, at(1, 0, 0)}, {R, at(1, 7, 1)}}));
  EXPECT_TRUE(races({{R, at(1, 0, 0)}, {R, at(1, 0, 1)}, {W, at(1, 0, 1)}}));
  EXPECT_FALSE(races({{R, at(1, 0, 0)}, {R, at(1, 0, 1)}}));
}

TEST(Shadow, barriersOfAWarpOrderItsThreadsOnly) {
  EXPECT_FALSE(races({{W, at(1, 0, 0, 0)}, {R, at(2, 0, 0, 1)}}));
  EXPECT_TRUE(races({{W, at(1, 0, 0, 0)}, {R, at(40, 0, 0, 1)}}));
}

TEST(Shadow, atomicsRaceWithOthersOnly) {
  EXPECT_FALSE(races({{A, at(1, 0, 0)}, {A, at(2, 0, 1)}}));
  EXPECT_TRUE(races({{A, at(1)}, {R, at(2)}}));
  EXPECT_TRUE(races({{W, at(1)}, {A, at(2)}}));
}

TEST(Shadow, bytesHaveNeighbours) {
  EXPECT_FALSE(races({{W, at(1), 64, 1}, {W, at(2), 65, 1}}));
  EXPECT_FALSE(races({{W, at(1), 64, 4}, {W, at(2), 68, 1}}));
  EXPECT_TRUE(races({{W, at(1), 64, 4}, {W, at(2), 67, 1}}));
  EXPECT_TRUE(races({{W, at(1), 64, 1}, {W, at(2), 64, 4}}));
  EXPECT_TRUE(races({{W, at(1), 4092, 8}, {W, at(2), 4096, 4}})); // of two pages
}

TEST(Shadow, tellsWhatWasTouched) {
  Shadow shadow;
  shadow.access(64, 4, R, at(1));
  shadow.access(68, 4, R, at(1));
  shadow.access(72, 4, W, at(1));
  std::vector<std::tuple<uint64_t, uint64_t, bool>> ranges;
  auto visit = [&](uint64_t begin, uint64_t end, bool write) {
    ranges.push_back({begin, end, write});
  };
  shadow.visitTouched(visit);
  EXPECT_EQ(ranges, (decltype(ranges){{64, 72, false}, {72, 76, true}}));
  shadow.restart();
  ranges.clear();
  shadow.visitTouched(visit);
  EXPECT_TRUE(ranges.empty());
}

} // namespace
} // namespace sluice::rt::sim
