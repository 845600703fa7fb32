// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The array dialect.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"

#include "dialects/array/ArrayDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/array/ArrayTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/array/ArrayOps.h.inc"

namespace sluice::array {

// A handle on an array or stack.
inline bool isHandle(mlir::Value value) {
  return llvm::isa<HandleType, StackType>(value.getType());
}
// Whether an op makes a container of its own, rather than that it belongs to another one's.
inline bool makesContainer(mlir::Operation *op) {
  return op->hasTrait<UsesContainers>() && llvm::any_of(op->getResults(), isHandle) &&
         llvm::none_of(op->getOperands(), isHandle);
}

} // namespace sluice::array
