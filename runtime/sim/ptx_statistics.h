// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of a process was interpreted: who says that PTX ran can show it.
#pragma once

#include <cstdint>

namespace sluice::rt::sim {

struct PtxStatistics {
  uint64_t modules = 0, launches = 0, instructions = 0;
  uint64_t conditions = 0; // of graphs, as often as kernels set them
};
PtxStatistics &ptxStatistics();

} // namespace sluice::rt::sim
