// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What to save of a region, and what to compute again: a minimum cut.
//
// The mirror needs some values of the region. It can have each by saving it, or by computing it
// again from others, which it then needs. Between what can only be saved and what is needed, the
// values that are saved cut all ways; of all cuts the one with the fewest bytes is taken, and of
// equal ones the one that computes least again.
#pragma once

#include "compiler/differentiate/Choices.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace sluice::differentiate {

class SavePlan {
public:
  using IsFree = llvm::function_ref<bool(mlir::Value)>;
  // `isFree` says which values of the block the mirror knows anyway.
  SavePlan(mlir::Block &block, llvm::ArrayRef<mlir::Value> needed, Memory memory, IsFree isFree);

  llvm::ArrayRef<mlir::Value> saved() const { return saved_; }
  // Ops of the block to be run again, in their order.
  llvm::ArrayRef<mlir::Operation *> again() const { return again_; }

private:
  void addCandidates(llvm::ArrayRef<mlir::Value> needed, Memory memory, IsFree isFree);
  void cut(llvm::ArrayRef<mlir::Value> needed);
  void collectAgain(llvm::ArrayRef<mlir::Value> needed, IsFree isFree);

  mlir::Block &block_;
  llvm::SetVector<mlir::Value> values_; // needed, or operands of what may be computed again
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> madeOf_; // what is not free
  llvm::DenseSet<mlir::Value> fixed_;                                  // can only be saved
  llvm::SmallVector<mlir::Value> saved_;
  llvm::SmallVector<mlir::Operation *> again_;
};

// Of a value of this type; dims that are not known are taken for 64, and lists for very large.
int64_t estimatedBytes(mlir::Type type);

} // namespace sluice::differentiate
