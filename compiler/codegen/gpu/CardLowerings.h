// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an nd op to its code where its results lie in the memory of a card.
//
// Ops that are a generic, a copy or another look at memory have the code that they have on the
// host, whose loops become kernels (EnqueueGenerics.cpp). Others have kernels of their own.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"

namespace sluice::codegen {

// For ops of a card's codelet: the code above for those with results on the card, the host's for
// the others. Null for ops that have neither.
LowerFn findCardLowering(mlir::Operation *op);

// The operands that have to lie where the result lies, or be scalars of the host; all others are
// read by the host. Nothing for an op that a card has no code for.
std::optional<llvm::SmallVector<unsigned>> cardOperands(mlir::Operation *op);

// Whether the code of an op of single numbers can be part of a kernel.
bool canRunInKernel(mlir::Operation *op);

// ---- Kernels of their own ----------------------------------------------------------------------

// Between the card and numbers of code that runs there.
mlir::LogicalResult lowerCopyOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerConstantOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerProductOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerReductionOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerGatherOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerPointsOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerUpdatesOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerSegmentsOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerArgOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerScanOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerTopKOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerRandomOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerConvolutionOnCard(mlir::Operation *op, Emitter &emitter);
mlir::LogicalResult lowerPoolOnCard(mlir::Operation *op, Emitter &emitter);

} // namespace sluice::codegen
