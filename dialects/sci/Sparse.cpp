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

LogicalResult sci::SparseCrossOp::verify() {
  if (!llvm::is_contained({"join", "seeded", "plain", "keyed"}, getHow()))
    return emitOpError("expected 'join', 'seeded', 'plain' or 'keyed' but got '")
           << getHow() << "'"; // C4
  auto sparse = static_cast<int64_t>(getSparse());
  auto columns = static_cast<int64_t>(getColumns().size());
  if (columns == 0 || sparse < 0 || sparse > columns / 3)
    return emitOpError("expected columns, of which ")
           << sparse << " are sparse with 3 operands each, but got " << columns
           << " operands"; // C5
  auto isInt64 = [](Value value) {
    return cast<TensorType>(value.getType()).getElementType().isSignlessInteger(64);
  };
  if (isInt64(getValues()) == (getHow() == "join"))
    return emitOpError("expected ") << (getHow() == "join" ? "strings" : "i64")
                                    << " as values for '" << getHow() << "'"; // C6
  for (int64_t i = 0; i < 3 * sparse; ++i)
    if (i % 3 != 1 && !isInt64(getColumns()[static_cast<size_t>(i)]))
      return emitOpError("expected i64 as indices and dims of sparse columns but got ")
             << getColumns()[static_cast<size_t>(i)].getType(); // C7
  return success();
}

void sluice::sci::registerSparseOps(SciDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/sci/Sparse.cpp.inc"
      >();
}
