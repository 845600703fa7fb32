// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces ops by constants, and remembers which values are constants and what gates them.
#pragma once

#include "compiler/optimize/FoldingBudget.h"
#include "compiler/optimize/TokenSimplifier.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace sluice::optimize {

class ConstantFolder {
public:
  ConstantFolder(TokenSimplifier &tokens, FoldingBudget &budget)
      : tokens_(tokens), budget_(budget) {}

  // Expects operands to be visited already. The op may be erased.
  void visit(mlir::Operation *op);
  unsigned numFolded() const { return folded_; }
  unsigned numShapes() const { return shapes_; }

private:
  using Tokens = llvm::SmallSetVector<mlir::Value, 4>;
  struct Known {
    mlir::ElementsAttr value;
    llvm::SmallVector<mlir::Value, 1> gates; // the value is there, and live, when all of these are
    mlir::Value joined;                      // all gates as one token, once it was needed
  };

  void visitGate(flow::GateOp gate);
  bool foldShapeQuestion(mlir::Operation *op);
  bool foldKernel(mlir::Operation *op);
  void dropUnused(mlir::Value value);
  void forget(mlir::ElementsAttr value);
  bool replace(mlir::Operation *op, const std::vector<rt::Tensor> &results, Tokens gates);
  mlir::Value makeConstant(mlir::OpResult result, mlir::ElementsAttr value, const Tokens &gates);
  // Adds a token that is there when the constant is; none if that is always.
  void addGate(Known &known, mlir::Operation *user, Tokens &gates);
  mlir::Value afterOf(mlir::Value value, mlir::Operation *user);
  const rt::Tensor *tensorFor(mlir::ElementsAttr value);

  TokenSimplifier &tokens_;
  FoldingBudget &budget_;
  llvm::DenseMap<mlir::Value, Known> known_;
  llvm::DenseMap<mlir::Value, mlir::Value> afters_;
  llvm::DenseMap<mlir::Attribute, std::unique_ptr<rt::Tensor>> tensors_;
  llvm::DenseSet<mlir::Attribute> made_; // that were no constants of the graph
  unsigned folded_ = 0;
  unsigned shapes_ = 0;
};

} // namespace sluice::optimize
