// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices that a module declares, and the device that each op is given.
#pragma once

#include "compiler/place/Groups.h"

#include "compiler/import/DeviceName.h"

namespace sluice::place {

// What there is to place, and where.
struct Problem {
  std::vector<import::DeviceName> devices; // by rank
  Groups groups;
  std::vector<unsigned> cards; // of each device, where it says how many
};
// Nothing for a module that declares no devices. With `localDevices` that many CPU devices of this
// machine are declared first. Failure, after an error, when the list or a graph is wrong.
mlir::FailureOr<std::optional<Problem>> readProblem(mlir::ModuleOp module, unsigned localDevices);

// Puts `wire.device` on every member, by its rank, and removes what the nodes asked for from all
// ops. Returns how many different devices there are.
unsigned writeDevices(mlir::ModuleOp module, const Groups &groups, llvm::ArrayRef<unsigned> ranks);

} // namespace sluice::place
