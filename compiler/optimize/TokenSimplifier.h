// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Removes waits for tokens that are always there, and assertions of what is so.
//
// The tokens of flow.start arrive live at the start of a call, in the root frame, as do those after
// constants and feeds. An op that waits for one belongs to the root frame; if all else that it
// waits for are constants it fires at the start of a call without the token, too.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/state/State.h"

namespace sluice::optimize {

class TokenSimplifier {
public:
  explicit TokenSimplifier(flow::TokenGraph graph) : graph_(graph) {}

  // Expects operands to be simplified already. Returns whether the op has been replaced and erased.
  bool simplify(mlir::Operation *op);
  // An assertion of a region, whose ops all run or none does.
  void simplifyInRegion(state::AssertOp assertion);
  // What joins tokens in a region need not wait for those that are there anyway.
  void dropStartsInRegion(mlir::Operation *join);
  // A token that is always there.
  mlir::Value start();
  unsigned numRemoved() const { return removed_; }

private:
  bool replace(mlir::Operation *op, mlir::Value by);
  bool dropAssertion(state::AssertOp assertion); // one that holds
  void dropStarts(mlir::Operation *op, unsigned keep);
  void standInFor(state::AssertOp assertion);

  flow::TokenGraph graph_;
  mlir::Value start_;
  unsigned removed_ = 0;
};

// Whether some user takes what arrives, so that it matters when the value arrives although the
// value is a constant.
bool mustArrive(mlir::Value value);

} // namespace sluice::optimize
