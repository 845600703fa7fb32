// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that somebody waits for, and that would be held back in a codelet.
//
// A codelet gives all of its results at its end. Where another rank, or a worker with a long
// product, waits for one of them, and much of the codelet's work is not for that one, the codelet
// is split: what leads to the value is one part, and gives it as soon as it is there.
#pragma once

#include "dialects/flow/Flow.h"

namespace sluice::codegen {

// Whether an op is a matrix product that is worth a worker by itself; sizes that are not known
// count as 64.
bool isLongProduct(mlir::Operation *op);

class EarlyValues {
public:
  // `ops`: of all ranks of a signature, of each rank operands first.
  explicit EarlyValues(llvm::ArrayRef<mlir::Operation *> ops);

  // A number for each member of a group, in the order of members, which is operands first. Those
  // with different numbers belong in different codelets; along every dependence between parts,
  // the set of values that wait shrinks, so parts never wait for each other in a circle. Linear in
  // the size of the group; of more than 64 values that are waited for, the first 64 count.
  llvm::SmallVector<uint64_t> partsOf(llvm::ArrayRef<mlir::Operation *> group) const;

private:
  bool isAwaited(mlir::Operation *op, const llvm::DenseSet<mlir::Operation *> &group) const;

  // A send or a long product comes behind them.
  llvm::DenseSet<mlir::Operation *> leading_;
};

} // namespace sluice::codegen
