// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers: what they take, which blocks are used again, what goes back to the system, and the
// limit.
#include "runtime/memory/buffer.h"
#include "runtime/memory/size_classes.h"
#include "runtime/memory/tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <tuple>
#include <vector>

namespace sluice::rt {
namespace {

class Memory : public testing::Test {
protected:
  MemoryStats since() const {
    MemoryStats now = memoryStats();
    now.allocations -= before_.allocations;
    now.systemAllocations -= before_.systemAllocations;
    now.liveBytes -= before_.liveBytes;
    return now;
  }
  // What is free, to the system.
  static void giveBackAll() {
    setMemoryLimit(1);
    setMemoryLimit(0);
  }
  const MemoryStats before_ = memoryStats();
};

Tensor bytes(int64_t count) { return *Tensor::allocate(DType::kU8, Shape{count}); }
constexpr int64_t kMega = 1 << 20;

TEST(SizeClasses, WasteAtMostAQuarter) {
  for (size_t room = 1; room <= 1000000; ++room) {
    int sizeClass = classOf(room);
    ASSERT_GE(roomOf(sizeClass), room);
    ASSERT_LT(roomOf(sizeClass - 1), room);
    ASSERT_LE(roomOf(sizeClass), std::max(room + room / 4, (room + 63) / 64 * 64)) << room;
    size_t pages = room > kMostSharedRoom ? kPageBytes : 0; // a mapping has no other
    ASSERT_LE(blockBytesFor(room), kBlockHeader + roomOf(sizeClass) + pages) << room;
    ASSERT_EQ(blockBytesFor(room) % kBlockAlignment, 0u);
  }
  EXPECT_EQ(roomOf(classOf(0)), 0u);
  EXPECT_EQ(blockBytesFor(4096), 4096u + kBlockHeader);
  EXPECT_EQ(blockBytesFor(kMega), kMega + kPageBytes);
  EXPECT_EQ(blockBytesFor(kMostKeptRoom + 1), kMostKeptRoom + kPageBytes);
}

TEST_F(Memory, CountsWhatBlocksTake) {
  {
    Tensor tensor = bytes(4000), copy = tensor, few = bytes(16);
    EXPECT_EQ(since().liveBytes, 4096 + kBlockHeader);
    EXPECT_EQ(since().allocations, 1u);
    EXPECT_GE(memoryStats().peakBytes, before_.liveBytes + 4096 + kBlockHeader);
    EXPECT_GE(memoryStats().heldBytes, memoryStats().liveBytes);
    tensor.reset();
    EXPECT_EQ(since().liveBytes, 4096 + kBlockHeader);
    const uint8_t elements[20] = {};
    Tensor view = *Tensor::view(DType::kU8, Shape{20}, elements);
    EXPECT_EQ(since().liveBytes, 4096 + 2 * kBlockHeader);
    Tensor large = bytes(kMega);
    EXPECT_EQ(since().liveBytes, 4096 + 2 * kBlockHeader + kMega + kPageBytes);
  }
  EXPECT_EQ(since().liveBytes, 0u);
  EXPECT_EQ(since().allocations, 3u);
}

TEST_F(Memory, HasTheHighestPeak) {
  auto peakOf = [](int64_t count) {
    Tensor kept[8];
    for (Tensor &tensor : kept)
      tensor = bytes(count);
    return memoryStats().peakBytes;
  };
  uint64_t most = memoryStats().peakBytes - memoryStats().liveBytes + kMega; // more than ever
  uint64_t live = memoryStats().liveBytes, large = blockBytesFor(most / 8);
  EXPECT_EQ(peakOf(static_cast<int64_t>(most / 8)), live + 8 * large);
  EXPECT_EQ(peakOf(4096), live + 8 * large);
  Tensor base = bytes(static_cast<int64_t>(most + kMega)); // small ones count on top of large ones
  uint64_t above = memoryStats().liveBytes;
  EXPECT_EQ(peakOf(4096), std::max(live + 8 * large, above + 8 * blockBytesFor(4096)));
}

TEST_F(Memory, OfABufferIsAlignedTo64Bytes) {
  for (int64_t count : {17, 131, 4000, 20000, 70000000})
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes(count).raw()) % 64, 0u);
}

TEST_F(Memory, IsUsedAgainByWhatFits) {
  for (auto [least, most] : {std::pair{17, 64}, {4097, 5120}, {81921, 98304}}) {
    const void *used = bytes(most).raw();
    EXPECT_EQ(bytes(least).raw(), used);
    uint64_t fromSystem = since().systemAllocations;
    Tensor held = bytes(most);
    EXPECT_EQ(held.raw(), used);
    EXPECT_EQ(since().systemAllocations, fromSystem);
    EXPECT_NE(bytes(most).raw(), used);
    held.reset();
    EXPECT_NE(bytes(most + 1).raw(), used);
    EXPECT_NE(bytes(least - 1).raw(), used);
  }
}

