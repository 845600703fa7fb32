// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that change places between registers.
#pragma once

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice::codegen {

// Lane i of the result is lane positions[i] of `source`, a scalar or vector. One position makes a
// scalar, several make a vector.
mlir::Value moveLanes(mlir::ImplicitLocOpBuilder &b, mlir::Value source,
                      llvm::ArrayRef<int64_t> positions);

// The same from several sources, whose lanes are counted one source after the other.
mlir::Value moveLanes(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange sources,
                      llvm::ArrayRef<int64_t> positions);

} // namespace sluice::codegen
