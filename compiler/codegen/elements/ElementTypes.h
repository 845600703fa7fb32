// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types that elements of tensors have in code.
#pragma once

#include "mlir/IR/BuiltinTypes.h"

namespace sluice::codegen {

// Elements in code: integers without sign (ops know it), i1 for bools, the bits of 16-bit floats.
mlir::Type registerElementType(mlir::Type elementType);
// Elements in memory: as in registers, but a bool is an i8 that is 0 or 1.
mlir::Type memoryElementType(mlir::Type elementType);
bool isUnsigned(mlir::Type elementType);
unsigned bytesOf(mlir::Type elementType); // in memory

} // namespace sluice::codegen
