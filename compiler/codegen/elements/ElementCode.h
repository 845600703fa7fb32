// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of one element for ops with the face OfElements: those of
// runtime/elements/elements.def, nd.cast and nd.select.
#pragma once

#include "compiler/codegen/elements/Failures.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice::codegen {

// Whether the operand is the condition by which nd.select chooses whole rows: it is aligned with
// the result at its first dim, as others are at their last.
bool choosesRows(mlir::OpOperand &operand);

// Whether there is code for the op with its element types.
bool canEmitElement(mlir::Operation *op);
// The element function on operands that are all scalars or all vectors of one length, with the bits
// of the plain kernel. Element types and signs are those of the op's tensors. Integer divisors of 0
// give anything: look at `elementFault` first.
mlir::Value emitElement(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op,
                        mlir::ValueRange operands);

// Whether the op may refuse elements of its second operand, as integer division does; and whether
// it fails then. On a card it does not: the host looks at them (state.check_numbers), and what they
// give is anything.
bool mayRefuseElements(mlir::Operation *op);
bool elementCanFail(mlir::Operation *op);
// For an op that can fail: an i1 (or vector of i1) that holds where the second operand's elements
// make it fail, and why it fails then.
mlir::Value elementFault(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op, mlir::Value second);
FailureReason failureOf(mlir::Operation *op);

// ---- Conversions (ElementCast.cpp) -------------------------------------------------------------

// nd.cast between element types, which carry the signs.
mlir::Value emitCast(mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Type from, mlir::Type to);

} // namespace sluice::codegen
