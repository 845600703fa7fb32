// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MemoryPool: best fit over chunks whose blocks are chained in the order of their addresses.
#include "runtime/device/memory_block.h"

#include <algorithm>
#include <cassert>

namespace sluice::rt {

bool MemoryUses::add(Moment moment) {
  for (size_t i = 0; i < count_; ++i)
    if (moments_[i].stream == moment.stream) {
      moments_[i].ticket = std::max(moments_[i].ticket, moment.ticket);
      return true;
    }
  if (count_ == kMost)
    return false;
  moments_[count_++] = moment;
  return true;
}

bool MemoryUses::add(const MemoryUses &others) {
  MemoryUses both = *this;
  for (Moment moment : others)
    if (!both.add(moment))
      return false;
  *this = both;
  return true;
}

DeviceMemory &DeviceMemory::operator=(DeviceMemory &&other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(block_, other.block_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(stream_, other.stream_);
  return *this;
}

Status DeviceMemory::noteUse(Moment use) {
  return block_ ? pool_->noteUse(*block_, use) : okStatus();
}

bool DeviceMemory::isUsedOnlyOn(StreamId stream) const {
  return !block_ || pool_->isUsedOnlyOn(*block_, stream);
}

void DeviceMemory::reset() {
  if (block_)
    pool_->release(*block_);
  pool_ = nullptr;
  block_ = nullptr;
  data_ = nullptr;
  bytes_ = 0;
}

bool MemoryPool::BySize::operator()(const Block *a, const Block *b) const {
  return a->bytes != b->bytes ? a->bytes < b->bytes : a->address < b->address;
}

bool MemoryPool::BySize::operator()(const Block *a, size_t bytes) const { return a->bytes < bytes; }

static size_t roundUp(size_t bytes, size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

MemoryPool::MemoryPool(Backing &backing, std::string device, uint64_t limit)
    : backing_(backing), device_(std::move(device)), limit_(limit) {}

MemoryPool::~MemoryPool() {
  assert(abandoned_ || inUse_ == 0);
  while (!chunks_.empty())
    removeChunk(chunks_.size() - 1);
}

Result<DeviceMemory> MemoryPool::allocate(size_t bytes, StreamId stream, std::string_view owner) {
  DeviceMemory memory;
  memory.stream_ = stream;
  if (bytes == 0)
    return memory;
  std::unique_lock lock(mutex_);
  if (bytes > SIZE_MAX / 2)
    return exhausted(bytes, owner);
  auto taken = takeOrGrow(roundUp(bytes, kAlignment), stream, lock);
  if (!taken.ok() && taken.status().code() == Code::kResourceExhausted)
    return exhausted(bytes, owner);
  SLUICE_ASSIGN_OR_RETURN(Block * block, std::move(taken));
  block->owner = owner;
  inUse_ += block->bytes;
  peak_ = std::max(peak_, inUse_);
  memory.pool_ = this;
  memory.block_ = block;
  memory.data_ = block->address;
  memory.bytes_ = bytes;
  return memory;
}

// Neighbours that could not be merged, and chunks that cannot be given back yet, cost a wait for
// the device, but only where the answer would be that memory is exhausted.
Result<MemoryPool::Block *> MemoryPool::takeOrGrow(size_t bytes, StreamId stream,
                                                   std::unique_lock<std::mutex> &lock) {
  if (Block *block = choose(bytes, stream))
    return take(*block, bytes, stream);
  mergeWhatIsApart();
  if (Block *block = choose(bytes, stream))
    return take(*block, bytes, stream);
  Status grown = grow(bytes);
  if (grown.code() == Code::kResourceExhausted) {
    lock.unlock();
    Status idle = backing_.awaitIdle();
    lock.lock();
    SLUICE_RETURN_IF_ERROR(idle);
    mergeAll();
    if (!choose(bytes, stream)) {
      removeUnused();
      grown = grow(bytes);
      SLUICE_RETURN_IF_ERROR(grown);
    }
  } else {
    SLUICE_RETURN_IF_ERROR(grown);
  }
  return take(*choose(bytes, stream), bytes, stream);
}

// The smallest that fits; a little more for one that nobody has to wait for, or a part of the
// largest. Else streams that have nothing to do with each other would wait in turns.
MemoryPool::Block *MemoryPool::choose(size_t bytes, StreamId stream) {
  constexpr int kLooks = 8;
  auto smallest = free_.lower_bound(bytes);
  if (smallest == free_.end())
    return nullptr;
  auto candidate = smallest;
  for (int i = 0; i < kLooks && candidate != free_.end(); ++i, ++candidate) {
    if (candidate != smallest && (*candidate)->bytes > 2 * bytes)
      break;
    if (!waits(**candidate, stream))
      return *candidate;
  }
  MemoryBlock *largest = *free_.rbegin();
  return waits(*largest, stream) ? *smallest : largest;
}

// To ask whether a moment is over takes longer than to launch something: nobody asks about the
// stream itself.
bool MemoryPool::waits(Block &block, StreamId stream) {
  block.uses.removeIf([&](Moment use) { return use.stream != stream && backing_.isOver(use); });
  return std::any_of(block.uses.begin(), block.uses.end(),
                     [&](Moment use) { return use.stream != stream; });
}

void MemoryPool::forgetUses(Block &block) {
  block.uses.removeIf([&](Moment use) { return backing_.isOver(use); });
}

Result<MemoryPool::Block *> MemoryPool::take(Block &block, size_t bytes, StreamId stream) {
  for (Moment use : block.uses)
    if (use.stream != stream && !backing_.isOver(use))
      SLUICE_RETURN_IF_ERROR(backing_.order(stream, use));
  free_.erase(&block);
  block.isFree = false;
  split(block, bytes);
  block.uses.clear();
  block.hasOtherUses = false;
  block.stream = stream;
  return &block;
}

// What is left over is free, and has been used as before.
void MemoryPool::split(Block &block, size_t bytes) {
  if (block.bytes == bytes)
    return;
  auto *rest = new Block;
  rest->address = block.address + bytes;
  rest->bytes = block.bytes - bytes;
  rest->previous = &block;
  rest->next = block.next;
  rest->uses = block.uses;
  if (rest->next)
    rest->next->previous = rest;
  block.next = rest;
  block.bytes = bytes;
  rest->isFree = true;
  free_.insert(rest);
}

Status MemoryPool::noteUse(Block &block, Moment use) {
  std::lock_guard lock(mutex_);
  if (use.stream == block.stream || block.uses.add(use))
    return okStatus();
  block.uses.removeIf([&](Moment earlier) { return backing_.isOver(earlier); });
  if (block.uses.add(use))
    return okStatus();
  // Too many streams: what comes after the block's own stream then comes after this one as well.
  block.hasOtherUses = true;
  Status ordered = backing_.order(block.stream, use);
  block.isLost = block.isLost || !ordered.ok();
  return ordered;
}

// Uses on its own stream are not noted; memory for what the host copies in has but one there.
bool MemoryPool::isUsedOnlyOn(Block &block, StreamId stream) {
  std::lock_guard lock(mutex_);
  bool isForCopies = block.stream == StreamId::kHostToDevice && !block.hasOtherUses;
  return (block.stream == stream || isForCopies) && !waits(block, stream);
}

// What its own stream has been given.
Status MemoryPool::noteLastUse(Block &block) {
  if (block.uses.add(backing_.lastMoment(block.stream)))
    return okStatus();
  Moment other = *block.uses.begin();
  SLUICE_RETURN_IF_ERROR(backing_.order(block.stream, other));
  block.uses.removeIf([&](Moment use) { return use.stream == other.stream; });
  block.uses.add(backing_.lastMoment(block.stream));
  return okStatus();
}

void MemoryPool::release(Block &block) {
  std::lock_guard lock(mutex_);
  if (!block.isLost)
    block.isLost = !noteLastUse(block).ok();
  inUse_ -= block.bytes;
  block.owner = {};
  if (!block.isLost)
    putFree(block);
}

// Which streams for kernels use it, or have done so, as bits.
static unsigned kernelStreams(const MemoryUses &uses) {
  unsigned streams = 0;
  for (Moment use : uses)
    if (use.ticket > 0 && indexOf(use.stream) >= kCopyStreams)
      streams |= 1u << indexOf(use.stream);
  return streams;
}

// Who got a piece that several streams have used would wait for all of them.
void MemoryPool::mergeIfAlike(Block &block) {
  Block *next = block.next;
  if (!next || !next->isFree)
    return;
  if (kernelStreams(block.uses) == kernelStreams(next->uses))
    mergeWithNext(block);
  else
    areSomeApart_ = true;
}

void MemoryPool::putFree(Block &block) {
  block.isFree = true;
  free_.insert(&block);
  mergeIfAlike(block);
  if (block.previous && block.previous->isFree)
    mergeIfAlike(*block.previous);
}

// If both are free, and not used by too many streams.
void MemoryPool::mergeWithNext(Block &block) {
  Block *next = block.next;
  if (!next || !next->isFree || !block.uses.add(next->uses))
    return;
  free_.erase(next);
  free_.erase(&block);
  block.bytes += next->bytes;
  block.next = next->next;
  if (block.next)
    block.next->previous = &block;
  free_.insert(&block);
  delete next;
}

} // namespace sluice::rt
