// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows with the same key on a card, combined in their order.
#pragma once

#include "compiler/codegen/gpu/CardSort.h"

#include <functional>

namespace sluice::codegen {

// Rows are sorted by a key; who has the first row of a run goes on to its last one. So what comes
// out does not depend on which thread is first.
class SortedRuns {
public:
  // In a kernel: the key of a row, as an index. Those below 0 come first.
  using KeyOf = std::function<mlir::Value(mlir::Value row, mlir::IRMapping &inside)>;
  using Combine = llvm::function_ref<mlir::Value(mlir::Value sum, mlir::Value row)>;

  // `used` are values that `keyOf` looks up.
  SortedRuns(Emitter &emitter, mlir::AffineExpr length, llvm::ArrayRef<mlir::Value> used,
             KeyOf keyOf);

  // What kernels that ask the following use, and how many places there are.
  llvm::ArrayRef<mlir::Value> used() const { return used_; }
  mlir::Value length() const { return length_; }

  mlir::Value keyAt(mlir::Value place, mlir::IRMapping &inside);
  // Whether a run begins at this place, which has that key.
  mlir::Value begins(mlir::Value place, mlir::Value key, mlir::IRMapping &inside);
  // What all rows of the run that begins there come to.
  mlir::Value folded(mlir::Value place, mlir::Value key, mlir::Value start, Combine combine,
                     mlir::IRMapping &inside);

private:
  mlir::Value rowAt(mlir::Value place, mlir::IRMapping &inside);

  mlir::ImplicitLocOpBuilder &b_;
  KeyOf keyOf_;
  mlir::Value sorted_, length_;
  llvm::SmallVector<mlir::Value> used_;
};

} // namespace sluice::codegen
