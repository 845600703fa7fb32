// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches kernels of products in tiles of the size that fits best.
#pragma once

#include "compiler/codegen/gpu/ProductCode.h"

namespace sluice::codegen {

// Whether groups of so many elements that a buffer begins with are aligned as one. Tensors and
// slots of the arena are.
bool beginsAtGroup(mlir::Value buffer, int64_t group);

// At the builder in the launching code. `operands` are what ProductOperand says; each sum is a
// chain over rising k.
void launchChains(mlir::ImplicitLocOpBuilder &b, const ProductForm &form,
                  llvm::ArrayRef<mlir::Value> operands);
// The same for small floats and f32, whose operands are matrices, by tensor cores.
void launchOnTensorCores(mlir::ImplicitLocOpBuilder &b, const ProductForm &form,
                         llvm::ArrayRef<mlir::Value> operands);

} // namespace sluice::codegen
