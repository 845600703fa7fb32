// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first 64 bytes of a block while nobody uses it. A user has the first 56 of them.
#pragma once

#include "runtime/memory/size_classes.h"

#include <cstdint>
#include <cstring>

#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#endif

namespace sluice::rt {

struct FreeBlock {
  FreeBlock *next;      // in its batch, or among free mappings
  FreeBlock *nextBatch; // of the first block of a batch
  uint32_t blocks;      // in the batch, of its first block
  char unused[kBlockHeader - 2 * sizeof(void *) - sizeof(uint32_t) - sizeof(uintptr_t)];
  uintptr_t home; // the slab of a block that shares one, else the bytes of its mapping
};
static_assert(sizeof(FreeBlock) == kBlockHeader);
constexpr size_t kBlockUsable = offsetof(FreeBlock, home);

// Also of a block in use, whose object does not reach so far.
inline uintptr_t homeOf(const void *block) {
  uintptr_t home;
  std::memcpy(&home, static_cast<const char *>(block) + kBlockUsable, sizeof home);
  return home;
}
inline void setHome(void *block, uintptr_t home) {
  std::memcpy(static_cast<char *>(block) + kBlockUsable, &home, sizeof home);
}

// What AddressSanitizer is told of the room of a block.
#if __has_feature(address_sanitizer)
inline void forbidRoom(void *block, size_t room) {
  ASAN_POISON_MEMORY_REGION(static_cast<char *>(block) + kBlockHeader, room);
}
inline void allowRoom(void *block, size_t room) {
  ASAN_UNPOISON_MEMORY_REGION(static_cast<char *>(block) + kBlockHeader, room);
}
#else
inline void forbidRoom(void *, size_t) {}
inline void allowRoom(void *, size_t) {}
#endif

} // namespace sluice::rt
