// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops a card is for.
#pragma once

#include "mlir/IR/Operation.h"

namespace sluice::codegen {

// Of the module of a rank that has a card.
inline constexpr llvm::StringLiteral kHasCardAttr = "codegen.has_card";

// Whether a card has code for the op: an nd op that can be compiled, with a kernel.
bool canRunOnCard(mlir::Operation *op);
// Whether the op computes a single number, or a few integers as shapes and indices are: the host
// has it sooner, and is who asks for it. `cardOperands` are those of CardLowerings.h. Not where one
// of them is on a card already.
bool isForHost(mlir::Operation *op, llvm::ArrayRef<unsigned> cardOperands);

} // namespace sluice::codegen
