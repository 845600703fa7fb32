// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of a loop on a card know of each other: words of 8 bytes in the card's memory.
//
// A number is one word. Of a memref these are the address of its memory and what its type leaves
// open. What is the same in all iterations is written by the host when the loop begins.
#pragma once

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace sluice::codegen {

class LoopWords {
public:
  // The words of the value, which get numbers when they are first asked for.
  llvm::ArrayRef<unsigned> of(mlir::Value value);
  // A word that belongs to no value.
  unsigned add() { return count_++; }
  // `value` is `other`: an argument of a region, say.
  void alias(mlir::Value value, mlir::Value other) { aliases_[value] = other; }
  // What a value is an alias of in the end.
  mlir::Value resolve(mlir::Value value) const;
  unsigned count() const { return count_; }

  // At the builder, where `memory` is the address of the words.
  static mlir::Value address(mlir::ImplicitLocOpBuilder &b, mlir::Value memory, unsigned word);
  static mlir::Value loadWord(mlir::ImplicitLocOpBuilder &b, mlir::Value memory, unsigned word,
                              mlir::Type type);
  static void storeWord(mlir::ImplicitLocOpBuilder &b, mlir::Value memory, unsigned word,
                        mlir::Value number);
  mlir::Value load(mlir::ImplicitLocOpBuilder &b, mlir::Value memory, mlir::Value value);
  // Stores `current` as what `value` is.
  void store(mlir::ImplicitLocOpBuilder &b, mlir::Value memory, mlir::Value value,
             mlir::Value current);

private:
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 1>> words_;
  llvm::DenseMap<mlir::Value, mlir::Value> aliases_;
  unsigned count_ = 0;
};

} // namespace sluice::codegen
