// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the sci ops of the family "sparse".
#include "dialects/sci/Sci.h"

#define GET_OP_CLASSES
#include "dialects/sci/Sparse.cpp.inc"

using namespace mlir;
using namespace sluice;

LogicalResult sci::SetOperationOp::verify() {
  if (!llvm::is_contained({"intersection", "union", "first_only", "second_only"}, getHow()))
    return emitOpError("expected 'intersection', 'union', 'first_only' or 'second_only' but got '")
           << getHow() << "'"; // C4
  return success();
}

void sluice::sci::registerSparseOps(SciDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/sci/Sparse.cpp.inc"
      >();
}
