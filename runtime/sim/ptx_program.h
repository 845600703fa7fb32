// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of PTX, decoded: a row of operations, each with the function that does it.
//
// All that an operation reads or writes is in *slots* of 64 bits, of which each thread has its own:
// registers, numbers of the text, addresses of variables, parameters, and where the thread is. So
// operands are all of one kind. A value has the low bytes of its slot, and the others are zero.
#pragma once

#include "runtime/sim/ptx_text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::rt::sim {

struct PtxThread;
struct PtxOperation;

// Returns the operation that comes next; null where the thread ends.
using PtxHandler = const PtxOperation *(*)(PtxThread &, const PtxOperation *);

struct PtxOperation {
  PtxHandler run = nullptr;
  uint32_t d = 0, a = 0, b = 0, c = 0; // slots; what else is said where they are decoded
  int64_t offset = 0;                  // of addresses; of branches, in operations from here
  uint64_t mask = ~uint64_t(0);        // of the bits that the register `d` has
  uint32_t first = 0, count = 0;       // more slots: some of PtxKernel::lists
};

// What a slot holds that differs from thread to thread, or from launch to launch.
enum class PtxSpecial : uint8_t {
  kThreadX,
  kThreadY,
  kThreadZ,
  kBlockSizeX,
  kBlockSizeY,
  kBlockSizeZ,
  kBlockX,
  kBlockY,
  kBlockZ,
  kGridSizeX,
  kGridSizeY,
  kGridSizeZ,
  kLane,
  kWarp,
  kWarpSize,
  kLaneMaskEqual,
  kLaneMaskLess,
  kLaneMaskLessOrEqual,
  kLaneMaskGreater,
  kLaneMaskGreaterOrEqual,
  kDynamicShared, // where it begins
};

struct PtxSpecialSlot {
  uint32_t slot;
  PtxSpecial what;
};

// A variable of its own memory that each thread has, by where it is in there.
struct PtxLocal {
  std::string name;
  uint64_t offset = 0, bytes = 0;
};

struct PtxKernel {
  std::vector<PtxOperation> code;
  std::vector<uint32_t> lines;   // of the text, for each operation
  std::vector<uint32_t> lists;   // slots
  std::vector<uint64_t> initial; // what slots begin with
  std::vector<PtxSpecialSlot> specials;
  std::vector<uint32_t> parameterBytes, parameterSlots; // the first slot of each
  std::vector<PtxLocal> locals;
  uint64_t localBytes = 0;
};

} // namespace sluice::rt::sim
