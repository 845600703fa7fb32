// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file without a name, mapped twice.
#include "runtime/sim/device_memory.h"

#include "runtime/sim/report.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace sluice::rt::sim {

// What is freed and larger goes back to the system, and would read as zeros if anybody could read
// it.
constexpr size_t kMostToFill = size_t(1) << 20;
constexpr size_t kAllocationUnit = 512; // what allocations are rounded up to when they are counted

static size_t pagesOf(size_t bytes) { return (bytes + kMemoryPage - 1) / kMemoryPage; }

std::string Allocation::name() const {
  return text("allocation %u (%zu bytes, %s)", number, bytes, maker);
}

DeviceMemory::DeviceMemory(size_t capacity, int devices) : capacity_(capacity) {
  // Twice the memory, so that addresses rest before they are used again; and pages between.
  span_ = pagesOf(2 * capacity * std::max(1, devices)) * kMemoryPage + (size_t(1) << 28);
  int file = memfd_create("sluice-sim", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, span_) != 0) {
    say("expected memory for a device of %zu bytes: %s", capacity, strerror(errno));
    abort();
  }
  void *copies = mmap(nullptr, span_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  void *programs = mmap(nullptr, span_, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
  close(file);
  if (copies == MAP_FAILED || programs == MAP_FAILED) {
    say("expected addresses for a device of %zu bytes: %s", capacity, strerror(errno));
    abort();
  }
  copyView_ = static_cast<char *>(copies);
  base_ = reinterpret_cast<uint64_t>(programs);
  cursor_ = highest_ = base_ + kMemoryPage;
}

DeviceMemory::~DeviceMemory() {
  munmap(copyView_, span_);
  munmap(reinterpret_cast<void *>(base_), span_);
}

void DeviceMemory::protect(bool open) {
  mprotect(reinterpret_cast<void *>(base_), highest_ - base_,
           open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

// The first place behind the last one that was given, with a page on each side that is nobody's.
uint64_t DeviceMemory::place(size_t pages) {
  size_t bytes = (pages + 1) * kMemoryPage;
  for (int round = 0; round < 2; ++round) {
    for (;;) {
      if (cursor_ + bytes > base_ + span_)
        break;
      auto next = allocations_.lower_bound(cursor_);
      if (next == allocations_.end() || next->first >= cursor_ + bytes)
        return cursor_;
      cursor_ = (pagesOf(next->second.end()) + 1) * kMemoryPage;
    }
    cursor_ = base_ + kMemoryPage;
  }
  return 0;
}

Allocation *DeviceMemory::allocate(size_t bytes, int device) {
  size_t counted = (bytes + kAllocationUnit - 1) / kAllocationUnit * kAllocationUnit;
  if (counted < bytes || capacity_ - used_[device] < counted)
    return nullptr;
  uint64_t begin = place(pagesOf(bytes));
  if (!begin)
    return nullptr;
  cursor_ = begin + (pagesOf(bytes) + 1) * kMemoryPage;
  highest_ = std::max(highest_, cursor_);
  used_[device] += counted;
  memset(copyView(begin), 0xFF, bytes);
  Allocation &allocation = allocations_[begin];
  allocation.begin = begin;
  allocation.bytes = bytes;
  allocation.number = ++count_;
  allocation.device = device;
  return &allocation;
}

void DeviceMemory::release(Allocation &allocation) {
  size_t bytes = allocation.bytes;
  used_[allocation.device] -= (bytes + kAllocationUnit - 1) / kAllocationUnit * kAllocationUnit;
  if (bytes <= kMostToFill)
    memset(copyView(allocation.begin), 0xFD, bytes);
  else
    madvise(copyView(allocation.begin), pagesOf(bytes) * kMemoryPage, MADV_REMOVE);
  allocations_.erase(allocation.begin);
}

Allocation *DeviceMemory::find(uint64_t address) {
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin())
    return nullptr;
  Allocation &allocation = std::prev(next)->second;
  return address < allocation.end() ? &allocation : nullptr;
}

Allocation *DeviceMemory::at(uint64_t address) {
  auto found = allocations_.find(address);
  return found == allocations_.end() ? nullptr : &found->second;
}

size_t DeviceMemory::used(int device) const {
  auto found = used_.find(device);
  return found == used_.end() ? 0 : found->second;
}

} // namespace sluice::rt::sim
