// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One region of a branch or loop, or the body of a function, and the one of the mirror that belongs
// to it.
#pragma once

#include "compiler/differentiate/Mirror.h"

#include "mlir/IR/IRMapping.h"

namespace sluice::differentiate {

class RegionMirror {
public:
  // The blocks of both regions, which may move to other ops meanwhile. Of a loop, `countdown` is
  // the argument of `backward` that holds how many iterations are left, the one that is mirrored
  // included.
  RegionMirror(Mirror &mirror, mlir::Block &forward, mlir::Block &backward,
               mlir::Value countdown = {});
  RegionMirror(Mirror &mirror, flow::FuncOp forward, flow::FuncOp backward,
               Mirror::ArgumentOf argumentOf);

  // Finds out what the backward region uses of elsewhere, and what becomes of it.
  void decide();
  // Values to push at the end of the forward region, each to a tape of its own, and tapes of ops
  // within that go on through this region.
  llvm::ArrayRef<mlir::Value> saved() const { return saved_; }
  llvm::ArrayRef<Tape> inner() const { return inner_; }

  // The tapes as they come into both regions: first those of `saved`, then those of `inner`. Gives
  // the tapes as they leave.
  llvm::SmallVector<mlir::Value> push(mlir::ValueRange tapes);
  llvm::SmallVector<mlir::Value> pop(mlir::ValueRange tapes);
  // Of functions: all that is saved, in one list, and its way back.
  mlir::Value pack();
  void unpack(mlir::Value list);
  // After `pop` or `unpack`: replaces all uses of what is elsewhere.
  void bringIn();

private:
  mlir::Operation *forwardOp() const { return forward_.getParentOp(); }
  bool isForward(mlir::Value value) const { return value.getParentBlock() == &forward_; }
  mlir::Value capturedValue(mlir::Value value) const;
  const Counter *counterOf(mlir::Value value) const;
  bool isFree(mlir::Value value);
  void copySegments();
  void askForShapesForward();
  mlir::Value bringFree(mlir::Value value, mlir::OpBuilder &b);
  mlir::Value count(const Counter &counter, mlir::Value value, mlir::OpBuilder &b);

  Mirror &mirror_;
  mlir::Block &forward_, &backward_;
  mlir::Value countdown_;
  Mirror::ArgumentOf argumentOf_; // null outside of functions
  llvm::SmallVector<Counter> counters_;
  llvm::SetVector<mlir::Value> uses_; // by the backward region, of elsewhere
  llvm::SmallVector<mlir::Value> saved_;
  llvm::SmallVector<mlir::Operation *> again_; // ops to be run again
  llvm::SmallVector<Tape> inner_;
  mlir::IRMapping inside_;
  mlir::Operation *first_ = nullptr; // of the backward region, before anything was brought in
};

} // namespace sluice::differentiate
