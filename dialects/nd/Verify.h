// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that several nd ops share.
#pragma once

#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeUtilities.h"

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

} // namespace sluice::nd
