// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers in their blocks, and figures.
#include "runtime/memory/buffer.h"

#include "runtime/base/held_memory.h"
#include "runtime/memory/file_pages.h"
#include "runtime/memory/guard_pages.h"
#include "runtime/memory/kept_forms.h"
#include "runtime/memory/memory_account.h"
#include "runtime/memory/repeated_pages.h"
#include "runtime/memory/thread_blocks.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace sluice::rt {

namespace {
// Where guarded elements lie. It stands behind the header, in the place of elements that lie there.
GuardedBlock **guardedBlockOf(void *block) {
  return reinterpret_cast<GuardedBlock **>(static_cast<char *>(block) + kBlockHeader);
}
// Of a buffer with elements of its own.
bool isGuarded(Buffer &buffer) {
  return buffer.data() != reinterpret_cast<char *>(&buffer) + kBlockHeader;
}
// Guarded elements count as much as others of their size.
int64_t beyondGuardedHeader(size_t bytes) {
  return static_cast<int64_t>(blockBytesFor(bytes)) -
         static_cast<int64_t>(blockBytesFor(sizeof(GuardedBlock *)));
}
// What is kept since it may be of use again goes before memory is refused.
bool holdFor(uint8_t account, size_t bytes) {
  if (MemoryAccount::hold(account, bytes))
    return true;
  KeptForms::giveBack();
  return MemoryAccount::hold(account, bytes);
}
} // namespace

Buffer *Buffer::allocate(size_t bytes) {
  if (bytes > (size_t{1} << 62))
    return nullptr;
  const uint8_t account = MemoryAccount::here();
  if (!account) [[likely]]
    return allocateUncounted(bytes);
  if (!holdFor(account, blockBytesFor(bytes)))
    return nullptr;
  Buffer *buffer = allocateUncounted(bytes);
  if (buffer)
    buffer->account_ = account;
  else
    MemoryAccount::unhold(account, blockBytesFor(bytes));
  return buffer;
}

Buffer *Buffer::allocateUncounted(size_t bytes) {
  static_assert(sizeof(Buffer) <= kBlockUsable);
  const size_t room = buffersAreGuarded() ? sizeof(GuardedBlock *) : bytes;
  const int sizeClass = classOfBlock(room);
  void *block = takeBlock(room, sizeClass);
  if (!block)
    return nullptr;
  auto *buffer = new (block) Buffer();
  buffer->sizeClass_ = static_cast<uint8_t>(sizeClass);
  buffer->bytes_ = bytes;
  buffer->data_ = static_cast<char *>(block) + kBlockHeader;
  allowRoom(block, room);
  if (buffersAreGuarded()) [[unlikely]] {
    GuardedBlock *guarded = GuardedBlock::map(bytes);
    if (!guarded) {
      returnBlock(block, sizeClass);
      return nullptr;
    }
    addLiveBytes(beyondGuardedHeader(bytes));
    *guardedBlockOf(block) = guarded;
    buffer->data_ = guarded->data();
  }
  return buffer;
}

Buffer *Buffer::allocateStrings(size_t count) {
  if (count > (size_t{1} << 56))
    return nullptr;
  Buffer *buffer = allocate(count * sizeof(std::string));
  if (!buffer)
    return nullptr;
  buffer->strings_ = count;
  auto *strings = static_cast<std::string *>(buffer->data_);
  for (size_t i = 0; i < count; ++i)
    new (strings + i) std::string();
  return buffer;
}

// For elements that lie elsewhere.
Buffer *Buffer::headerOf(const void *data) {
  const int sizeClass = classOfBlock(0);
  void *block = takeBlock(0, sizeClass);
  if (!block)
    return nullptr;
  auto *buffer = new (block) Buffer();
  buffer->sizeClass_ = static_cast<uint8_t>(sizeClass);
  buffer->data_ = const_cast<void *>(data);
  buffer->isReadOnly_ = true;
  return buffer;
}

Buffer *Buffer::wrapImmortal(const void *data) {
  Buffer *buffer = headerOf(data);
  if (buffer)
    buffer->where_ = Where::kImmortal;
  return buffer;
}

Buffer *Buffer::repeat(const void *element, size_t size, size_t bytes) {
  const void *mapped = mapRepeated(element, size, bytes);
  if (!mapped)
    return nullptr;
  Buffer *buffer = headerOf(mapped);
  if (!buffer) {
    unmapRepeated(mapped, bytes);
    return nullptr;
  }
  buffer->where_ = Where::kRepeated;
  buffer->bytes_ = bytes;
  return buffer;
}

Buffer *Buffer::mapFile(int descriptor, uint64_t offset, size_t bytes) {
  void *mapped = mapFilePages(descriptor, offset, bytes);
  if (!mapped)
    return nullptr;
  Buffer *buffer = headerOf(mapped);
  if (!buffer) {
    unmapFilePages(mapped, bytes);
    return nullptr;
  }
  buffer->where_ = Where::kFile;
  buffer->bytes_ = bytes;
  buffer->isReadOnly_ = false;
  return buffer;
}

