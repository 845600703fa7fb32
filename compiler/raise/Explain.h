// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stays primitive in a raised module, for people.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace sluice::raise {

struct Primitive {
  std::string what;  // "loop 'while'", "branch", "array"
  std::string where; // the node
  std::string why;
};

struct RaiseOutcome {
  std::string signature;
  unsigned branches = 0, loops = 0; // that have regions
  std::vector<Primitive> primitives;
};

// One for each signature of a module that the passes of raise have been through.
std::vector<RaiseOutcome> raiseOutcomes(mlir::ModuleOp module);

// The same as text: a line for each signature, and one for each branch, loop or array that stays
// what it was.
std::string explainRaise(llvm::ArrayRef<RaiseOutcome> outcomes);

} // namespace sluice::raise
