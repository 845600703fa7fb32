// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes one flow.codelet of a group of ops.
#pragma once

#include "compiler/codegen/shapes/ShapeSymbols.h"
#include "dialects/flow/Flow.h"
#include "dialects/list/List.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace sluice::codegen {

// A list that is made for something inside alone, with as many elements as a constant says, can as
// well be made there; null for all else.
list::MakeOp madeInside(mlir::Value value);

class CodeletBuilder {
public:
  // `members`: compiled ops and plumbing, operands first. With `keepUnused` the codelet also gives
  // what nobody takes, so that it is computed, and may fail.
  CodeletBuilder(llvm::ArrayRef<mlir::Operation *> members, unsigned maxConstantBytes,
                 bool keepUnused);

  // Whether nobody needs what the members compute.
  bool isUnused() const { return results_.empty(); }
  // A codelet costs a little by itself; whether that is worth while.
  bool isWorthwhile() const;
  // Replaces the members, but for plumbing that others use.
  flow::CodeletOp build();
  // The same without a codelet.
  void eraseMembers();

  unsigned numOps() const { return static_cast<unsigned>(compiled_.size()); }

private:
  void findLeaving(bool keepUnused);
  void resolve(mlir::Value value);
  void resolveToken(mlir::Value token);
  mlir::Value originOf(mlir::Value value);
  llvm::SmallVector<mlir::Value> makeInputs(mlir::OpBuilder &builder);
  llvm::SmallVector<ClassedDim> sameDimsOfInputs() const;
  void makeBody(mlir::Block &body, mlir::Location location);
  void replaceMembers(flow::CodeletOp codelet);
  bool isElementFunction() const;
  bool isCopied(mlir::Value value) const;
  bool isGone(mlir::Operation *op) const {
    return compiled_.contains(op) || vanishing_.contains(op);
  }

  const unsigned maxConstantBytes_;
  llvm::SetVector<mlir::Operation *> compiled_;
  llvm::DenseSet<mlir::Operation *> plumbing_;
  llvm::DenseSet<mlir::Operation *> vanishing_; // plumbing that nobody outside uses
  llvm::SmallVector<mlir::Value> results_;
  llvm::SetVector<mlir::Value> inputs_;
  llvm::SetVector<mlir::Value> constants_; // to be copied
  // What is waited for without being used: tokens from outside, and values.
  llvm::SetVector<mlir::Value> awaited_;
  llvm::DenseSet<mlir::Value> resolved_;             // tokens, and what they come after
  llvm::DenseMap<mlir::Value, mlir::Value> origins_; // of operands
};

} // namespace sluice::codegen
