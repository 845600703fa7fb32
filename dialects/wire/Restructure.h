// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops with more or fewer values.
//
// Results of an op cannot be changed, so the ops here may be other ones than those that were given.
// What is noted of inits, captures and results (Steering.h) goes along.
#pragma once

#include "dialects/flow/Flow.h"

#include "llvm/ADT/BitVector.h"

namespace sluice::wire {

// The same branch or loop with more values: they come in as these, are carried round in a loop, and
// go out behind the other results. The regions' ends still have to give them.
flow::WhileOp carryMore(flow::WhileOp loop, mlir::ValueRange values);
flow::CondOp carryMore(flow::CondOp branch, mlir::ValueRange values);

// The same loop whose condition forwards more values of `before`, to the body and as results.
flow::WhileOp forwardMore(flow::WhileOp loop, mlir::ValueRange values);

// A value that is brought into the regions; gives the argument that it is in one of them.
mlir::Value captureIn(mlir::Operation *structured, mlir::Region &region, mlir::Value value);
// Several at once, so that what is noted of captures is copied once.
llvm::SmallVector<mlir::Value> captureIn(mlir::Operation *structured, mlir::Region &region,
                                         mlir::ValueRange values);

// Which inits, captures and results of a branch or loop stay. A branch has no inits; in a loop a
// result goes with what the condition forwards to the body.
struct Kept {
  explicit Kept(mlir::Operation *structured, bool all = true);
  bool isAll() const { return inits.all() && captures.all() && results.all(); }
  llvm::BitVector inits, captures, results;
};
// Without the others, whose uses are dropped, if there are any. Where several ops lose values that go
// from one to the other, find out about all before the first is changed.
mlir::Operation *keepOnly(mlir::Operation *structured, const Kept &kept);

} // namespace sluice::wire
