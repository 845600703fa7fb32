// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Free blocks that belong to no thread, and where blocks come from: slabs that those of a size
// share, and mappings. Threads exchange batches of blocks here, so that what one frees is there for
// another.
//
// What nobody has needed for long goes back to the system, where long is measured by what goes
// through blocks: many times as much as there is. So a loop whose needs rise and fall has its
// blocks again, and what a single peak has taken does not stay.
#pragma once

#include "runtime/base/pause.h"
#include "runtime/memory/free_block.h"
#include "runtime/memory/system_pages.h"

#include <algorithm>
#include <array>
#include <mutex>

namespace sluice::rt {

// Of blocks of a size, as many as threads exchange at a time.
constexpr uint32_t batchOf(int sizeClass) {
  constexpr size_t kBytes = 64 << 10, kMost = 32;
  return static_cast<uint32_t>(std::clamp(kBytes / blockBytesOf(sizeClass), size_t{2}, kMost));
}

template <typename T, T (*function)(int)> constexpr auto tableOfShared() {
  std::array<T, kSharedClasses> table{};
  for (int i = 0; i < kSharedClasses; ++i)
    table[static_cast<size_t>(i)] = function(i);
  return table;
}
inline constexpr auto kBlockBytes = tableOfShared<size_t, blockBytesOf>();
inline constexpr auto kBatches = tableOfShared<uint32_t, batchOf>();

// A lock that is held for a few stores: whoever finds it taken soon has it without the system.
class BriefLock {
public:
  explicit BriefLock(std::mutex &mutex) : mutex_(mutex) {
    constexpr int kLooks = 200;
    for (int i = 0; i < kLooks; ++i) {
      if (mutex.try_lock())
        return;
      pauseSpinning();
    }
    mutex.lock();
  }
  ~BriefLock() { mutex_.unlock(); }
  BriefLock(const BriefLock &) = delete;
  BriefLock &operator=(const BriefLock &) = delete;

private:
  std::mutex &mutex_;
};

class CentralBlocks {
public:
  // ---- Blocks that share slabs, in batches: linked, and their number is in the first ----

  // At least one block; null when memory is exhausted.
  FreeBlock *take(int sizeClass);
  void put(FreeBlock *batch, int sizeClass);

  // ---- Blocks that are mappings ----

  void *takeMapping(size_t room);
  // A free one for what grows, which may have up to four times the room; null where there is none.
  void *takeRoomyMapping(size_t room);
  void putMapping(void *block);
  // The block with another room, or null. What was not there before is zeros.
  void *resizeMapping(void *block, size_t room);

  // Counts what has gone through blocks that threads keep.
  void passed(uint64_t bytes);
  // All that is free and of which the system can have whole pages.
  void giveBackAll();

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

private:
  // At the begin of the memory that blocks of one size share. Blocks are made of it as they are
  // needed.
  struct alignas(kBlockAlignment) Slab {
    Slab *previous, *next;
    Slab *nextUnfinished;
    size_t bytes;
    int32_t sizeClass;
    uint32_t blocks, made;
    uint32_t free; // while free ones are counted
  };
  static_assert(sizeof(Slab) == kBlockAlignment);

  static Slab *slabOf(const FreeBlock *block) { return reinterpret_cast<Slab *>(block->home); }
  static bool isFree(const Slab &slab) { return slab.free == slab.made; }
  Slab *mapSlab(int sizeClass);
  bool makeBlocks(int sizeClass, Slab *&slab, uint32_t &first, uint32_t &count);
  static FreeBlock *linkBlocks(Slab *slab, uint32_t first, uint32_t count);
  // What goes back to the system: found under the lock, unmapped without it.
  struct Surplus {
    Slab *slabs = nullptr; // by `next`
    FreeBlock *mappings = nullptr;
    void unmap() const;
  };
  Surplus surplusAfter(uint64_t bytes);
  Slab *takeFreeSlabs(uint64_t most);
  void countFree();
  void dropBlocksOfFreeSlabs(int sizeClass);
  FreeBlock *takeFreeMappings(bool all);

  std::mutex mutex_;
  FreeBlock *batches_[kSharedClasses] = {};
  Slab *unfinished_[kSharedClasses] = {};
  Slab *slabs_ = nullptr;
  uint64_t slabBytes_ = 0, freeInSlabs_ = 0;
  struct Mappings {
    FreeBlock *first;
    uint32_t count, least;
  };
  static constexpr int kMappingClasses = kClasses - kSharedClasses;
  Mappings &mappingsFor(size_t room) { return mappings_[classOf(room) - kSharedClasses]; }
  void *takeFree(Mappings &free);
  Mappings mappings_[kMappingClasses] = {};
  uint64_t usedInMappings_ = 0, freeInMappings_ = 0;
  // Since somebody last looked for what is not needed; `least` is what was free all the time.
  uint64_t passed_ = 0, leastFreeInSlabs_ = 0;
};

} // namespace sluice::rt
