// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MemoryPool: how it grows, what it gives back, and what it says when there is no more.
#include "runtime/device/byte_text.h"
#include "runtime/device/memory_block.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sluice::rt {

// Doubles what there is, within bounds; but rather what was asked for than nothing.
Status MemoryPool::grow(size_t bytes) {
  uint64_t room = limit_ ? limit_ - std::min(limit_, held_) : UINT64_MAX;
  limitIsTheReason_ = bytes > room;
  if (limitIsTheReason_)
    return resourceExhausted("the limit");
  size_t least = (bytes + kLeastChunk - 1) / kLeastChunk * kLeastChunk;
  size_t wanted = std::max<uint64_t>(least, std::min<uint64_t>(held_, kMostGrowth));
  Status status;
  for (size_t size : {wanted, least, bytes}) {
    status = addChunk(std::min<uint64_t>(size, room) / kAlignment * kAlignment);
    if (status.code() != Code::kResourceExhausted)
      break;
  }
  return status;
}

Status MemoryPool::addChunk(size_t bytes) {
  SLUICE_ASSIGN_OR_RETURN(void *memory, backing_.obtain(bytes));
  auto *block = new Block;
  block->address = static_cast<std::byte *>(memory);
  block->bytes = bytes;
  chunks_.push_back(std::make_unique<Chunk>(Chunk{block->address, bytes, block}));
  held_ += bytes;
  putFree(*block);
  return okStatus();
}

void MemoryPool::removeChunk(size_t index) {
  Chunk &chunk = *chunks_[index];
  if (!abandoned_)
    backing_.giveBack(chunk.address, chunk.bytes);
  held_ -= chunk.bytes;
  for (Block *block = chunk.first; block;) {
    Block *next = block->next;
    free_.erase(block);
    delete block;
    block = next;
  }
  chunks_.erase(chunks_.begin() + static_cast<ptrdiff_t>(index));
}

void MemoryPool::removeUnused() {
  for (size_t i = chunks_.size(); i > 0; --i) {
    Block &first = *chunks_[i - 1]->first;
    if (first.isFree && !first.next && !waits(first, static_cast<StreamId>(kMostStreams)))
      removeChunk(i - 1);
  }
}

void MemoryPool::mergeWhatIsApart() {
  if (!std::exchange(areSomeApart_, false))
    return;
  for (auto &chunk : chunks_)
    for (Block *block = chunk->first; block;) {
      Block *next = block->next;
      if (block->isFree)
        mergeWithNext(*block);
      block = block->next == next ? next : block;
    }
}

// Blocks whose users have all ended meanwhile have no reason to stay apart.
void MemoryPool::mergeAll() {
  for (auto &chunk : chunks_)
    for (Block *block = chunk->first; block;) {
      Block *next = block->next;
      if (block->isFree && next && next->isFree) {
        forgetUses(*block);
        forgetUses(*next);
        mergeWithNext(*block);
      }
      block = block->next == next ? next : block;
    }
}

MemoryPool::Counters MemoryPool::counters() const {
  std::lock_guard lock(mutex_);
  Counters counters{limit_, held_, inUse_, peak_, chunks_.size(), 0};
  if (!free_.empty())
    counters.largestFree = (*free_.rbegin())->bytes;
  return counters;
}

// The five who hold most.
std::string MemoryPool::holders() const {
  std::map<std::string_view, uint64_t> byOwner;
  for (auto &chunk : chunks_)
    for (Block *block = chunk->first; block; block = block->next)
      if (!block->isFree)
        byOwner[block->isLost ? "nobody any more" : block->owner] += block->bytes;
  std::vector<std::pair<uint64_t, std::string_view>> owners;
  for (auto [owner, bytes] : byOwner)
    owners.push_back({bytes, owner});
  std::sort(owners.begin(), owners.end(), [](auto &a, auto &b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::string text;
  constexpr size_t kShown = 5;
  for (size_t i = 0; i < owners.size() && i < kShown; ++i)
    text += (i ? ", '" : ": '") + std::string(owners[i].second) + "' " + byteText(owners[i].first);
  uint64_t others = 0;
  for (size_t i = kShown; i < owners.size(); ++i)
    others += owners[i].first;
  if (others)
    text += format(", %zu others ", owners.size() - kShown) + byteText(others);
  return text;
}

Status MemoryPool::exhausted(size_t bytes, std::string_view owner) const {
  std::string bound = limitIsTheReason_ ? "the limit of " + byteText(limit_)
                                        : byteText(held_) + ", which is all that the device gives";
  uint64_t largest = free_.empty() ? 0 : (*free_.rbegin())->bytes;
  if (limitIsTheReason_)
    largest = std::max(largest, limit_ - held_);
  std::string who = holders();
  return resourceExhausted(device_ + ": '" + std::string(owner) + "' needs " + byteText(bytes) +
                           ", but of " + bound + ", " + byteText(inUse_) +
                           " are in use and the largest piece left has " + byteText(largest) +
                           "; in use are" + (who.empty() ? ": nothing" : who));
}

} // namespace sluice::rt
