// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an nd op to its code: a function for each op, found by the op's name. Each family of ops has
// a file of its own, which adds its functions to the table.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"

#include "llvm/ADT/StringMap.h"

namespace sluice::codegen {

// Emits one op at the builder, and defines all of its results. Fails only for ops that `canCompile`
// (Eligibility.h) refuses.
using LowerFn = mlir::LogicalResult (*)(mlir::Operation *op, Emitter &emitter);
using LoweringTable = llvm::StringMap<LowerFn>;

// The function for the op; null if none. Ops whose operands and results all are in registers have
// functions of their own; where one has none, or some value is a buffer, it is that for buffers.
LowerFn findLowering(mlir::Operation *op);

// ---- Families ----------------------------------------------------------------------------------

// Of registers.
void addElementwiseLowerings(LoweringTable &registers);
void addMoveLowerings(LoweringTable &registers);      // reshapes, slices, joins, …
void addReductionLowerings(LoweringTable &registers); // sums, means, extrema
void addConstantLowerings(LoweringTable &registers);
// Of buffers. A result that is held in a register is written to `destination` all the same; the
// emitter loads it from there.
void addBufferLowerings(LoweringTable &buffers);

template <typename... Ops> void addLowering(LoweringTable &table, LowerFn lower) {
  ((table[Ops::getOperationName()] = lower), ...);
}
inline void addLowering(LoweringTable &table, llvm::ArrayRef<llvm::StringRef> ops, LowerFn lower) {
  for (llvm::StringRef op : ops)
    table[op] = lower;
}

} // namespace sluice::codegen
