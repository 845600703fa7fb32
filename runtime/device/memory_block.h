// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a MemoryPool consists of; only for its own sources.
#pragma once

#include "runtime/device/memory_pool.h"

#include <cstddef>

namespace sluice::rt {

// A piece of a chunk, held or free. Pieces of a chunk are chained in the order of their addresses.
struct MemoryBlock {
  std::byte *address = nullptr;
  size_t bytes = 0;
  MemoryBlock *previous = nullptr, *next = nullptr; // in the same chunk
  StreamId stream = StreamId::kFirstCompute;
  std::string_view owner;
  MemoryUses uses;
  // There was no room for more; its stream comes after these.
  bool hasOtherUses = false;
  bool isFree = false;
  // Nobody can tell any more when it can be used again.
  bool isLost = false;
};

struct MemoryPool::Chunk {
  std::byte *address;
  size_t bytes;
  Block *first;
};

} // namespace sluice::rt
