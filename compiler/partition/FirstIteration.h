// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are not there in every iteration of their frame. A recv waits in every iteration, so
// these cannot cross.
#pragma once

#include "dialects/flow/Flow.h"

#include "llvm/ADT/DenseSet.h"

namespace sluice::partition {

class FirstIteration {
public:
  explicit FirstIteration(flow::GraphOp graph);

  // Waits for what an enter brings once: the op's results are there in iteration 0 only.
  bool isOnlyThere(mlir::Operation *op) const { return only_.contains(op); }

private:
  llvm::DenseSet<mlir::Operation *> only_;
};

} // namespace sluice::partition
