// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who, within one launch, read and wrote each word last: finds races inside a block and between
// blocks.
//
// Two threads of a block are in order when a barrier is between their accesses, two of a warp also
// when a barrier of the warp is; two blocks never are. Atomic accesses are in order among
// themselves. So whether two accesses race does not depend on which of the threads the simulator
// ran first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace sluice::rt::sim {

enum class AccessKind : uint8_t { kRead, kWrite, kAtomic };

// Where a thread is: in which block, and after which barriers.
struct ThreadTime {
  uint32_t block = 0;
  uint16_t thread = 0; // in its block
  uint16_t warpEpoch = 0;
  uint32_t epoch = 0;
};

struct LastAccess {
  ThreadTime time;
  bool any = false, atomic = false;
  bool severalThreads = false, severalBlocks = false; // readers
};

class Shadow {
public:
  static constexpr size_t kPageBytes = 4096;

  // Everything is forgotten: what comes is another launch or, for shared memory, another block.
  void restart();

  // The access that races with this one, or null. Addresses are of any memory.
  const LastAccess *access(uint64_t address, size_t bytes, AccessKind kind, const ThreadTime &now);

  // The bytes that were read or written since the restart, as ranges: visit(begin, end, write).
  template <typename Visit> void visitTouched(Visit visit) const;

private:
  struct Cell {
    LastAccess read, write;
  };
  // Cells are of 4 bytes until somebody touches less than that.
  struct Page {
    uint64_t era = 0, begin = 0;
    size_t unit = 4;
    std::vector<Cell> cells;
  };

  Page &pageOf(uint64_t address);
  static void refine(Page &page);
  static const LastAccess *touch(Cell &cell, AccessKind kind, const ThreadTime &now);

  uint64_t era_ = 1;
  // The pages of the last accesses, by the low bits of their number.
  static constexpr size_t kKnown = 64;
  Page *known_[kKnown] = {};
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_; // by address / kPageBytes
  std::vector<const Page *> touched_;
};

template <typename Visit> void Shadow::visitTouched(Visit visit) const {
  for (const Page *page : touched_)
    for (bool write : {false, true}) {
      auto used = [&](size_t i) {
        return (write ? page->cells[i].write : page->cells[i].read).any;
      };
      for (size_t i = 0, count = page->cells.size(); i < count;) {
        size_t first = i;
        while (i < count && used(i))
          ++i;
        if (i > first)
          visit(page->begin + first * page->unit, page->begin + i * page->unit, write);
        else
          ++i;
      }
    }
}

} // namespace sluice::rt::sim