// More than 64 MiB go back to the system at once.
TEST_F(Memory, OfVeryLargeBuffersIsNotKept) {
  const int64_t most = 64 * kMega;
  giveBackAll();
  for (auto [count, isKept] : {std::pair(most, true), {most + 1, false}}) {
    Tensor first = bytes(count);
    first.reset();
    uint64_t fromSystem = memoryStats().systemAllocations;
    Tensor second = bytes(count);
    EXPECT_EQ(memoryStats().systemAllocations, fromSystem + !isKept) << count;
    second.data<uint8_t>()[count - 1] = 1;
  }
}

// ---- What goes back to the system ---------------------------------------------------------------

// A step of a program: so many tensors at a time, and others one after the other.
void step(int64_t count, int64_t size) {
  std::vector<Tensor> saved;
  for (int64_t i = 0; i < count; ++i) {
    saved.push_back(bytes(size));
    bytes(size / 2).reset();
  }
}

TEST_F(Memory, OfALoopThatRepeatsNeverGoesBack) {
  using Step = std::pair<int64_t, int64_t>;
  for (auto [count, size] : {Step{100000, 1000}, {300, kMega}, {20, 40 * kMega}}) {
    step(count, size);
    step(count, size);
    uint64_t fromSystem = memoryStats().systemAllocations;
    for (int i = 0; i < 5; ++i)
      step(count, size);
    EXPECT_EQ(memoryStats().systemAllocations, fromSystem) << size;
  }
}

TEST_F(Memory, OfASinglePeakGoesBack) {
  giveBackAll();
  for (auto [count, size] : {std::pair<int64_t, int64_t>{300000, 1000}, {300, kMega}}) {
    step(count, size);
    EXPECT_GT(memoryStats().heldBytes, static_cast<uint64_t>(count * size));
    for (int64_t passed = 0; passed < 3 * 32 * count * size; passed += 20 * size * 3 / 2)
      step(20, size); // few at a time for a long while
    EXPECT_LT(memoryStats().heldBytes, before_.heldBytes + 90 * kMega) << size;
  }
}

// ---- Growth -------------------------------------------------------------------------------------

Buffer *filled(size_t size) {
  Buffer *buffer = Buffer::allocate(size);
  for (size_t i = 0; i < size; ++i)
    static_cast<char *>(buffer->data())[i] = static_cast<char>(i * 7 >> 3);
  return buffer;
}
bool hasContent(Buffer *buffer, size_t used, size_t zerosTo) {
  auto *data = static_cast<const char *>(buffer->data());
  for (size_t i = 0; i < used; ++i)
    if (data[i] != static_cast<char>(i * 7 >> 3))
      return false;
  for (size_t i = used; i < zerosTo; ++i)
    if (data[i] != 0)
      return false;
  return true;
}

TEST_F(Memory, KeepsItsContentWithAnotherSize) {
  for (size_t from : {0, 100, 5000, 100000, 2000000, 90000000})
    for (size_t to : {100, 6000, 120000, 2000001, 5000000, 100000000}) {
      for (size_t used : {from, from / 2}) {
        if (used > to)
          continue;
        Buffer *buffer = Buffer::resize(filled(from), to, used, /*fillsWithZeros=*/true);
        ASSERT_NE(buffer, nullptr);
        EXPECT_EQ(buffer->bytes(), to);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, 0u);
        EXPECT_TRUE(hasContent(buffer, used, to)) << from << " to " << to;
        EXPECT_GE(since().liveBytes, blockBytesFor(to));
        EXPECT_LE(since().liveBytes, blockBytesFor(4 * to));
        buffer->release();
        EXPECT_EQ(since().liveBytes, 0u);
      }
    }
}

TEST_F(Memory, IsNotTouchedWhenALargeBufferGrows) {
  Buffer *buffer = Buffer::allocate(2 * kMega);
  for (size_t size = 2 * kMega; size < size_t{1} << 36; size *= 2) { // more than the machine has
    Buffer *grown = Buffer::resize(buffer, 2 * size, size);
    if (!grown)
      break;
    buffer = grown;
  }
  EXPECT_GE(buffer->bytes(), size_t{1} << 30);
  buffer->release();
}

TEST_F(Memory, OfSharedBuffersIsCopiedForGrowth) {
  Buffer *shared = filled(3 * kMega);
  shared->retain();
  Buffer *grown = Buffer::resize(shared, 4 * kMega, 3 * kMega);
  ASSERT_NE(grown, nullptr);
  EXPECT_NE(grown->data(), shared->data());
  EXPECT_TRUE(hasContent(shared, 3 * kMega, 0));
  EXPECT_TRUE(hasContent(grown, 3 * kMega, 0));
  shared->release();
  grown->release();
}

// Some that grow at the same time, as rows of lists do: a quarter more each time.
void growTogether(std::initializer_list<size_t> mostBytes) {
  std::vector<Buffer *> buffers(mostBytes.size(), nullptr);
  size_t bytes = kMega / 4, used = 0;
  for (bool isAnyLeft = true; isAnyLeft; used = bytes, bytes += bytes / 4) {
    isAnyLeft = false;
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (used >= mostBytes.begin()[i])
        continue;
      isAnyLeft = true;
      buffers[i] = Buffer::resize(buffers[i], bytes, used);
      ASSERT_NE(buffers[i], nullptr);
      auto *data = static_cast<uint8_t *>(buffers[i]->data());
      std::memset(data + used, static_cast<int>(i), bytes - used);
      EXPECT_EQ(std::count(data, data + bytes, static_cast<uint8_t>(i)), bytes);
    }
  }
  for (Buffer *buffer : buffers)
    buffer->release();
}

