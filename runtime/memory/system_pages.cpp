// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages are given back by unmapping them: nothing then makes them resident again.
#include "runtime/memory/system_pages.h"

#include "runtime/base/held_memory.h"
#include "runtime/memory/free_block.h"

#include <atomic>
#include <sys/mman.h>

namespace sluice::rt {

namespace {
constinit std::atomic<uint64_t> allocations{0};

// LeakSanitizer looks for pointers to what is alive only where it knows of memory.
void tellLeakSearch(const void *pages, size_t bytes, bool isMapped) {
#if __has_feature(address_sanitizer)
  if (isMapped)
    __lsan_register_root_region(pages, bytes);
  else
    __lsan_unregister_root_region(pages, bytes);
#else
  (void)pages, (void)bytes, (void)isMapped;
#endif
}
} // namespace

void *mapPages(size_t bytes) {
  if (!holdMemory(bytes))
    return nullptr;
  void *pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    unholdMemory(bytes);
    return nullptr;
  }
#ifdef MADV_HUGEPAGE
  constexpr size_t kLargePage = size_t{2} << 20;
  if (bytes >= kLargePage) // a hint; matrices take too many small ones for the processor's table
    ::madvise(pages, bytes, MADV_HUGEPAGE);
#endif
  allocations.fetch_add(1, std::memory_order_relaxed);
  tellLeakSearch(pages, bytes, true);
  return pages;
}

void unmapPages(void *pages, size_t bytes) {
  tellLeakSearch(pages, bytes, false);
  ::munmap(pages, bytes);
  unholdMemory(bytes);
}

void *moveToSize(void *pages, size_t bytes, size_t newBytes) {
  if (newBytes > bytes && !holdMemory(newBytes - bytes))
    return nullptr;
  void *moved = ::mremap(pages, bytes, newBytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) {
    if (newBytes > bytes)
      unholdMemory(newBytes - bytes);
    return nullptr;
  }
  if (newBytes < bytes)
    unholdMemory(bytes - newBytes);
  allocations.fetch_add(1, std::memory_order_relaxed);
  tellLeakSearch(pages, bytes, false);
  tellLeakSearch(moved, newBytes, true);
  return moved;
}

uint64_t systemAllocations() { return allocations.load(std::memory_order_relaxed); }

} // namespace sluice::rt
