// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reverse mode over the ops of one block, and over the branches and loops in it.
//
// Ops are visited in the opposite order. Each makes d(ys)/d(operands) of d(ys)/d(results); what
// several ops depend on gets the sum.
#pragma once

#include "compiler/differentiate/Activity.h"
#include "compiler/differentiate/Adjoints.h"
#include "compiler/differentiate/Mirror.h"

namespace sluice::differentiate {

class MirroredFunctions;

class Reverser {
public:
  // Null for `request`: of a function.
  Reverser(Activity &activity, MirroredFunctions &functions, flow::TokenGraph graph,
           flow::GradientOp request, const Choices &choices)
      : activity_(activity), functions_(functions), mirror_(activity, graph, request, choices),
        isOfFunction_(!request) {}

  // `ops` stand in an order in which they could run. Fails, with a diagnostic, at an op that has no
  // derivative.
  mlir::LogicalResult reverse(llvm::ArrayRef<mlir::Operation *> ops, mlir::OpBuilder &b,
                              Adjoints &adjoints);
  Mirror &mirror() { return mirror_; }

private:
  mlir::LogicalResult reverse(mlir::Block &block, mlir::OpBuilder &b, Adjoints &adjoints);
  mlir::LogicalResult reverse(mlir::Operation *op, mlir::OpBuilder &b, Adjoints &adjoints);
  void build(mlir::Operation *op, mlir::OpBuilder &b, Adjoints &adjoints,
             llvm::function_ref<void(Gradient &)> rule);
  mlir::LogicalResult reverseBranch(flow::CondOp branch, mlir::OpBuilder &b, Adjoints &adjoints);
  void reverseSwitch(flow::SwitchOp split, mlir::OpBuilder &b, Adjoints &adjoints);
  void reverseMerge(flow::MergeOp merge, mlir::OpBuilder &b, Adjoints &adjoints);
  mlir::LogicalResult reverseCall(flow::CallOp call, mlir::OpBuilder &b, Adjoints &adjoints);
  mlir::LogicalResult reverseLoop(flow::WhileOp loop, mlir::OpBuilder &b, Adjoints &adjoints);
  mlir::FailureOr<flow::WhileOp> reverseHead(flow::WhileOp loop,
                                             llvm::ArrayRef<mlir::Value> ofResults,
                                             llvm::ArrayRef<unsigned> arguments, mlir::OpBuilder &b,
                                             Adjoints &head);
  mlir::FailureOr<flow::WhileOp> mirrorOf(flow::WhileOp loop, mlir::Value count,
                                          llvm::ArrayRef<unsigned> carried,
                                          llvm::ArrayRef<unsigned> captured, mlir::OpBuilder &b,
                                          Adjoints &head);

  Activity &activity_;
  MirroredFunctions &functions_;
  Mirror mirror_;
  bool isOfFunction_;
};

// A derivative of zeros for a value, or for what a variable holds.
mlir::Value zeroDerivative(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value);

// The ops of a block in the order of the text.
llvm::SmallVector<mlir::Operation *> opsOf(mlir::Block &block);

} // namespace sluice::differentiate
