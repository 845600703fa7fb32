// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private mappings.
#include "runtime/memory/file_pages.h"

#include "runtime/base/held_memory.h"

#include <sys/mman.h>

namespace sluice::rt {

void *mapFilePages(int descriptor, uint64_t offset, size_t bytes) {
  MemoryHold hold;
  if (!hold.resize(bytes))
    return nullptr;
  void *mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor,
                        static_cast<off_t>(offset));
  if (mapped == MAP_FAILED)
    return nullptr;
  hold.keep();
  return mapped;
}

void unmapFilePages(void *mapped, size_t bytes) {
  ::munmap(mapped, bytes);
  unholdMemory(bytes);
}

} // namespace sluice::rt
