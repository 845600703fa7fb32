// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MemoryPool: what it gives, on which streams, and what it says when there is no more.
#include "test/runtime/device/modelled_streams.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

constexpr size_t kMiB = size_t(1) << 20;
constexpr StreamId kA = computeStream(0), kB = computeStream(1);

struct MemoryPoolTest : testing::Test {
  DeviceMemory allocate(size_t bytes, StreamId stream = kA, std::string_view owner = "x") {
    auto memory = pool->allocate(bytes, stream, owner);
    EXPECT_TRUE(memory.ok()) << memory.status().toString();
    return memory.ok() ? std::move(*memory) : DeviceMemory();
  }
  void limit(uint64_t bytes) { pool.emplace(streams, "GPU:0", bytes); }

  ModelledStreams streams;
  std::optional<MemoryPool> pool{std::in_place, streams, "GPU:0", 0};
};

TEST_F(MemoryPoolTest, GivesAlignedMemoryThatDoesNotOverlap) {
  DeviceMemory a = allocate(1), b = allocate(257), c = allocate(256);
  for (auto *memory : {&a, &b, &c})
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory->data()) % MemoryPool::kAlignment, 0u);
  EXPECT_EQ(a.bytes(), 1u);
  EXPECT_EQ(pool->counters().inUse, 256u + 512 + 256);
  EXPECT_EQ(pool->counters().chunks, 1u);
}

TEST_F(MemoryPoolTest, NoBytesNeedNoMemory) {
  DeviceMemory none = allocate(0);
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_TRUE(none.noteUse({kB, 0}).ok());
  EXPECT_EQ(streams.obtained, 0);
}

TEST_F(MemoryPoolTest, ReusesAtOnceOnTheSameStream) {
  DeviceMemory memory = allocate(100);
  void *data = memory.data();
  streams.enqueue(kA);
  memory.reset();
  EXPECT_EQ(allocate(100).data(), data);
  EXPECT_EQ(streams.orders, 0);
}

// To ask takes longer than to launch a kernel.
TEST_F(MemoryPoolTest, AsksNothingAboutTheStreamThatMemoryIsFor) {
  std::vector<DeviceMemory> memory;
  for (int i = 0; i < 20; ++i)
    memory.push_back(allocate(256 + 256 * (i % 3)));
  streams.enqueue(kA);
  memory.clear();
  for (int i = 0; i < 20; ++i)
    memory.push_back(allocate(256));
  EXPECT_EQ(streams.questions, 0);
}

// Who writes over memory that it is given, instead of taking other memory.
TEST_F(MemoryPoolTest, KnowsWhetherOnlyOneStreamUsesMemory) {
  DeviceMemory memory = allocate(100), copied = allocate(100, StreamId::kHostToDevice);
  streams.enqueue(kA);
  EXPECT_TRUE(memory.isUsedOnlyOn(kA));
  EXPECT_FALSE(memory.isUsedOnlyOn(kB)); // what has been enqueued on its own stream is not noted
  EXPECT_TRUE(copied.isUsedOnlyOn(kA));
  EXPECT_TRUE(copied.noteUse(streams.enqueue(kA)).ok());
  EXPECT_TRUE(copied.isUsedOnlyOn(kA));
  EXPECT_FALSE(copied.isUsedOnlyOn(kB));
  Moment other = streams.enqueue(kB);
  EXPECT_TRUE(memory.noteUse(other).ok());
  EXPECT_FALSE(memory.isUsedOnlyOn(kA));
  streams.complete(other);
  EXPECT_TRUE(memory.isUsedOnlyOn(kA));
  EXPECT_TRUE(DeviceMemory().isUsedOnlyOn(kB));
}

// Also of a use for which there is no room, and which only the memory's own stream is behind.
TEST_F(MemoryPoolTest, KnowsThatManyStreamsUseMemory) {
  DeviceMemory copied = allocate(100, StreamId::kHostToDevice);
  std::vector<Moment> uses;
  for (size_t i = 1; i <= MemoryUses::kMost + 1; ++i) {
    uses.push_back(streams.enqueue(computeStream(i)));
    EXPECT_TRUE(copied.noteUse(uses.back()).ok());
  }
  for (size_t i = 0; i < MemoryUses::kMost; ++i)
    streams.complete(uses[i]);
  EXPECT_FALSE(copied.isUsedOnlyOn(computeStream(1)));
}