bool Buffer::isMapping() const { return sizeClass_ == kMappingClass; }

Buffer *Buffer::resize(Buffer *buffer, size_t bytes, size_t used, bool fillsWithZeros) {
  constexpr size_t kLeastMoved = 1 << 20; // fewer are copied sooner than the system moves them
  const bool isMoved = buffer && buffer->isMapping() && buffer->bytes_ >= kLeastMoved &&
                       bytes > kMostSharedRoom && buffer->solelyOwned() && !buffersAreGuarded();
  Buffer *resized;
  size_t knownZeros = bytes;
  if (!isMoved) {
    resized = allocate(bytes);
    if (!resized)
      return nullptr;
    if (used > 0)
      std::memcpy(resized->data_, buffer->data_, used);
    if (buffer)
      buffer->release();
  } else {
    const size_t room = homeOf(buffer) - kBlockHeader;
    const uint8_t account = buffer->account_;
    const size_t before = blockBytesFor(buffer->bytes_), after = blockBytesFor(bytes);
    const bool grows = bytes >= buffer->bytes_;
    if (account && after > before && !holdFor(account, after - before))
      return nullptr;
    if (grows && bytes <= room) {
      allowRoom(buffer, bytes);
      resized = buffer;
    } else if (void *free = grows ? takeRoomyMapping(bytes) : nullptr) {
      resized = new (free) Buffer();
      resized->sizeClass_ = kMappingClass;
      resized->account_ = std::exchange(buffer->account_, uint8_t{0});
      allowRoom(free, bytes);
      std::memcpy(static_cast<char *>(free) + kBlockHeader, buffer->data_, used);
      buffer->release();
    } else {
      allowRoom(buffer, room);
      knownZeros = std::min(bytes, room);
      void *moved = resizeMapping(buffer, bytes);
      if (account && (moved ? after < before : before < after))
        MemoryAccount::unhold(account, moved ? before - after : after - before);
      if (!moved)
        return nullptr;
      resized = static_cast<Buffer *>(moved);
    }
    resized->bytes_ = bytes;
    resized->data_ = reinterpret_cast<char *>(resized) + kBlockHeader;
  }
  if (fillsWithZeros && knownZeros > used)
    std::memset(static_cast<char *>(resized->data_) + used, 0, knownZeros - used);
  return resized;
}

void Buffer::forgetForms() { KeptForms::forget(*this); }

// Behind the header, as there are no elements.
Buffer::Foreign **Buffer::holderOf(Buffer *buffer) {
  return reinterpret_cast<Foreign **>(reinterpret_cast<char *>(buffer) + kBlockHeader);
}

Buffer *Buffer::refer(void *data, size_t bytes, std::unique_ptr<Foreign> holder) {
  const int sizeClass = classOfBlock(sizeof(Foreign *));
  void *block = takeBlock(sizeof(Foreign *), sizeClass);
  if (!block)
    return nullptr;
  auto *buffer = new (block) Buffer();
  allowRoom(block, sizeof(Foreign *));
  buffer->sizeClass_ = static_cast<uint8_t>(sizeClass);
  buffer->where_ = Where::kForeign;
  buffer->data_ = data;
  buffer->bytes_ = bytes;
  *holderOf(buffer) = holder.release();
  return buffer;
}

void Buffer::destroy() {
  if (where_ == Where::kForeign)
    delete *holderOf(this);
  if (wasUsed_) [[unlikely]]
    forgetForms();
  if (strings_) {
    auto *strings = static_cast<std::string *>(data_);
    for (size_t i = 0; i < strings_; ++i)
      strings[i].~basic_string();
  }
  if (where_ == Where::kRepeated)
    unmapRepeated(data_, bytes_);
  else if (where_ == Where::kFile)
    unmapFilePages(data_, bytes_);
  else if (where_ == Where::kBehindHeader && isGuarded(*this)) [[unlikely]] {
    addLiveBytes(-beyondGuardedHeader(bytes_));
    (*guardedBlockOf(this))->unmap();
  }
  if (account_) [[unlikely]]
    MemoryAccount::unhold(account_, blockBytesFor(bytes_));
  const int sizeClass = sizeClass_;
  this->~Buffer();
  if (sizeClass < kSharedClasses)
    forbidRoom(this, roomOf(sizeClass));
  returnBlock(this, sizeClass);
}

MemoryStats memoryStats() {
  BlockFigures blocks = BlockFigures::ofAllThreads();
  return {blocks.taken,     systemAllocations(), blocks.liveBytes,
          blocks.peakBytes, heldMemory(),        peakOfHeldMemory()};
}

void setMemoryLimit(uint64_t bytes) { limitHeldMemory(bytes); }

} // namespace sluice::rt
