// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffer pool: power-of-two size classes with free lists, guarded by one spin lock. Blocks above
// 64 MiB go back to the system at once, so that a large peak does not stay resident.
#include "runtime/memory/buffer.h"

#include "runtime/base/pause.h"
#include "runtime/memory/guard_pages.h"
#include "runtime/memory/repeated_pages.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>
#include <string>

namespace sluice::rt {

namespace {
constexpr size_t kHeader = 64;
constexpr size_t kAlignment = 64;
constexpr int kMinClass = 7;  // 128 bytes, header included
constexpr int kMaxClass = 26; // 64 MiB

struct FreeBlock {
  FreeBlock *next;
};

struct Pool {
  std::atomic_flag lock = ATOMIC_FLAG_INIT;
  FreeBlock *free[kMaxClass + 1] = {};
  MemoryStats stats;
  uint64_t limit = 0;

  class Guard {
  public:
    explicit Guard(Pool &pool) : pool_(pool) {
      while (pool_.lock.test_and_set(std::memory_order_acquire))
        pauseSpinning();
    }
    ~Guard() { pool_.lock.clear(std::memory_order_release); }

  private:
    Pool &pool_;
  };
};
// Lives for the process: buffers may be released by objects that outlive main.
constinit Pool pool;

int sizeClassOf(size_t total) {
  return std::max(kMinClass, static_cast<int>(std::bit_width(total - 1)));
}

// Where guarded elements lie. It stands behind the header, in the place of elements that lie there.
GuardedBlock **guardedBlockOf(void *block) {
  return reinterpret_cast<GuardedBlock **>(static_cast<char *>(block) + kHeader);
}
// Of a buffer with elements of its own.
bool isGuarded(Buffer &buffer) {
  return buffer.data() != reinterpret_cast<char *>(&buffer) + kHeader;
}

void *takeBlock(size_t total, int sizeClass) {
  {
    Pool::Guard guard(pool);
    if (pool.limit && pool.stats.liveBytes + total > pool.limit)
      return nullptr;
    pool.stats.liveBytes += total;
    pool.stats.peakBytes = std::max(pool.stats.peakBytes, pool.stats.liveBytes);
    ++pool.stats.allocations;
    if (sizeClass <= kMaxClass)
      if (FreeBlock *block = pool.free[sizeClass]) {
        pool.free[sizeClass] = block->next;
        return block;
      }
    ++pool.stats.systemAllocations;
  }
  size_t size = sizeClass <= kMaxClass ? size_t{1} << sizeClass
                                       : (total + kAlignment - 1) / kAlignment * kAlignment;
  void *block = std::aligned_alloc(kAlignment, size);
  if (!block) {
    Pool::Guard guard(pool);
    pool.stats.liveBytes -= total;
  }
  return block;
}

void returnBlock(void *block, size_t total, int sizeClass) {
  Pool::Guard guard(pool);
  pool.stats.liveBytes -= total;
  if (sizeClass > kMaxClass) {
    std::free(block);
    return;
  }
  auto *freed = static_cast<FreeBlock *>(block);
  freed->next = pool.free[sizeClass];
  pool.free[sizeClass] = freed;
}
} // namespace

Buffer *Buffer::allocate(size_t bytes) {
  static_assert(sizeof(Buffer) <= kHeader);
  if (bytes > (size_t{1} << 62))
    return nullptr;
  size_t total = bytes + kHeader;
  int sizeClass = sizeClassOf(buffersAreGuarded() ? kHeader + sizeof(GuardedBlock *) : total);
  void *block = takeBlock(total, sizeClass);
  if (!block)
    return nullptr;
  auto *buffer = new (block) Buffer();
  buffer->sizeClass_ = static_cast<uint8_t>(sizeClass);
  buffer->bytes_ = bytes;
  buffer->data_ = static_cast<char *>(block) + kHeader;
  if (buffersAreGuarded()) {
    GuardedBlock *guarded = GuardedBlock::map(bytes);
    if (!guarded) {
      returnBlock(block, total, sizeClass);
      return nullptr;
    }
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
  Buffer *buffer = allocate(0);
  if (!buffer)
    return nullptr;
  if (isGuarded(*buffer))
    (*guardedBlockOf(buffer))->unmap();
  buffer->data_ = const_cast<void *>(data);
  buffer->isReadOnly_ = true;
  return buffer;
}

Buffer *Buffer::wrapImmortal(const void *data) {
  Buffer *buffer = headerOf(data);
  if (buffer) {
    buffer->where_ = Where::kImmortal;
    buffer->makeReadOnly();
  }
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

void Buffer::destroy() {
  if (strings_) {
    auto *strings = static_cast<std::string *>(data_);
    for (size_t i = 0; i < strings_; ++i)
      strings[i].~basic_string();
  }
  bool isBehindHeader = where_ == Where::kBehindHeader;
  if (isBehindHeader && isGuarded(*this))
    (*guardedBlockOf(this))->unmap();
  if (where_ == Where::kRepeated)
    unmapRepeated(data_, bytes_);
  size_t total = (isBehindHeader ? bytes_ : 0) + kHeader;
  int sizeClass = sizeClass_;
  this->~Buffer();
  returnBlock(this, total, sizeClass);
}

MemoryStats memoryStats() {
  Pool::Guard guard(pool);
  return pool.stats;
}

void setMemoryLimit(uint64_t bytes) {
  Pool::Guard guard(pool);
  pool.limit = bytes;
}

} // namespace sluice::rt