TEST_F(Memory, OfWhatHasGrownIsThereForWhatGrows) {
  giveBackAll();
  for (auto sizes : {std::initializer_list<size_t>{13 * kMega},
                     {13 * kMega, 13 * kMega},
                     {2 * kMega, 30 * kMega, 5 * kMega}}) {
    const uint64_t peak = 3 * std::max(sizes) * sizes.size();
    for (int round = 0; round < 10; ++round)
      growTogether(sizes);
    uint64_t fromSystem = memoryStats().systemAllocations;
    for (int round = 0; round < 10; ++round)
      growTogether(sizes);
    EXPECT_EQ(memoryStats().systemAllocations, fromSystem);
    EXPECT_LT(memoryStats().heldBytes, before_.heldBytes + peak);
    giveBackAll();
  }
}

TEST_F(Memory, OfWhatGrowsIsAtMostFourTimesAsMuch) {
  giveBackAll();
  bytes(6 * kMega).reset();
  const void *used = bytes(6 * kMega).raw();
  for (auto [from, to, isUsed] : {std::tuple{kMega, kMega + kMega / 4, false},
                                  {kMega, 2 * kMega, true},
                                  {5 * kMega, 6 * kMega, true},
                                  {6 * kMega, 7 * kMega, false}}) {
    Buffer *buffer = Buffer::resize(filled(from), to, from);
    ASSERT_NE(buffer, nullptr);
    EXPECT_EQ(buffer->data() == used, isUsed) << from << " to " << to;
    EXPECT_TRUE(hasContent(buffer, from, 0));
    buffer->release();
    giveBackAll();
    used = bytes(6 * kMega).raw();
  }
}

// ---- The limit ----------------------------------------------------------------------------------

// From now on, until it goes.
struct Limited {
  explicit Limited(uint64_t bytes) { setMemoryLimit(bytes); }
  ~Limited() { setMemoryLimit(0); }
};

TEST_F(Memory, HasALimit) {
  Limited first(1); // what is free goes back
  Limited limited(memoryStats().heldBytes + 2 * kMega);
  Result<Tensor> more = Tensor::allocate(DType::kU8, Shape{2 * kMega});
  Result<Tensor> most = Tensor::allocate(DType::kU8, Shape{kMega + kMega / 2});
  Result<Tensor> another = Tensor::allocate(DType::kU8, Shape{kMega});
  Result<Tensor> inside = Tensor::allocate(DType::kU8, Shape{16});
  EXPECT_EQ(more.status().toString(), "RESOURCE_EXHAUSTED: cannot allocate 2097152 bytes for a u8 "
                                      "tensor of shape [2097152]");
  EXPECT_TRUE(most.ok());
  EXPECT_EQ(another.status().code(), Code::kResourceExhausted);
  EXPECT_TRUE(inside.ok());
  EXPECT_EQ(since().liveBytes, blockBytesFor(kMega + kMega / 2));
  most->reset();
  EXPECT_TRUE(Tensor::allocate(DType::kU8, Shape{kMega}).ok()); // of another size
}

TEST_F(Memory, BelowTheLimitIsThereForAnySize) {
  Limited first(1);
  Limited limited(memoryStats().heldBytes + 16 * kMega);
  for (int64_t size : {24, 100, 1000, 4096, 16000, 20000, 1000000, 24, 5000000}) {
    std::vector<Tensor> all;
    for (Result<Tensor> next = Tensor::allocate(DType::kU8, Shape{size}); next.ok();
         next = Tensor::allocate(DType::kU8, Shape{size}))
      all.push_back(std::move(*next));
    uint64_t each = blockBytesFor(static_cast<size_t>(size));
    EXPECT_GT(all.size() * each, (15 * kMega) - each - 2 * kMega / 10) << size;
    // What is held already may have room for small ones.
    EXPECT_LE(all.size() * each, (16 * kMega) + (1 << 16)) << size;
  }
}

TEST_F(Memory, OfABufferThatCannotGrowStays) {
  Buffer *buffer = filled(3 * kMega);
  {
    Limited first(1);
    Limited limited(memoryStats().heldBytes + kMega);
    EXPECT_EQ(Buffer::resize(buffer, 5 * kMega, 3 * kMega), nullptr);
    EXPECT_TRUE(hasContent(buffer, 3 * kMega, 0));
    Buffer *little = Buffer::resize(buffer, 3 * kMega + kMega / 2, 3 * kMega);
    ASSERT_NE(little, nullptr);
    buffer = little;
  }
  EXPECT_TRUE(hasContent(buffer, 3 * kMega, 0));
  buffer->release();
}

} // namespace
} // namespace sluice::rt
