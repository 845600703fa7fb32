// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes of rows, and sums of products, that need no copy of the array.
//
//   in a loop's body    the array is carried, and the memory is that of the loop's result
//   in a straight line  the array is on its way to an output, and the memory is that of the output,
//                       which may be that of an input. Such writes come last, so that a codelet
//                       whose guards fail has not written
#pragma once

#include "compiler/codegen/plan/FusionPlan.h"
#include "dialects/nd/Nd.h"

namespace sluice::codegen {

// What a loop's body does to the array that it carries at a position, one op after the other, when
// that is all that happens to it and needs no other memory: it writes a row, adds products, or has
// a loop within that does so. These are the operands as which the array comes into the ops. Nothing
// looks at the array as it was afterwards. Empty otherwise.
llvm::SmallVector<mlir::OpOperand *> updatesOf(flow::WhileOp loop, unsigned position,
                                               const FusionPlan &fusion);

// Whether the operand is one of those, so that the result's memory is that of the carried array.
bool isChangedInPlace(mlir::OpOperand &operand, const FusionPlan &fusion);
// … the first operand of an op that is no loop.
bool writesInPlace(mlir::Operation *op, const FusionPlan &fusion);

// The result of the loop whose memory that is. Null if there are no such ops.
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
