// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who may write a variable, and when, as seen from a loop that reads it.
#pragma once

#include "dialects/flow/FrameAnalysis.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"

namespace sluice::codegen {

// A reference or handle: the variable itself.
bool namesVariable(mlir::Value value);

// When a write outside of a loop happens.
enum class WriteOrder {
  kBefore, // the loop waits for it
  kAfter,  // it waits for a result of the loop
  kRacing, // neither, and it may well wait for what comes before the loop
  kLoose,  // in another frame or region, or it may be awaited by the loop in a roundabout way
};

class VariableWrites {
public:
  // Nothing where references come from ops that are not known to name one variable, or frames
  // disagree.
  static std::optional<VariableWrites> of(flow::GraphOp graph);

  // Ops, in regions as well, that may write what `variable` names.
  llvm::ArrayRef<mlir::Operation *> of(mlir::Value variable) const {
    return find(writes_, variable);
  }
  // Whether another loop may run until the variable is written.
  bool isAwaited(mlir::Value variable, flow::WhileOp loop) const;
  WriteOrder orderOf(mlir::Operation *write, flow::WhileOp loop) const;

  // Fires once a call.
  bool isInRoot(mlir::Operation *op) const;
  // Of reads that are there no longer, or have moved to where `isInRoot`.
  void forget(const llvm::SmallPtrSetImpl<mlir::Operation *> &reads);

private:
  explicit VariableWrites(flow::FrameAnalysis frames) : frames_(std::move(frames)) {}
  using Accesses = llvm::DenseMap<void *, llvm::SmallVector<mlir::Operation *>>; // by class
  bool visit(mlir::Operation *op);
  void visitEffect(mlir::Operation *op);
  void join(mlir::Value a, mlir::Value b);
  void join(mlir::ValueRange a, mlir::ValueRange b);
  llvm::ArrayRef<mlir::Operation *> find(const Accesses &accesses, mlir::Value variable) const;

  flow::FrameAnalysis frames_;
  llvm::EquivalenceClasses<void *> classes_;
  llvm::StringMap<mlir::Value> bySymbol_;
  std::vector<std::pair<mlir::Value, mlir::Operation *>> accesses_;
  Accesses reads_, writes_;
};

} // namespace sluice::codegen
