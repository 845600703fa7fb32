// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of addresses, in order.
#include "runtime/sim/host_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace sluice::rt::sim {

constexpr size_t kAlignment = 4096;

HostMemory::~HostMemory() {
  for (auto [begin, range] : ranges_)
    if (range.owned)
      free(reinterpret_cast<void *>(begin));
}

void *HostMemory::allocate(size_t bytes) {
  void *pointer = aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  if (pointer) {
    memset(pointer, 0xFF, bytes);
    ranges_[reinterpret_cast<uint64_t>(pointer)] = {bytes, true};
  }
  return pointer;
}

bool HostMemory::release(void *pointer) {
  auto found = ranges_.find(reinterpret_cast<uint64_t>(pointer));
  if (found == ranges_.end() || !found->second.owned)
    return false;
  memset(pointer, 0xFD, found->second.bytes);
  free(pointer);
  ranges_.erase(found);
  return true;
}

bool HostMemory::overlaps(uint64_t begin, size_t bytes) const {
  auto next = ranges_.lower_bound(begin + bytes);
  return next != ranges_.begin() && std::prev(next)->first + std::prev(next)->second.bytes > begin;
}

bool HostMemory::pin(void *pointer, size_t bytes) {
  uint64_t begin = reinterpret_cast<uint64_t>(pointer);
  if (overlaps(begin, bytes))
    return false;
  ranges_[begin] = {bytes, false};
  return true;
}

bool HostMemory::unpin(void *pointer) {
  auto found = ranges_.find(reinterpret_cast<uint64_t>(pointer));
  if (found == ranges_.end() || found->second.owned)
    return false;
  ranges_.erase(found);
  return true;
}

bool HostMemory::isPinned(const void *pointer, size_t bytes) const {
  uint64_t begin = reinterpret_cast<uint64_t>(pointer);
  auto next = ranges_.upper_bound(begin);
  if (next == ranges_.begin())
    return false;
  auto [start, range] = *std::prev(next);
  return begin - start <= range.bytes && bytes <= range.bytes - (begin - start);
}

size_t HostMemory::allocated() const {
  return std::count_if(ranges_.begin(), ranges_.end(),
                       [](const auto &entry) { return entry.second.owned; });
}

} // namespace sluice::rt::sim
