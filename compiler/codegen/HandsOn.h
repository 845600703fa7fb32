// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Primitives whose results are their operands, so that these lie where those do.
#pragma once

#include "dialects/flow/Flow.h"

namespace sluice::codegen {

bool handsOn(mlir::Operation *op);
// What such an op hands on: of a merge all operands, of others the first.
mlir::ValueRange handedOn(mlir::Operation *op);
// Whether the operand is handed on by its owner.
bool isHandedOn(mlir::OpOperand &operand);
// The results that such an op hands values on in; others are numbers and tokens.
mlir::ResultRange receiving(mlir::Operation *op);

} // namespace sluice::codegen
