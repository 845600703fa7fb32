// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much the loops of a linalg.generic compute, to tell what is worth several threads.
#pragma once

#include "compiler/codegen/plan/IterationSpace.h"

namespace sluice::codegen {

// Of one iteration of all loops: about the operations on f32, in vectors, that take as long.
int64_t operationsOfIteration(mlir::linalg::GenericOp op, const IterationSpace &space);

} // namespace sluice::codegen
