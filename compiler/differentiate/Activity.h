// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a graph derivatives pass through.
//
// A value is *active* if it depends on one of the xs, some y depends on it, and both by ops that
// have derivatives. Only active values get one.
#pragma once

#include "compiler/differentiate/CallDependence.h"

#include "llvm/ADT/DenseSet.h"

namespace sluice::differentiate {

// The variable that a reference or handle stands for; empty when it cannot be told.
llvm::StringRef variableOf(mlir::Value handle);
// Where a handle comes from that branches and loops hand on.
mlir::Value sourceOf(mlir::Value handle);
// Whether the op's first result is the variable itself, not what another op hands on.
bool isHandleOf(mlir::Operation *op, llvm::StringRef variable);

// Whether there can be a derivative with respect to a value of this type, and of which type it is:
// a tensor of floats or complex numbers, a list of such, or what a variable holds. Null if not.
mlir::Type derivativeType(mlir::Type type);

class Activity {
public:
  Activity(flow::GradientOp request, CallDependence &calls);
  // Of the body of a function by some of its arguments; nothing is active before a demand.
  Activity(flow::FuncOp function, const Bits &arguments, CallDependence &calls);
  void demand(const Bits &results);
  Bits variedResults();
  Bits activeArguments();

  bool isActive(mlir::Value value) const { return active_.contains(value); }
  // What it depends on gets nothing of its derivative, which somebody may ask for all the same.
  bool isStop(mlir::Value value) const { return stops_.contains(value); }
  // `to` is a copy of `from`.
  void copy(mlir::Value from, mlir::Value to) {
    if (active_.contains(from))
      active_.insert(to);
  }
  // Of an op that goes, with all within: others may come to lie where they were.
  void forget(mlir::Operation *op);
  // The results of an op that takes the place of another one are what that one's were.
  void replace(mlir::ValueRange from, mlir::ValueRange to);

private:
  void vary(mlir::Value value);
  void spread(mlir::OpOperand &use);
  void spreadThrough(flow::CallOp call);
  void varyAll();
  void need(mlir::Value value);
  void trace(mlir::Value value);
  void traceThrough(flow::CallOp call);
  void traceAll();
  Bits variedArguments(flow::CallOp call) const;

  flow::TokenGraph graph_;
  CallDependence &calls_;
  llvm::DenseSet<mlir::Value> varied_, active_, stops_;
  llvm::SmallVector<mlir::Value> open_;
  bool reachesContainers_ = false;
};

} // namespace sluice::differentiate
