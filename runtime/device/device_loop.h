// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that a device runs by itself.
#pragma once

#include "runtime/device/kernel_image.h"

#include <vector>

namespace sluice::rt {

struct LoopStep {
  enum class Kind : uint8_t { kLaunch, kBranch, kLoop };
  Kind kind = Kind::kLaunch;
  KernelLaunch launch; // of a launch; its parameters are read before the call returns
  // Of a branch: the device's address of a word that is 1 if it is taken. Of a loop: of one that is
  // 1 as long as it goes on.
  const void *taken = nullptr;
  bool isElse = false;         // of a branch: it is taken where the one before it is not
  std::vector<LoopStep> steps; // in it
};

// Steps that are done again and again while the word at `live`, of the device's memory, is 1.
struct LoopPlan {
  const void *live = nullptr;
  // A kernel that takes the address of a word and the handle of a condition.
  DeviceKernel setCondition;
  std::vector<LoopStep> steps;
};

// Of the device that made it.
struct DeviceLoop {
  void *handle = nullptr;
};

} // namespace sluice::rt
