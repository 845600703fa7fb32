// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a phase made: its ops, counted, and its text with the nodes that lines belong to.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>
#include <vector>

namespace sluice::report {

struct PhaseSnapshot {
  std::string name, summary;
  std::map<std::string, size_t> ops; // by op
  // The text without locations and without large constants; its last lines are left out when it is
  // long.
  std::vector<std::string> lines;
  std::vector<std::string> nodes; // of each line; empty for lines of none
  size_t allLines = 0;
  double milliseconds = 0;
};

PhaseSnapshot snapshotOf(mlir::ModuleOp module);

} // namespace sluice::report
