// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positions of elements in buffers: numbers that become indices, and loops over all there are.
#pragma once

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sluice::codegen {

// An element of a tensor of this type, as an index.
mlir::Value toIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value number, mlir::Type elementType);
// Whether an index is not one of `size` positions.
mlir::Value isOutside(mlir::ImplicitLocOpBuilder &b, mlir::Value index, mlir::Value size);

// Loops over all positions in dims of these sizes; of no dims there is one.
void forEachPosition(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange sizes,
                     llvm::function_ref<void(mlir::ValueRange position)> body);
// Whether `test` finds any element of a buffer. Looks at all of them: a loop cannot be left.
mlir::Value anyElement(mlir::ImplicitLocOpBuilder &b, mlir::Value buffer, mlir::ValueRange sizes,
                       llvm::function_ref<mlir::Value(mlir::Value element)> test);

} // namespace sluice::codegen
