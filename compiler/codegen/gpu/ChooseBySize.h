// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for large sizes and code for small ones.
#pragma once

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sluice::codegen {

// One of both, or a branch where the size, an index value, is known only when the code runs. So
// what is done follows from sizes, and not from what is known of them.
void ifAtLeast(mlir::ImplicitLocOpBuilder &b, mlir::Value size, int64_t least,
               llvm::function_ref<void()> then, llvm::function_ref<void()> otherwise);

} // namespace sluice::codegen
