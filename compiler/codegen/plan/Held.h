// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How emitted code holds a tensor: in a register, in a vector, or in memory.
//
// The class of a value follows from its type alone, so both sides of a region border agree on it
// without a word. Loop-carried values of the first two classes live in registers.
#pragma once

#include "compiler/codegen/elements/ElementTypes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sluice::codegen {

enum class HeldKind {
  kScalar, // static shape of one element: one SSA scalar
  kVector, // static shape of few elements: one flat vector, row-major
  kBuffer, // everything else, and all that is on a card: a memref
};

HeldKind heldKindOf(mlir::RankedTensorType type);
inline bool isInRegister(mlir::RankedTensorType type) {
  return heldKindOf(type) != HeldKind::kBuffer;
}
inline bool isInRegister(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && isInRegister(type);
}
// The scalar or vector type of a value of class kScalar or kVector.
mlir::Type registerTypeOf(mlir::RankedTensorType type);
// A memref of the tensor's shape with identity layout.
mlir::MemRefType bufferTypeOf(mlir::RankedTensorType type);

// What a memref becomes in the llvm dialect.
mlir::LLVM::LLVMStructType descriptorTypeOf(mlir::MemRefType type);

// One tensor as the code holds it. A buffer's memref may be a view (strides, offset), and it may be
// more or less static than the tensor's type says; `memref.dim` of it is the truth.
class Held {
public:
  Held() = default;
  Held(mlir::RankedTensorType type, mlir::Value value) : type_(type), value_(value) {}

  HeldKind kind() const { return heldKindOf(type_); }
  // Shape as far as it is known, and element type with its sign.
  mlir::RankedTensorType type() const { return type_; }
  // Scalar, flat vector, or memref.
  mlir::Value value() const { return value_; }
  explicit operator bool() const { return static_cast<bool>(value_); }

private:
  mlir::RankedTensorType type_;
  mlir::Value value_;
};

} // namespace sluice::codegen
