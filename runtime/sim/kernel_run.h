// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One launch of a kernel: its blocks, one after the other in an order that the seed draws.
#pragma once

#include "runtime/device/cuda/cuda_abi.h"
#include "runtime/sim/device_memory.h"
#include "runtime/sim/shadow.h"
#include "runtime/sim/twin.h"

#include <functional>
#include <string>
#include <vector>

namespace sluice::rt::sim {

struct KernelLaunch {
  const SluiceSimTwin *twin = nullptr;
  const SluiceSimKernel *kernel = nullptr;
  int device = 0;
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  uint32_t dynamicBytes = 0;
  std::vector<std::string> values; // of the parameters, as they were when it was launched
  uint32_t threads() const { return block[0] * block[1] * block[2]; }
};

struct KernelFinding {
  cuda::Result result = cuda::kSuccess;
  std::string message;
};

// Ranges that it touched: visit(begin, end, write), even if something was found.
using VisitTouched = std::function<void(uint64_t, uint64_t, bool)>;

// The first thing that was found.
KernelFinding runKernel(DeviceMemory &memory, const KernelLaunch &launch, uint64_t seed,
                        const VisitTouched &visit);

} // namespace sluice::rt::sim
