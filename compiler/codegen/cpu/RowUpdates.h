// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes of rows that need no copy of the array.
//
//   in a loop's body    the array is carried, and the memory is that of the loop's result
//   in a straight line  the array is on its way to an output, and the memory is that of the output,
//                       which may be that of an input. Such writes come last, so that a codelet
//                       whose guards fail has not written
#pragma once

#include "compiler/codegen/cpu/FusionPlan.h"
#include "dialects/nd/Nd.h"

namespace sluice::codegen {

// Whether the result of a write in a loop's body can be the memory of the carried array: it is what
// the loop carries on, and the array as it was is not looked at afterwards.
bool writesInPlace(nd::SetRowOp op, const FusionPlan &fusion);

// The result of a loop which is the array that it carries at a position, when all that happens to
// the array is that its body writes rows of it, in place: so its memory is that of the result. Null
// otherwise.
mlir::Value updatedResult(flow::WhileOp loop, unsigned position, const FusionPlan &fusion);

// Whether the op writes a row, in a straight line, of what becomes an output by nothing else than
// more such writes.
bool isUpdateOfOutput(mlir::Operation *op);

// What such writes make of a value of which nothing else is asked: the last of their results. The
// value itself if there are none.
mlir::Value afterUpdates(mlir::Value value);

// The input of the codelet of which such writes make the output, and which they may overwrite,
// since all else that looks at it does so before. Null if there is none.
mlir::BlockArgument updatedInput(mlir::Value output);

// Whether rows of a value are written in place somewhere, so that those that are read before have
// to be copied.
bool isWrittenInPlace(mlir::Value rows, const FusionPlan &fusion);

} // namespace sluice::codegen
