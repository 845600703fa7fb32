// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes what is read only once where it is read.
#pragma once

#include "compiler/codegen/gpu/CardBuffers.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace sluice::codegen {

// If all that the generic makes is read by one other, part by part, and nothing with effects stands
// between them, that one computes it itself. True if so: then nobody reads what this one writes.
bool pullInto(mlir::linalg::GenericOp producer, const CardBuffers &buffers);

} // namespace sluice::codegen
