// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the temporary memory of each value of a codelet is looked at.
//
// Time is the order in which the ops of the codelet's own block are emitted; what is inside of a
// branch or loop happens at the time of the outermost op around it. Views keep the memory of what
// they look at; a loop or branch shares all that goes in, around and out.
#pragma once

#include "compiler/codegen/plan/FusionPlan.h"

namespace sluice::codegen {

class SlotLifetimes {
public:
  static constexpr size_t kAlways = ~size_t(0);

  SlotLifetimes(flow::CodeletOp codelet, const FusionPlan &fusion);

  // When the op, or the one around it, runs. Members of a group run with the last of them.
  size_t timeOf(mlir::Operation *op) const;
  // When the memory of the value is looked at for the last time; kAlways for what is yielded.
  size_t lastUse(mlir::Value value) const;

private:
  void addOp(mlir::Operation *op);
  void join(mlir::Value a, mlir::Value b);
  void extend(mlir::Value value, size_t time);
  mlir::Value leaderOf(mlir::Value value) const;

  mlir::Block *block_;
  llvm::DenseMap<mlir::Operation *, size_t> times_; // of the codelet's own block
  llvm::DenseMap<mlir::Value, mlir::Value> joined_; // towards the leader
  llvm::DenseMap<mlir::Value, size_t> last_;        // of leaders
};

} // namespace sluice::codegen
