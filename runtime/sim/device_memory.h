// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the simulated devices.
//
// It is mapped twice. Programs are given addresses of a view that cannot be touched, except while a
// kernel runs: a host that follows a device's pointer ends with SIGSEGV, as it would on a machine
// with a card. Copies use the other view. An address is used again as late as possible, so that a
// use after a free is a use of nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace sluice::rt::sim {

constexpr size_t kMemoryPage = 4096;

struct Allocation {
  uint64_t begin = 0;
  size_t bytes = 0;
  uint32_t number = 0;
  int device = 0;
  void *pool = nullptr;   // null: of cuMemAlloc
  bool freeing = false;   // its free is on the way
  uint32_t born = 0;      // the operation that made it
  const char *maker = ""; // the call
  uint64_t end() const { return begin + bytes; }
  std::string name() const;
};

class DeviceMemory {
public:
  // `capacity` bytes for each device.
  DeviceMemory(size_t capacity, int devices);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;

  // Null where the device is full. Filled with 0xFF, which is a NaN to kernels.
  Allocation *allocate(size_t bytes, int device);
  // Its bytes become 0xFD.
  void release(Allocation &allocation);
  // What holds an address, or null.
  Allocation *find(uint64_t address);
  // The one that begins there, or null.
  Allocation *at(uint64_t address);
  const std::map<uint64_t, Allocation> &allocations() const { return allocations_; }

  // An address of programs in the view that copies use.
  char *copyView(uint64_t address) { return copyView_ + (address - base_); }
  bool holds(uint64_t address) const { return address - base_ < span_; }
  uint64_t base() const { return base_; }
  size_t span() const { return span_; }
  size_t capacity() const { return capacity_; }
  size_t used(int device) const;

  // While one lives, programs' addresses can be used.
  class Open {
  public:
    explicit Open(DeviceMemory &memory) : memory_(memory) { memory_.protect(true); }
    ~Open() { memory_.protect(false); }

  private:
    DeviceMemory &memory_;
  };

private:
  void protect(bool open);
  uint64_t place(size_t pages);

  size_t capacity_, span_;
  char *copyView_ = nullptr;
  uint64_t base_ = 0, cursor_ = 0, highest_ = 0;
  uint32_t count_ = 0;
  std::map<int, size_t> used_;
  std::map<uint64_t, Allocation> allocations_; // by their begin
};

} // namespace sluice::rt::sim
