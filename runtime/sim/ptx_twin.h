// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module of PTX that is interpreted. To the rest of the simulator each of its kernels is a twin
// of its own, with the shared variables that the kernel uses.
#pragma once

#include "runtime/sim/ptx_program.h"
#include "runtime/sim/ptx_statistics.h"
#include "runtime/sim/twin.h"

#include <memory>

namespace sluice::rt::sim {

struct PtxTwin : SluiceSimTwin {
  SluiceSimKernel entry = {};
  std::string name;
  PtxKernel kernel;
  std::vector<std::string> names; // of variables
  std::vector<SluiceSimVariable> sharedVariables;
  void *dynamicBegin = nullptr;
  char *sharedWindow = nullptr;
};

struct PtxModule {
  ~PtxModule();
  PtxText text;
  std::vector<std::unique_ptr<PtxTwin>> kernels;
  std::vector<SluiceSimVariable> globals;
  std::vector<void *> allocated; // of windows and globals
};

// Null, with the line and what is wrong.
std::unique_ptr<PtxModule> loadPtx(std::string_view image, uint64_t hash, std::string &problem);

// One thread of the launch's kernel, from its first operation to its last.
void runPtxThread(void **parameters);

} // namespace sluice::rt::sim
