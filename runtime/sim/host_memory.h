// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the host that programs have pinned: copies from and to it are asynchronous.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace sluice::rt::sim {

class HostMemory {
public:
  ~HostMemory();
  // Filled with 0xFF; null if there is none.
  void *allocate(size_t bytes);
  bool release(void *pointer);
  // False if some of it is pinned already.
  bool pin(void *pointer, size_t bytes);
  bool unpin(void *pointer);
  // All of it.
  bool isPinned(const void *pointer, size_t bytes) const;
  size_t allocated() const;

private:
  struct Range {
    size_t bytes;
    bool owned;
  };
  bool overlaps(uint64_t begin, size_t bytes) const;
  std::map<uint64_t, Range> ranges_;
};

} // namespace sluice::rt::sim
