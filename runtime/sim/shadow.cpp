// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of pages, and what makes two accesses a race.
#include "runtime/sim/shadow.h"

#include <algorithm>
#include <iterator>

namespace sluice::rt::sim {

constexpr uint32_t kWarp = 32;

static bool inOrder(const LastAccess &before, const ThreadTime &now) {
  if (before.time.block != now.block)
    return false;
  if (before.time.thread == now.thread || before.time.epoch != now.epoch)
    return true;
  return before.time.thread / kWarp == now.thread / kWarp && before.time.warpEpoch != now.warpEpoch;
}

// Remembers a read. What others read in order before cannot matter any more, except to other
// blocks.
static void addRead(LastAccess &read, const ThreadTime &now) {
  if (read.any && read.time.block != now.block)
    read.severalBlocks = true;
  bool together = read.any && !inOrder(read, now) && read.time.block == now.block;
  read.severalThreads = (together || (read.severalThreads && read.time.epoch == now.epoch));
  read.time = now;
  read.any = true;
}

static bool racesWithReads(const LastAccess &read, const ThreadTime &now) {
  if (!read.any)
    return false;
  return read.severalBlocks || !inOrder(read, now) ||
         (read.severalThreads && read.time.epoch == now.epoch);
}

const LastAccess *Shadow::touch(Cell &cell, AccessKind kind, const ThreadTime &now) {
  bool atomic = kind == AccessKind::kAtomic;
  if (cell.write.any && !(atomic && cell.write.atomic) && !inOrder(cell.write, now))
    return &cell.write;
  if (kind == AccessKind::kRead) {
    addRead(cell.read, now);
    return nullptr;
  }
  if (racesWithReads(cell.read, now))
    return &cell.read;
  cell.write.time = now;
  cell.write.any = true;
  cell.write.atomic = atomic;
  return nullptr;
}

// Pages are kept, as making them takes longer than clearing them, but not without end.
void Shadow::restart() {
  constexpr size_t kMostPages = 4096;
  ++era_;
  touched_.clear();
  if (pages_.size() > kMostPages) {
    std::fill(std::begin(known_), std::end(known_), nullptr);
    pages_.clear();
  }
}

Shadow::Page &Shadow::pageOf(uint64_t address) {
  uint64_t number = address / kPageBytes;
  Page *&known = known_[number % kKnown];
  if (!known || known->begin != number * kPageBytes) {
    std::unique_ptr<Page> &page = pages_[number];
    if (!page)
      page = std::make_unique<Page>();
    page->begin = number * kPageBytes;
    known = page.get();
  }
  Page &page = *known;
  if (page.era != era_) {
    page.era = era_;
    page.unit = 4;
    page.cells.assign(kPageBytes / page.unit, Cell());
    touched_.push_back(&page);
  }
  return page;
}

void Shadow::refine(Page &page) {
  std::vector<Cell> cells(kPageBytes);
  for (size_t i = 0; i < kPageBytes; ++i)
    cells[i] = page.cells[i / page.unit];
  page.cells = std::move(cells);
  page.unit = 1;
}

const LastAccess *Shadow::access(uint64_t address, size_t bytes, AccessKind kind,
                                 const ThreadTime &now) {
  for (uint64_t end = address + bytes; address < end;) {
    Page &page = pageOf(address);
    if (page.unit == 4 && (address % 4 || (end - address) % 4))
      refine(page);
    if (const LastAccess *other = touch(page.cells[(address - page.begin) / page.unit], kind, now))
      return other;
    address += page.unit;
  }
  return nullptr;
}

} // namespace sluice::rt::sim
