// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules that programs have loaded: an image and its twin, or what interprets it.
#pragma once

#include "runtime/sim/driver.h"
#include "runtime/sim/image.h"
#include "runtime/sim/ptx_twin.h"
#include "runtime/sim/twin.h"

#include <deque>

struct sluice::rt::cuda::FunctionObject {
  Module module = nullptr;
  const SluiceSimTwin *twin = nullptr;
  const SluiceSimKernel *kernel = nullptr;
  size_t mostDynamicBytes = size_t(48) << 10; // until the program asks for more
};

struct sluice::rt::cuda::ModuleObject {
  int device = 0;
  std::deque<FunctionObject> functions;
};

namespace sluice::rt::sim {

// Registered, or in a file of the folder. Null if there is none.
const SluiceSimTwin *findTwin(uint64_t imageHash, const std::string &folder);

} // namespace sluice::rt::sim
