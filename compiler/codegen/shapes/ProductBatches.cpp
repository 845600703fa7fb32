// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which matrices of two operands a product of batches multiplies, where dims before the last two
// broadcast.
#include "compiler/codegen/shapes/ProductBatches.h"

using namespace mlir;

namespace sluice::codegen {

// Dims are aligned at the last. One that the operand lacks repeats, as does a size of 1: guards
// have made sure that other sizes are those of the result.
static bool moves(ArrayRef<AffineExpr> operand, size_t fromEnd) {
  return fromEnd <= operand.size() && operand[operand.size() - fromEnd] != 1;
}

SmallVector<BatchRun> batchRuns(ArrayRef<AffineExpr> lhs, ArrayRef<AffineExpr> rhs,
                                ArrayRef<AffineExpr> result) {
  SmallVector<BatchRun> runs;
  for (size_t fromEnd = result.size(); fromEnd > 2; --fromEnd) {
    AffineExpr count = result[result.size() - fromEnd];
    bool movesLhs = moves(lhs, fromEnd), movesRhs = moves(rhs, fromEnd);
    if (count == 1)
      continue;
    bool goesOn =
        !runs.empty() && runs.back().movesLhs == movesLhs && runs.back().movesRhs == movesRhs;
    if (goesOn)
      runs.back().count = runs.back().count * count;
    else
      runs.push_back({count, movesLhs, movesRhs});
  }
  return runs;
}

} // namespace sluice::codegen
