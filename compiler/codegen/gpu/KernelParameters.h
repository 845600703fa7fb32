// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel takes of the code that launches it: pointers and scalars, nothing else.
//
// Of a memref these are the address of its memory and what its type does not say of its layout, so
// a kernel on buffers of known sizes has a pointer for each of them. Sizes of loops are parameters
// of their own; a kernel never asks a memref for its dims.
#pragma once

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SetVector.h"

namespace sluice::codegen {

class KernelParameters {
public:
  // Whether a kernel can take the value.
  static bool canTake(mlir::Type type);

  // A value of the launching code that the kernel uses. Constants are copied into the kernel.
  void add(mlir::Value value);

  // What is passed, in order: values of LLVM's types, at the builder in the launching code.
  llvm::SmallVector<mlir::Value> pass(mlir::ImplicitLocOpBuilder &b);
  // The types of what `pass` has made.
  llvm::SmallVector<mlir::Type> types() const;
  // At the builder in the kernel: each value that was added as the kernel has it.
  mlir::IRMapping receive(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange arguments) const;

private:
  llvm::SetVector<mlir::Value> values_, constants_;
  llvm::SmallVector<mlir::Type> types_;
};

} // namespace sluice::codegen
