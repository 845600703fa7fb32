// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that several nd ops share.
#pragma once

#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

namespace sluice::nd {

// "expected …" error unless all values have one element type.
inline mlir::LogicalResult verifySameElementType(mlir::Operation *op, mlir::ValueRange values,
                                                 mlir::ValueRange more = {}) {
  mlir::Type expected;
  for (mlir::ValueRange range : {values, more})
    for (mlir::Value value : range) {
      mlir::Type type = mlir::getElementTypeOrSelf(value.getType());
      if (!expected)
        expected = type;
      else if (type != expected)
        return op->emitOpError("expected one element type but got ") << expected << " and " << type;
    }
  return mlir::success();
}

// "expected …" error unless points are updated in a way that there is.
inline mlir::LogicalResult verifyHowToUpdate(mlir::Operation *op, llvm::StringRef how) {
  if (llvm::is_contained({"update", "add", "sub", "max", "min"}, how))
    return mlir::success();
  return op->emitOpError(
             "expected 'how' to be one of 'update', 'add', 'sub', 'max', 'min' but got '")
         << how << "'";
}

} // namespace sluice::nd
