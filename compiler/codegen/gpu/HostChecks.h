// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the host has to see to where an op on a card looks at indices or divisors, of which the card
// can say nothing.
#pragma once

#include "mlir/IR/Builders.h"

namespace sluice::codegen {

// The operand that the host looks at; null where there is nothing to see to.
mlir::Value checkedByHost(mlir::Operation *op);
// Where the operand is on a card: what the host looks at in its place, in the memory of the card.
// Indices themselves; of divisors, of which there may be as many as elements, a single number.
mlir::Value toldByCard(mlir::OpBuilder &b, mlir::Operation *op);
// The op that looks: `onHost` is the operand or what stands for it, in the memory of the host.
void createHostCheck(mlir::OpBuilder &b, mlir::Operation *op, mlir::Value onHost);

} // namespace sluice::codegen