TEST_F(MemoryPoolTest, MakesAnotherStreamWaitBeforeItReuses) {
  DeviceMemory memory = allocate(2 * kMiB);
  void *data = memory.data();
  Moment use = streams.enqueue(kA);
  memory.reset();
  DeviceMemory again = allocate(2 * kMiB, kB);
  EXPECT_EQ(again.data(), data);
  EXPECT_TRUE(streams.comesAfter(kB, use));
  EXPECT_EQ(streams.orders, 1);
}

TEST_F(MemoryPoolTest, WaitsForNothingThatIsOver) {
  DeviceMemory memory = allocate(2 * kMiB);
  streams.complete(streams.enqueue(kA));
  memory.reset();
  allocate(2 * kMiB, kB);
  EXPECT_EQ(streams.orders, 0);
}

TEST_F(MemoryPoolTest, PrefersMemoryThatNobodyWaitsFor) {
  DeviceMemory pending = allocate(1024, kB), wall = allocate(256), idle = allocate(1280),
               end = allocate(256);
  void *data = idle.data();
  streams.enqueue(kB);
  pending.reset();
  idle.reset();
  EXPECT_EQ(allocate(1024).data(), data);
  EXPECT_EQ(streams.orders, 0);
}

TEST_F(MemoryPoolTest, TakesPartOfTheLargestInsteadOfWaiting) {
  DeviceMemory pending = allocate(1024), wall = allocate(256);
  void *data = pending.data();
  streams.enqueue(kA);
  pending.reset();
  DeviceMemory other = allocate(1024, kB);
  EXPECT_NE(other.data(), data);
  EXPECT_EQ(streams.orders, 0);
  EXPECT_EQ(allocate(1024).data(), data);
}

// Each goes on with its own memory, until there is no other.
TEST_F(MemoryPoolTest, LetsStreamsTakeTurnsWithoutWaiting) {
  DeviceMemory a = allocate(1024), b = allocate(1024, kB);
  for (int i = 0; i < 10; ++i) {
    streams.enqueue(kA);
    a = allocate(1024);
    streams.enqueue(kB);
    b = allocate(1024, kB);
  }
  EXPECT_EQ(streams.orders, 0);
  a.reset();
  b.reset();
  DeviceMemory all = allocate(MemoryPool::kLeastChunk);
  EXPECT_EQ(streams.orders, 1);
  EXPECT_EQ(streams.obtained, 1);
}

// More streams than a block has room for.
TEST_F(MemoryPoolTest, RemembersUsesOnManyStreams) {
  DeviceMemory memory = allocate(2 * kMiB);
  std::vector<Moment> uses;
  for (size_t i = 1; i < 10; ++i) {
    uses.push_back(streams.enqueue(computeStream(i)));
    EXPECT_TRUE(memory.noteUse(uses.back()).ok());
  }
  memory.reset();
  allocate(2 * kMiB, kA);
  DeviceMemory again = allocate(2 * kMiB, StreamId::kHostToDevice);
  for (Moment use : uses)
    EXPECT_TRUE(streams.comesAfter(StreamId::kHostToDevice, use)) << indexOf(use.stream);
}

TEST_F(MemoryPoolTest, TakesTheSmallestThatFitsAndMergesWhatComesBack) {
  DeviceMemory a = allocate(1024), b = allocate(256), c = allocate(512), d = allocate(256);
  void *first = a.data(), *small = c.data();
  a.reset();
  c.reset();
  EXPECT_EQ(allocate(512).data(), small);
  b.reset();
  d.reset();
  EXPECT_EQ(pool->counters().largestFree, MemoryPool::kLeastChunk);
  EXPECT_EQ(allocate(MemoryPool::kLeastChunk).data(), first);
}

TEST_F(MemoryPoolTest, GrowsByAsMuchAsThereIsWithinBounds) {
  std::vector<DeviceMemory> all;
  for (int i = 0; i < 700; ++i)
    all.push_back(allocate(2 * kMiB));
  EXPECT_EQ(streams.mostObtained, MemoryPool::kMostGrowth);
  EXPECT_LE(streams.obtained, 13);
  EXPECT_LE(pool->counters().held, 1400 * kMiB + MemoryPool::kMostGrowth);
  EXPECT_EQ(pool->counters().peak, 1400 * kMiB);
  all.clear();
  EXPECT_EQ(pool->counters().inUse, 0u);
  EXPECT_EQ(pool->counters().peak, 1400 * kMiB);
}

