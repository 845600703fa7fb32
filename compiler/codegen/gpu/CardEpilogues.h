// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What follows a product and a library can do with it.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"
#include "runtime/base/matrix_product.h"

namespace sluice::codegen {

struct Epilogue {
  llvm::ArrayRef<mlir::Operation *> members; // none: there is no such thing
  mlir::Value bias;                          // added to each row
  rt::Activation activation = rt::Activation::kNone;
  mlir::Value result() const { return members.back()->getResult(0); }
};

// Of the product of two matrices whose code comes next: elementwise ops which are the only ones
// that need it, and whose code would be the next after it.
Epilogue epilogueOf(mlir::Value product, Emitter &emitter);

} // namespace sluice::codegen
