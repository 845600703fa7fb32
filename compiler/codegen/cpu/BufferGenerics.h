// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds linalg.generic ops between buffers of codelets.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sluice::codegen {

struct GenericOperand {
  mlir::Value buffer; // or a scalar, with a map without results
  mlir::AffineMap map;
};

// A generic whose iterators are all parallel. `body` gets an argument for each input and returns a
// value for each output, all as they are in memory.
void buildGeneric(mlir::ImplicitLocOpBuilder &b, unsigned loops,
                  llvm::ArrayRef<GenericOperand> inputs, llvm::ArrayRef<GenericOperand> outputs,
                  llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)> body);

// Copies between buffers of one shape, which do not overlap; either may be a strided view.
void copyBuffer(mlir::ImplicitLocOpBuilder &b, mlir::Value from, mlir::Value to);
// Sets every element to a scalar in memory form.
void fillBuffer(mlir::ImplicitLocOpBuilder &b, mlir::Value scalar, mlir::Value to);

// Between the form of an element in registers and in memory: only bools differ.
mlir::Value toRegisterForm(mlir::ImplicitLocOpBuilder &b, mlir::Value inMemory,
                           mlir::Type elementType);
mlir::Value toMemoryForm(mlir::ImplicitLocOpBuilder &b, mlir::Value inRegister);

} // namespace sluice::codegen