TEST_F(MemoryPoolTest, SaysWhoHoldsWhatWhenTheLimitIsReached) {
  limit(16 * kMiB);
  DeviceMemory a = allocate(6 * kMiB, kA, "weights"), b = allocate(3 * kMiB, kA, "conv"),
               c = allocate(3 * kMiB, kA, "weights");
  auto refused = pool->allocate(8 * kMiB, kA, "product");
  EXPECT_EQ(
      refused.status().toString(),
      "RESOURCE_EXHAUSTED: GPU:0: 'product' needs 8 MiB, but of the limit of 16 MiB, 12 MiB are "
      "in use and the largest piece left has 4 MiB; in use are: 'weights' 9 MiB, 'conv' 3 MiB");
  EXPECT_TRUE(pool->allocate(4 * kMiB, kA, "product").ok());
}

TEST_F(MemoryPoolTest, NamesAFewAndCountsTheOthers) {
  limit(2 * kMiB);
  std::vector<std::string> names;
  for (int i = 0; i < 8; ++i)
    names.push_back("n" + std::to_string(i));
  std::vector<DeviceMemory> all;
  for (auto &name : names)
    all.push_back(allocate(1024, kA, name));
  auto refused = pool->allocate(2 * kMiB, kA, "y");
  EXPECT_NE(refused.status().message().find("'n4' 1 KiB, 3 others 3 KiB"), std::string::npos)
      << refused.status().message();
}

TEST_F(MemoryPoolTest, TellsWhenTheDeviceHasNoMore) {
  streams.memory = 5 * kMiB;
  DeviceMemory a = allocate(3 * kMiB, kA, "weights");
  auto refused = pool->allocate(3 * kMiB, kA, "product");
  EXPECT_EQ(refused.status().code(), Code::kResourceExhausted);
  EXPECT_NE(refused.status().message().find("which is all that the device gives"),
            std::string::npos);
}

// It would have been too much to double.
TEST_F(MemoryPoolTest, TakesLessThanItWantedIfThatIsEnough) {
  streams.memory = 10 * kMiB;
  DeviceMemory a = allocate(8 * kMiB), b = allocate(1 * kMiB);
  EXPECT_EQ(streams.given, 10 * kMiB);
}

// Whether there is memory does not depend on what has completed.
TEST_F(MemoryPoolTest, WaitsForTheDeviceBeforeItRefuses) {
  limit(8 * kMiB);
  DeviceMemory a = allocate(4 * kMiB), b = allocate(4 * kMiB);
  ASSERT_EQ(streams.obtained, 2);
  streams.enqueue(kA);
  a.reset();
  b.reset();
  DeviceMemory both = allocate(8 * kMiB, kB);
  EXPECT_NE(both.data(), nullptr);
  EXPECT_EQ(streams.waits, 1);
  EXPECT_EQ(streams.wrongGifts, 0);
}

TEST_F(MemoryPoolTest, RefusesSizesThatNoMachineHas) {
  EXPECT_EQ(pool->allocate(SIZE_MAX, kA, "x").status().code(), Code::kResourceExhausted);
  EXPECT_EQ(pool->allocate(SIZE_MAX / 2, kA, "x").status().code(), Code::kResourceExhausted);
}

TEST_F(MemoryPoolTest, PassesOnWhatBreaks) {
  streams.broken = true;
  EXPECT_EQ(pool->allocate(1, kA, "x").status().code(), Code::kInternal);
  streams.broken = false;
  DeviceMemory memory = allocate(2 * kMiB);
  streams.enqueue(kA);
  memory.reset();
  streams.broken = true;
  EXPECT_EQ(pool->allocate(2 * kMiB, kB, "x").status().code(), Code::kInternal);
  streams.broken = false;
  EXPECT_NE(allocate(2 * kMiB, kB).data(), nullptr);
}

// Memory of which nobody knows any more who uses it.
TEST_F(MemoryPoolTest, NeverReusesWhatCouldNotBeOrdered) {
  limit(2 * kMiB);
  DeviceMemory memory = allocate(2 * kMiB);
  for (size_t i = 1; i <= MemoryUses::kMost; ++i)
    EXPECT_TRUE(memory.noteUse(streams.enqueue(computeStream(i))).ok());
  streams.broken = true;
  EXPECT_FALSE(memory.noteUse(streams.enqueue(computeStream(9))).ok());
  streams.broken = false;
  memory.reset();
  auto refused = pool->allocate(1, kA, "x");
  EXPECT_NE(refused.status().message().find("'nobody any more' 2 MiB"), std::string::npos)
      << refused.status().message();
}

} // namespace
} // namespace sluice::rt
