// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches, slabs and mappings. System calls are made without the lock, and new blocks are touched
// without it, since the system may have to find a page for each.
#include "runtime/memory/central_blocks.h"

#include <utility>

namespace sluice::rt {

namespace {
// So much may be free for ever.
constexpr uint64_t kKeptInSlabs = 8 << 20;
constexpr uint64_t kKeptInMappings = 64 << 20;
// How many times as much as there is has to pass before somebody looks.
constexpr uint64_t kLong = 32;

constexpr uint32_t blocksOfSlab(int sizeClass) {
  constexpr size_t kBytes = 64 << 10;
  return static_cast<uint32_t>(
      std::clamp(kBytes / blockBytesOf(sizeClass), size_t{8}, size_t{512}));
}
// The room for which a mapping would have been made; none if none would.
size_t roomOfMapping(size_t bytes) {
  size_t room = bytes - kPageBytes;
  return room <= kMostKeptRoom && roomOf(classOf(room)) == room ? room : 0;
}
} // namespace

// ---- Slabs --------------------------------------------------------------------------------------

CentralBlocks::Slab *CentralBlocks::mapSlab(int sizeClass) {
  size_t block = blockBytesOf(sizeClass);
  size_t bytes = inPages(sizeof(Slab) + blocksOfSlab(sizeClass) * block);
  auto *slab = static_cast<Slab *>(mapPages(bytes));
  if (!slab)
    return nullptr;
  slab->bytes = bytes;
  slab->sizeClass = sizeClass;
  slab->blocks = static_cast<uint32_t>((bytes - sizeof(Slab)) / block);
  return slab;
}

// Under the lock.
bool CentralBlocks::makeBlocks(int sizeClass, Slab *&slab, uint32_t &first, uint32_t &count) {
  slab = unfinished_[sizeClass];
  if (!slab)
    return false;
  first = slab->made;
  count = std::min(slab->blocks - first, batchOf(sizeClass));
  slab->made += count;
  if (slab->made == slab->blocks)
    unfinished_[sizeClass] = slab->nextUnfinished;
  return true;
}

FreeBlock *CentralBlocks::linkBlocks(Slab *slab, uint32_t first, uint32_t count) {
  const size_t bytes = blockBytesOf(slab->sizeClass), room = roomOf(slab->sizeClass);
  FreeBlock *head = nullptr;
  for (uint32_t i = first + count; i-- > first;) {
    auto *block =
        reinterpret_cast<FreeBlock *>(reinterpret_cast<char *>(slab) + sizeof(Slab) + i * bytes);
    block->next = head;
    block->home = reinterpret_cast<uintptr_t>(slab);
    forbidRoom(block, room);
    head = block;
  }
  head->blocks = count;
  return head;
}

FreeBlock *CentralBlocks::take(int sizeClass) {
  Slab *slab = nullptr;
  uint32_t first = 0, count = 0;
  {
    BriefLock guard(mutex_);
    if (FreeBlock *batch = batches_[sizeClass]) {
      batches_[sizeClass] = batch->nextBatch;
      freeInSlabs_ -= batch->blocks * blockBytesOf(sizeClass);
      leastFreeInSlabs_ = std::min(leastFreeInSlabs_, freeInSlabs_);
      return batch;
    }
    makeBlocks(sizeClass, slab, first, count);
  }
  if (!slab) {
    Slab *made = mapSlab(sizeClass);
    if (!made)
      return nullptr;
    BriefLock guard(mutex_);
    made->next = slabs_;
    if (slabs_)
      slabs_->previous = made;
    slabs_ = made;
    slabBytes_ += made->bytes;
    made->nextUnfinished = unfinished_[sizeClass];
    unfinished_[sizeClass] = made;
    makeBlocks(sizeClass, slab, first, count);
  }
  return linkBlocks(slab, first, count);
}

void CentralBlocks::put(FreeBlock *batch, int sizeClass) {
  const uint64_t bytes = batch->blocks * blockBytesOf(sizeClass);
  Surplus surplus;
  {
    BriefLock guard(mutex_);
    freeInSlabs_ += bytes;
    batch->nextBatch = batches_[sizeClass];
    batches_[sizeClass] = batch;
    surplus = surplusAfter(bytes);
  }
  surplus.unmap();
}

void CentralBlocks::countFree() {
  for (FreeBlock *batches : batches_)
    for (FreeBlock *batch = batches; batch; batch = batch->nextBatch)
      for (FreeBlock *block = batch; block; block = block->next)
        ++slabOf(block)->free;
}

void CentralBlocks::dropBlocksOfFreeSlabs(int sizeClass) {
  FreeBlock *batches = std::exchange(batches_[sizeClass], nullptr);
  while (batches) {
    FreeBlock *block = batches, *kept = nullptr;
    uint32_t count = 0;
    batches = batches->nextBatch;
    while (block) {
      FreeBlock *next = block->next;
      if (!isFree(*slabOf(block))) {
        block->next = kept;
        kept = block;
        ++count;
      }
      block = next;
    }
    if (!kept)
      continue;
    kept->blocks = count;
    kept->nextBatch = batches_[sizeClass];
    batches_[sizeClass] = kept;
    freeInSlabs_ += count * blockBytesOf(sizeClass);
  }
  for (Slab **slab = &unfinished_[sizeClass]; *slab;)
    if (isFree(**slab))
      *slab = (*slab)->nextUnfinished;
    else
      slab = &(*slab)->nextUnfinished;
}

CentralBlocks::Slab *CentralBlocks::takeFreeSlabs(uint64_t most) {
  countFree();
  uint64_t bytes = 0;
  for (Slab *slab = slabs_; slab; slab = slab->next)
    if (isFree(*slab) && (bytes += slab->bytes) > most)
      slab->free = 0; // stays
  freeInSlabs_ = 0;
  for (int sizeClass = 0; sizeClass < kSharedClasses; ++sizeClass)
    dropBlocksOfFreeSlabs(sizeClass);
  Slab *freed = nullptr;
  for (Slab *slab = slabs_, *next; slab; slab = next) {
    next = slab->next;
    if (!isFree(*slab)) {
      slab->free = 0;
      continue;
    }
    (slab->previous ? slab->previous->next : slabs_) = next;
    if (next)
      next->previous = slab->previous;
    slabBytes_ -= slab->bytes;
    slab->next = freed;
    freed = slab;
  }
  leastFreeInSlabs_ = freeInSlabs_;
  return freed;
}

// ---- Mappings -----------------------------------------------------------------------------------

// Under the lock.
void *CentralBlocks::takeFree(Mappings &free) {
  FreeBlock *block = free.first;
  if (!block)
    return nullptr;
  free.first = block->next;
  free.least = std::min(free.least, --free.count);
  freeInMappings_ -= block->home;
  usedInMappings_ += block->home;
  return block;
}

void *CentralBlocks::takeMapping(size_t room) {
  const size_t bytes = blockBytesFor(room);
  {
    BriefLock guard(mutex_);
    if (room <= kMostKeptRoom)
      if (void *block = takeFree(mappingsFor(room)))
        return block;
    usedInMappings_ += bytes;
  }
  void *block = mapPages(bytes);
  if (block) {
    setHome(block, bytes);
    return block;
  }
  BriefLock guard(mutex_);
  usedInMappings_ -= bytes;
  return nullptr;
}

// Those with twice the room and more come first: what grows is then seldom copied.
void *CentralBlocks::takeRoomyMapping(size_t room) {
  if (room > kMostKeptRoom)
    return nullptr;
  constexpr int kDoubled = 4; // classes
  const int least = classOf(room) - kSharedClasses;
  const int twice = std::min(least + kDoubled, kMappingClasses);
  const int end = std::min(twice + kDoubled + 1, kMappingClasses);
  BriefLock guard(mutex_);
  for (int i = twice; i < end; ++i)
    if (void *block = takeFree(mappings_[i]))
      return block;
  for (int i = twice; i-- > least;)
    if (void *block = takeFree(mappings_[i]))
      return block;
  return nullptr;
}

void CentralBlocks::putMapping(void *block) {
  const size_t bytes = homeOf(block), room = roomOfMapping(bytes);
  auto *freed = static_cast<FreeBlock *>(block);
  Surplus surplus;
  {
    BriefLock guard(mutex_);
    usedInMappings_ -= bytes;
    if (room) {
      forbidRoom(block, room);
      Mappings &free = mappingsFor(room);
      freed->next = std::exchange(free.first, freed);
      ++free.count;
      freeInMappings_ += bytes;
    }
    surplus = surplusAfter(bytes);
  }
  surplus.unmap();
  if (!room)
    unmapPages(block, bytes);
}

void *CentralBlocks::resizeMapping(void *block, size_t room) {
  const size_t before = homeOf(block), bytes = blockBytesFor(room);
  void *moved = moveToSize(block, before, bytes);
  if (!moved)
    return nullptr;
  setHome(moved, bytes);
  BriefLock guard(mutex_);
  usedInMappings_ += bytes - before;
  return moved;
}

// Those that were free all the time, the largest first; or all.
FreeBlock *CentralBlocks::takeFreeMappings(bool all) {
  FreeBlock *freed = nullptr;
  for (int i = kMappingClasses; i-- > 0;) {
    Mappings &free = mappings_[i];
    for (uint32_t left = all ? free.count : free.least; left > 0; --left) {
      if (!all && freeInMappings_ <= kKeptInMappings)
        break;
      FreeBlock *block = free.first;
      free.first = block->next;
      --free.count;
      freeInMappings_ -= block->home;
      block->next = freed;
      freed = block;
    }
    free.least = free.count;
  }
  return freed;
}

// ---- What goes back to the system ---------------------------------------------------------------

// Under the lock, when so much more has passed.
CentralBlocks::Surplus CentralBlocks::surplusAfter(uint64_t bytes) {
  passed_ += bytes;
  if (passed_ < kLong * (slabBytes_ + usedInMappings_ + freeInMappings_)) [[likely]]
    return {};
  passed_ = 0;
  Surplus surplus;
  if (leastFreeInSlabs_ > kKeptInSlabs)
    surplus.slabs = takeFreeSlabs(leastFreeInSlabs_ - kKeptInSlabs);
  leastFreeInSlabs_ = freeInSlabs_;
  surplus.mappings = takeFreeMappings(/*all=*/false);
  return surplus;
}

void CentralBlocks::Surplus::unmap() const {
  for (Slab *slab = slabs, *next; slab; slab = next) {
    next = slab->next;
    allowRoom(slab, slab->bytes - kBlockHeader);
    unmapPages(slab, slab->bytes);
  }
  for (FreeBlock *block = mappings, *next; block; block = next) {
    next = block->next;
    const size_t bytes = block->home;
    allowRoom(block, bytes - kBlockHeader);
    unmapPages(block, bytes);
  }
}

void CentralBlocks::passed(uint64_t bytes) {
  Surplus surplus;
  {
    BriefLock guard(mutex_);
    surplus = surplusAfter(bytes);
  }
  surplus.unmap();
}

void CentralBlocks::giveBackAll() {
  Surplus surplus;
  {
    BriefLock guard(mutex_);
    surplus = {takeFreeSlabs(UINT64_MAX), takeFreeMappings(/*all=*/true)};
  }
  surplus.unmap();
}

} // namespace sluice::rt
