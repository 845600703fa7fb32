// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who may write a variable, and who waits for that.
#pragma once

#include "dialects/flow/FrameAnalysis.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"

namespace sluice::codegen {

// A reference or handle: the variable itself.
bool namesVariable(mlir::Value value);

class VariableWrites {
public:
  // Nothing where references come from ops that are not known to name one variable, or frames
  // disagree.
  static std::optional<VariableWrites> of(flow::TokenGraph graph);

  // Ops, in regions as well, that may write what `variable` names.
  llvm::ArrayRef<mlir::Operation *> of(mlir::Value variable) const {
    return find(writes_, variable);
  }
  // Whether it has a value of the type at any time: one of its own when the process starts.
  bool surelyHolds(mlir::Value variable, mlir::Type type) const;
  // Whether another loop may run until the variable is written.
  bool isAwaited(mlir::Value variable, flow::WhileOp loop);

  // Fires once a call.
  bool isInRoot(mlir::Operation *op) const;
  // What takes tokens to other devices or comes from there, and what may wait on ways of its own.
  llvm::ArrayRef<mlir::Operation *> crossings() const { return crossings_; }
  // Of a loop that is there no longer, and its reads, which have moved to where `isInRoot`.
  void forget(mlir::Operation *loop, const llvm::SmallPtrSetImpl<mlir::Operation *> &reads);

private:
  explicit VariableWrites(flow::FrameAnalysis frames) : frames_(std::move(frames)) {}
  using Accesses = llvm::DenseMap<void *, llvm::SmallVector<mlir::Operation *>>; // by class
  bool visit(mlir::Operation *op);
  void visitEffect(mlir::Operation *op);
  void join(mlir::Value a, mlir::Value b);
  void join(mlir::ValueRange a, mlir::ValueRange b);
  llvm::SmallVector<mlir::Operation *> findAwaiting(llvm::ArrayRef<mlir::Operation *> reads) const;
  llvm::ArrayRef<mlir::Operation *> find(const Accesses &accesses, mlir::Value variable) const;

  flow::FrameAnalysis frames_;
  llvm::EquivalenceClasses<void *> classes_;
  llvm::StringMap<mlir::Value> bySymbol_;
  llvm::DenseMap<mlir::StringAttr, mlir::Type> initialized_;
  std::vector<std::pair<mlir::Value, mlir::Operation *>> accesses_;
  Accesses reads_, writes_;
  Accesses awaiting_; // found when it is asked for
  llvm::SmallVector<mlir::Operation *> crossings_;
};

} // namespace sluice::codegen
