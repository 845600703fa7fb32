// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a thread of a kernel of PTX.
#include "runtime/sim/ptx_thread.h"
#include "runtime/sim/ptx_twin.h"

#include <cstdlib>

namespace sluice::rt::sim {

PtxStatistics &ptxStatistics() {
  static PtxStatistics *one = new PtxStatistics();
  return *one;
}

// Slots and own memory of all threads of a block, kept for the next ones. A thread that has failed
// never comes back to free its own.
namespace {
struct Frames {
  char *memory = nullptr;
  size_t bytes = 0;
};
} // namespace

static Frames frames; // kernels run one at a time

static constexpr size_t kFrameUnit = 64;

static size_t rounded(size_t bytes) { return (bytes + kFrameUnit - 1) / kFrameUnit * kFrameUnit; }

// That of one thread. It grows with the first thread of a launch, before others have theirs.
static char *frameOf(uint32_t thread, uint32_t threads, size_t bytes) {
  if (frames.bytes < bytes * threads) {
    free(frames.memory);
    frames.bytes = bytes * threads;
    frames.memory = static_cast<char *>(aligned_alloc(kFrameUnit, frames.bytes));
    if (!frames.memory)
      abort();
  }
  return frames.memory + thread * bytes;
}

static uint64_t valueOf(PtxSpecial what, const Block &block, const PtxTwin &twin) {
  auto at = [](PtxSpecial one, PtxSpecial first) { return size_t(one) - size_t(first); };
  uint32_t lane = block.lane();
  switch (what) {
  case PtxSpecial::kThreadX:
  case PtxSpecial::kThreadY:
  case PtxSpecial::kThreadZ:
    return block.thread().index[at(what, PtxSpecial::kThreadX)];
  case PtxSpecial::kBlockSizeX:
  case PtxSpecial::kBlockSizeY:
  case PtxSpecial::kBlockSizeZ:
    return block.launch().block[at(what, PtxSpecial::kBlockSizeX)];
  case PtxSpecial::kBlockX:
  case PtxSpecial::kBlockY:
  case PtxSpecial::kBlockZ:
    return block.blockIndex()[at(what, PtxSpecial::kBlockX)];
  case PtxSpecial::kGridSizeX:
  case PtxSpecial::kGridSizeY:
  case PtxSpecial::kGridSizeZ:
    return block.launch().grid[at(what, PtxSpecial::kGridSizeX)];
  case PtxSpecial::kLane:
    return lane;
  case PtxSpecial::kWarp:
    return block.warp();
  case PtxSpecial::kWarpSize:
    return kWarpThreads;
  case PtxSpecial::kLaneMaskEqual:
    return 1u << lane;
  case PtxSpecial::kLaneMaskLess:
    return (1u << lane) - 1;
  case PtxSpecial::kLaneMaskLessOrEqual:
    return uint32_t((uint64_t(2) << lane) - 1);
  case PtxSpecial::kLaneMaskGreater:
    return uint32_t(~((uint64_t(2) << lane) - 1));
  case PtxSpecial::kLaneMaskGreaterOrEqual:
    return ~((1u << lane) - 1);
  case PtxSpecial::kDynamicShared:
    return reinterpret_cast<uint64_t>(twin.dynamicBegin) -
           reinterpret_cast<uint64_t>(twin.sharedWindow);
  }
  return 0;
}

static void fillSlots(uint64_t *slots, const PtxTwin &twin, const Block &block, void **parameters) {
  const PtxKernel &kernel = twin.kernel;
  memcpy(slots, kernel.initial.data(), kernel.initial.size() * sizeof *slots);
  for (size_t i = 0; i < kernel.parameterSlots.size(); ++i)
    memcpy(&slots[kernel.parameterSlots[i]], parameters[i], kernel.parameterBytes[i]);
  for (const PtxSpecialSlot &special : kernel.specials)
    slots[special.slot] = valueOf(special.what, block, twin);
}

void runPtxThread(void **parameters) {
  Block &block = runningBlock();
  auto &twin = static_cast<const PtxTwin &>(*block.launch().twin);
  const PtxKernel &kernel = twin.kernel;
  size_t slotBytes = rounded(kernel.initial.size() * 8),
         bytes = slotBytes + rounded(kernel.localBytes);
  uint32_t number = block.warp() * kWarpThreads + block.lane();
  char *frame = frameOf(number, block.launch().threads(), bytes);
  auto *slots = reinterpret_cast<uint64_t *>(frame);
  fillSlots(slots, twin, block, parameters);
  memset(frame + slotBytes, 0xFF, kernel.localBytes); // as fresh memory
  auto base = reinterpret_cast<uint64_t>(twin.sharedWindow);
  PtxThread thread = {kernel, block, slots, frame + slotBytes, base, base + twin.entry.sharedBytes};
  uint64_t count = 0;
  for (const PtxOperation *next = kernel.code.data(); next; ++count)
    next = next->run(thread, next);
  ptxStatistics().instructions += count;
}

} // namespace sluice::rt::sim
