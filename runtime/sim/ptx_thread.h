// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that runs operations of PTX: its slots, and how it gets at memory.
#pragma once

#include "runtime/sim/block.h"
#include "runtime/sim/ptx_program.h"

#include <cstring>

namespace sluice::rt::sim {

struct PtxThread {
  const PtxKernel &kernel;
  Block &block;
  uint64_t *slots;
  char *local;
  uint64_t sharedBase, sharedEnd; // the window of shared memory

  template <typename T> T get(uint32_t slot) const {
    T value;
    memcpy(&value, &slots[slot], sizeof value);
    return value;
  }
  template <typename T> void set(uint32_t slot, T value) {
    uint64_t word = 0;
    memcpy(&word, &value, sizeof value);
    slots[slot] = word;
  }

  // Where the bytes are that an access means, after all checks. PTX asks for the alignment of the
  // whole access, vectors included.
  template <PtxSpace space> char *place(uint64_t address, size_t bytes, AccessKind kind) {
    if constexpr (space == PtxSpace::kLocal)
      return ownPlace(address, bytes);
    if constexpr (space == PtxSpace::kShared)
      address += sharedBase;
    else if (isOwn(address)) {
      if constexpr (space == PtxSpace::kGeneric)
        return ownPlace(address - reinterpret_cast<uint64_t>(local), bytes);
      refuseSpace(address);
    } else if (space == PtxSpace::kGlobal && address >= sharedBase && address < sharedEnd)
      refuseSpace(address);
    block.access(address, bytes, bytes, kind);
    return reinterpret_cast<char *>(address);
  }

private:
  bool isOwn(uint64_t address) const {
    return address - reinterpret_cast<uint64_t>(local) < kernel.localBytes;
  }
  char *ownPlace(uint64_t offset, size_t bytes);
  [[noreturn]] void refuseSpace(uint64_t address);
};

} // namespace sluice::rt::sim
