// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops can be part of compiled code.
//
// There is no list of them: an op can be compiled if it has a lowering (cpu/Lowerings.h) for its
// element types, and if the dims of its results follow from those of its operands
// (shapes/DimRules.cpp), whatever those are. Some ops have one for cards only.
#pragma once

#include "mlir/IR/Operation.h"

namespace sluice::codegen {

// A tensor that code can take, keep and give.
bool canHold(mlir::Type type);
// An nd op that code can be emitted for in a straight line. Neighbours are not looked at, but for
// constants among the operands.
bool canCompile(mlir::Operation *op);
// The same where the results lie in the memory of a card.
bool canCompileOnCard(mlir::Operation *op);
// The same inside a loop or branch, where nobody can stop and run the plain kernels instead: the op
// must not depend on guards.
bool canCompileInRegion(mlir::Operation *op);
// The same if what it needs of dims is so, which is not known of the op alone.
bool canCompileIfDimsFit(mlir::Operation *op);

} // namespace sluice::codegen
