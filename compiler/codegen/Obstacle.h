// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What keeps a branch or loop from becoming code.
#pragma once

#include "mlir/IR/Operation.h"

#include <string>

namespace sluice::codegen {

struct Obstacle {
  mlir::Operation *op; // the one inside that does, or the branch or loop itself
  std::string reason;  // "cannot be compiled"
  bool isCard = false; // it runs, but on a card
};

} // namespace sluice::codegen
