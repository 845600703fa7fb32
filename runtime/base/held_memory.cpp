// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of held memory. They are touched when memory comes from the system or goes back, not for
// each tensor.
#include "runtime/base/held_memory.h"

#include <algorithm>
#include <atomic>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace sluice::rt {

namespace {
constinit std::atomic<uint64_t> held{0}, peak{0}, limit{0};
constinit std::atomic<void (*)(GiveBack)> giveBack{nullptr};

bool tryHold(size_t bytes) {
  uint64_t most = limit.load(std::memory_order_relaxed);
  uint64_t before = held.load(std::memory_order_relaxed), after;
  do {
    if (__builtin_add_overflow(before, bytes, &after) || (most && after > most))
      return false;
  } while (!held.compare_exchange_weak(before, after, std::memory_order_relaxed));
  for (uint64_t seen = peak.load(std::memory_order_relaxed);
       seen < after && !peak.compare_exchange_weak(seen, after, std::memory_order_relaxed);) {
  }
  return true;
}
// The C library, too, keeps what was freed, which nobody counts: so it is to keep little.
void keepLittleInLibrary() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 256 << 10);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}
} // namespace

bool holdMemory(size_t bytes) {
  if (tryHold(bytes))
    return true;
  auto *giver = giveBack.load(std::memory_order_acquire);
  if (!giver || bytes > limit.load(std::memory_order_relaxed))
    return false;
  giver(GiveBack::kFree);
  if (tryHold(bytes))
    return true;
  giver(GiveBack::kUseful);
  return tryHold(bytes);
}

bool memoryAllows(size_t bytes) {
  MemoryHold hold;
  return hold.resize(bytes);
}

void unholdMemory(size_t bytes) { held.fetch_sub(bytes, std::memory_order_relaxed); }

void limitHeldMemory(uint64_t bytes) {
  limit.store(bytes, std::memory_order_relaxed);
  if (bytes)
    keepLittleInLibrary();
  if (auto *giver = giveBack.load(std::memory_order_acquire);
      giver && bytes && heldMemory() > bytes)
    giver(GiveBack::kUseful);
}
uint64_t heldMemoryLimit() { return limit.load(std::memory_order_relaxed); }
uint64_t heldMemory() { return held.load(std::memory_order_relaxed); }
uint64_t peakOfHeldMemory() { return peak.load(std::memory_order_relaxed); }

void giveBackMemoryWith(void (*giver)(GiveBack)) {
  giveBack.store(giver, std::memory_order_release);
}

} // namespace sluice::rt
