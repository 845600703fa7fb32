// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the mirror of a branch or loop needs of it.
//
// Derivatives are built as if all values of the forward regions were in sight. Connecting brings them
// there. A constant is copied, a capture captured, a counter and what follows from such values at no
// cost is computed again. All else is *saved*: pushed to a list of its own where it is computed, and
// popped in the mirror, which runs in the opposite order. Such a list is a *tape*. It begins empty in
// front of the branch or loop and goes through it; if that is itself in a loop, connecting the outer
// one puts the tape through the outer one instead, so that there is one tape however deep the nesting
// is, and never a list of lists.
#pragma once

#include "compiler/differentiate/Activity.h"

#include "dialects/list/List.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace sluice::differentiate {

struct Tape {
  list::MakeOp opening; // in the block of the branch or loop
  mlir::Value saved;    // what the branch or loop makes of it
  mlir::Value left;     // what the mirror leaves of that
};

class Mirror {
public:
  explicit Mirror(Activity &activity) : activity_(activity) {}

  // Brings into the regions of `mirror` what they use of others. Both ops may become other ones.
  void connect(flow::WhileOp &loop, flow::WhileOp &mirror);
  void connect(flow::CondOp &branch, flow::CondOp &mirror);

  // The loop with more values, and all that is noted of it brought up to date.
  flow::WhileOp carryMore(flow::WhileOp loop, mlir::ValueRange values);
  flow::WhileOp forwardMore(flow::WhileOp loop, mlir::ValueRange values);

  unsigned numSaved() const { return numSaved_; }

private:
  friend class RegionMirror;
  flow::CondOp carryMore(flow::CondOp branch, mlir::ValueRange values);
  void replace(llvm::ArrayRef<mlir::Value> from, mlir::ValueRange to);

  Activity &activity_;
  llvm::DenseMap<mlir::Value, Tape> tapes_; // by what is saved
  unsigned numSaved_ = 0;
};

// The variables of a loop that grow by the same in each iteration: i32 scalars which are forwarded as
// they are.
struct Counter {
  unsigned forwarded; // position among the results
  int32_t start, step;
};
llvm::SmallVector<Counter> countersOf(flow::WhileOp loop);

} // namespace sluice::differentiate
