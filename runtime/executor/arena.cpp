// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arenas are buffers of the pool, so that limits and figures of memory hold for them too.
#include "runtime/executor/arena.h"

#include "runtime/memory/buffer.h"
#include "runtime/memory/guard_pages.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace sluice::rt {

namespace {
constexpr size_t kAlignment = 64; // as codelet/abi.h promises
constinit std::atomic<uint64_t> totalBytes{0};

struct Arena {
  Buffer *block = nullptr;
  size_t bytes = 0;

  constexpr Arena() = default;
  ~Arena() { release(); }
  void release() {
    if (!block)
      return;
    block->release();
    totalBytes -= bytes;
    block = nullptr;
    bytes = 0;
  }
};
constinit thread_local Arena arena;

// Doubling, so that slowly growing demands do not lead to many blocks.
size_t withRoomToGrow(size_t wanted) {
  constexpr size_t kLeast = 4096, kLargestDoubled = size_t{1} << 25;
  return wanted <= kLargestDoubled ? std::bit_ceil(std::max(wanted, kLeast)) : wanted;
}

void *allocate(size_t bytes) {
  arena.release();
  arena.block = Buffer::allocate(bytes);
  if (!arena.block)
    return nullptr;
  arena.bytes = bytes;
  totalBytes += bytes;
  return arena.block->data();
}
} // namespace

void *threadArena(size_t bytes) {
  if (buffersAreGuarded()) [[unlikely]] // so that it ends where it should
    return allocate((bytes + kAlignment - 1) / kAlignment * kAlignment);
  if (bytes <= arena.bytes) [[likely]]
    return arena.block ? arena.block->data() : nullptr;
  return allocate(withRoomToGrow(bytes));
}

uint64_t arenaBytes() { return totalBytes; }

} // namespace sluice::rt
