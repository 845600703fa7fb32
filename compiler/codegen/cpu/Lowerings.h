// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an nd op to its code, by the op's faces (dialects/interfaces/Faces.h).
#pragma once

#include "compiler/codegen/cpu/Emitter.h"

namespace sluice::codegen {

// The function for the op; null if none. Ops whose operands and results all are in registers have
// functions of their own; where one has none, or some value is a buffer, it is that for buffers.
LowerFn findLowering(mlir::Operation *op);

// ---- Of faces ----------------------------------------------------------------------------------

mlir::LogicalResult lowerElementsInRegisters(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerElementsInMemory(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerReductionInRegisters(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerReductionInMemory(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerMoveInRegisters(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerConstantInRegister(mlir::Operation *op, Emitter &emitter);

// ---- Of single ops -----------------------------------------------------------------------------

// In memory, for each op that has code but not by its faces: specialised in the file of its family.
// The linker misses one that is forgotten. A result that is held in a register is written to
// `destination` all the same; the emitter loads it from there.
template <typename Op> mlir::LogicalResult lower(Op op, Emitter &emitter);

} // namespace sluice::codegen
