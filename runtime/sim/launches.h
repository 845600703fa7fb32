// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what a call asks for to a launch that can run, once or, in a graph, many times.
#pragma once

#include "runtime/sim/kernel_run.h"
#include "runtime/sim/modules.h"

namespace sluice::rt::sim {

// Checks limits and takes the values of the parameters. `call` is blamed.
cuda::Result makeLaunch(Driver &driver, const char *call, const cuda::KernelNodeParameters &wanted,
                        KernelLaunch &launch);
Work kernelWork(Driver &driver, KernelLaunch launch);

} // namespace sluice::rt::sim
