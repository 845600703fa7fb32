// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads compute, of all that share processors.
#pragma once

#include <atomic>
#include <cstdint>

namespace sluice::rt {

// Plain data, so that several runtimes in one process can share one.
struct ProcessorCount {
  std::atomic<int32_t> computing{0};
  std::atomic<int32_t> waiting{0}; // workers that found too many of them
  int32_t most = 0;                // from which on workers wait; 0: never
};

// Counts the calling thread; if there are too many, once one of those has left.
void awaitProcessor(ProcessorCount &count);
// It computes no longer.
void leaveProcessor(ProcessorCount &count);

} // namespace sluice::rt
