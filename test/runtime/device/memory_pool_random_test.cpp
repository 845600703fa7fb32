// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MemoryPool against a model that remembers, for each unit of memory, who has ever used it: who
// gets it must come after them all.
#include "runtime/base/splitmix.h"
#include "test/runtime/device/modelled_streams.h"

#include <gtest/gtest.h>

#include <deque>

namespace sluice::rt {
namespace {

class RandomUse {
public:
  RandomUse(uint64_t seed, size_t streams)
      : random_(seed), streamCount_(streams), pool_(streams_, "GPU:0", kLimit) {}

  void step() {
    switch (random_.next() % 8) {
    case 0:
    case 1:
    case 2:
      return allocate();
    case 3:
    case 4:
      return use();
    case 5:
    case 6:
      return release();
    default:
      return complete();
    }
  }
  void end() {
    held_.clear();
    EXPECT_EQ(pool_.counters().inUse, 0u);
    EXPECT_LE(pool_.counters().peak, kLimit);
    EXPECT_EQ(streams_.wrongGifts, 0);
  }
  int given = 0, refused = 0;

private:
  static constexpr uint64_t kLimit = 6u << 20;
  static constexpr size_t kUnit = MemoryPool::kAlignment;
  struct Held {
    DeviceMemory memory;
    StreamId stream;
  };

  StreamId draw() { return static_cast<StreamId>(random_.next() % streamCount_); }
  std::vector<size_t> unitsOf(const DeviceMemory &memory) {
    std::vector<size_t> units;
    auto first = reinterpret_cast<uintptr_t>(memory.data()) / kUnit;
    for (size_t i = 0; i * kUnit < memory.bytes(); ++i)
      units.push_back(first + i);
    return units;
  }

  void allocate() {
    size_t bytes = 1 + random_.next() % (size_t(1) << (8 + random_.next() % 13));
    StreamId stream = draw();
    auto memory = pool_.allocate(bytes, stream, "x");
    if (!memory.ok()) {
      EXPECT_EQ(memory.status().code(), Code::kResourceExhausted);
      ++refused;
      return;
    }
    ++given;
    ASSERT_EQ(reinterpret_cast<uintptr_t>(memory->data()) % kUnit, 0u);
    for (size_t unit : unitsOf(*memory)) {
      ASSERT_FALSE(isHeld_[unit]);
      isHeld_[unit] = true;
      for (Moment use : uses_[unit])
        ASSERT_TRUE(streams_.comesAfter(stream, use));
      uses_[unit].clear();
    }
    held_.push_back({std::move(*memory), stream});
    use(held_.back(), stream);
    EXPECT_LE(pool_.counters().held, kLimit);
    EXPECT_GE(pool_.counters().peak, pool_.counters().inUse);
  }
  void use() {
    if (!held_.empty())
      use(held_[random_.next() % held_.size()], draw());
  }
  void use(Held &held, StreamId stream) {
    Moment moment = streams_.enqueue(stream);
    for (size_t unit : unitsOf(held.memory))
      uses_[unit].push_back(moment);
    if (stream != held.stream)
      EXPECT_TRUE(held.memory.noteUse(moment).ok());
  }
  void release() {
    if (held_.empty())
      return;
    size_t which = random_.next() % held_.size();
    for (size_t unit : unitsOf(held_[which].memory))
      isHeld_[unit] = false;
    held_.erase(held_.begin() + static_cast<ptrdiff_t>(which));
  }
  void complete() {
    StreamId stream = draw();
    uint64_t last = streams_.lastMoment(stream).ticket, done = streams_.completed[indexOf(stream)];
    if (last > done)
      streams_.complete({stream, done + 1 + random_.next() % (last - done)});
  }

  SplitMix64 random_;
  const size_t streamCount_;
  ModelledStreams streams_;
  MemoryPool pool_;
  std::deque<Held> held_;
  std::map<size_t, bool> isHeld_;
  std::map<size_t, std::vector<Moment>> uses_;
};

TEST(MemoryPoolRandom, WhoGetsMemoryComesAfterAllWhoHadIt) {
  int given = 0, refused = 0;
  for (uint64_t seed = 1; seed <= 16 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomUse random(seed, seed % 2 ? 4 : 12);
    for (int i = 0; i < 400 && !testing::Test::HasFailure(); ++i)
      random.step();
    random.end();
    given += random.given;
    refused += random.refused;
  }
  EXPECT_GT(given, 1000);
  EXPECT_GT(refused, 10); // or the limit was never met
}

} // namespace
} // namespace sluice::rt
