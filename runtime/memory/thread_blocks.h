// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks as buffers take and return them. Each thread has some free ones of its own, up to twice a
// batch of each size: to take or return one touches nothing that another thread looks at.
#pragma once

#include "runtime/memory/central_blocks.h"

#include <atomic>

namespace sluice::rt {

class ThreadBlocks {
public:
  // Of the calling thread; null before its first block, and when the thread ends.
  static ThreadBlocks *mine() { return mine_; }

  // A block of a class that shares slabs. Null when memory is exhausted.
  void *take(int sizeClass) {
    Stock &stock = stocks_[sizeClass];
    FreeBlock *block = stock.first;
    if (!block) [[unlikely]] {
      if (!refill(sizeClass))
        return nullptr;
      block = stock.first;
    }
    stock.first = block->next;
    --stock.count;
    if (add(taken_, uint64_t{1}) % kTakenUnseen == 0) [[unlikely]]
      tellTaken();
    int64_t live = add(live_, static_cast<int64_t>(kBlockBytes[sizeClass]));
    if (live > most_.load(std::memory_order_relaxed))
      most_.store(live, std::memory_order_relaxed);
    return block;
  }

  void put(void *block, int sizeClass) {
    Stock &stock = stocks_[sizeClass];
    if (stock.count == kBatches[sizeClass]) [[unlikely]]
      makeRoom(sizeClass);
    auto *freed = static_cast<FreeBlock *>(block);
    freed->next = stock.first;
    stock.first = freed;
    ++stock.count;
    if (add(live_, -static_cast<int64_t>(kBlockBytes[sizeClass])) < least_) [[unlikely]]
      putAll();
  }

  // Gives all that the thread has to others.
  void putAll();
  // Adds what the thread has taken and returned to the figures of all.
  void tellLive();

private:
  friend struct BlockFigures;
  friend class ThreadEnd;

  struct Stock {
    FreeBlock *first; // the next to be taken
    uint32_t count;
    FreeBlock *batch; // a whole one besides, or null
  };

  ThreadBlocks() = default;
  ~ThreadBlocks() = default;
  // So many blocks are taken before others hear of them.
  static constexpr uint64_t kTakenUnseen = 1 << 16;
  void tellTaken();
  bool refill(int sizeClass);
  void makeRoom(int sizeClass);
  void expectPutAll();
  // Only this thread writes, others look.
  template <typename T> static T add(std::atomic<T> &figure, T value) {
    T sum = figure.load(std::memory_order_relaxed) + value;
    figure.store(sum, std::memory_order_relaxed);
    return sum;
  }

  static constinit thread_local ThreadBlocks *mine_;

  Stock stocks_[kSharedClasses] = {};
  std::atomic<uint64_t> taken_{0}; // blocks
  // Bytes taken less bytes returned since the last `tellLive`, and the most since then; below
  // `least_` too much is free.
  std::atomic<int64_t> live_{0}, most_{0};
  int64_t least_ = 0;
  int64_t freeBytes_ = 0; // at the last `tellLive`
  ThreadBlocks *previous_ = nullptr, *next_ = nullptr;
};

constexpr int kMappingClass = kSharedClasses; // of all blocks that are mappings
// As `ThreadBlocks`, also for mappings and on threads without stocks.
inline int classOfBlock(size_t room) {
  return room <= kMostSharedRoom ? classOf(room) : kMappingClass;
}
void *takeOtherBlock(size_t room, int sizeClass);
void returnOtherBlock(void *block, int sizeClass);
inline void *takeBlock(size_t room, int sizeClass) {
  ThreadBlocks *mine = ThreadBlocks::mine();
  return mine && sizeClass < kSharedClasses ? mine->take(sizeClass)
                                            : takeOtherBlock(room, sizeClass);
}
inline void returnBlock(void *block, int sizeClass) {
  ThreadBlocks *mine = ThreadBlocks::mine();
  if (mine && sizeClass < kSharedClasses) [[likely]]
    mine->put(block, sizeClass);
  else
    returnOtherBlock(block, sizeClass);
}
// A mapping for what grows, of those that are free, with up to four times the room; or null.
void *takeRoomyMapping(size_t room);
// Of a block that is a mapping: perhaps elsewhere, and zeros behind what it had.
void *resizeMapping(void *block, size_t room);
// To the system, of all that threads have ended with.
void returnFreeBlocks();
// Counts bytes that are no block of these.
void addLiveBytes(int64_t bytes);

struct BlockFigures {
  uint64_t taken = 0, liveBytes = 0, peakBytes = 0;
  static BlockFigures ofAllThreads();
};

} // namespace sluice::rt
