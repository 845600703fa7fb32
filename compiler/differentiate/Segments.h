// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose iterations run twice, to save less.
//
// A loop becomes one of segments: in the k-th iteration of the outer loop, the inner one runs up to
// k + 1 iterations of the loop as it was. The outer loop saves what the loop carries where a
// segment begins. The inner one saves nothing: its mirror stands behind a copy of it that runs
// again from there, and what the copy saves is gone when the segment has been mirrored.
//
// Since segments grow by one, nobody has to know how often the loop runs: of n iterations there are
// about √(2n) segments, and the longest has as many.
#pragma once

#include "compiler/differentiate/Mirror.h"

namespace sluice::differentiate {

// Whether nobody can tell if iterations run again.
bool canRunAgain(flow::WhileOp loop);

// The loop of segments, with the results of `loop` in front of others.
flow::WhileOp splitIntoSegments(flow::WhileOp loop, Mirror &mirror, Activity &activity);

// Whether the op is the inner loop, and whether it is that one's mirror.
bool isSegment(mlir::Operation *op);
bool isSegmentMirror(mlir::Operation *op);
void markAsSegmentMirror(flow::WhileOp mirror);
void forgetSegments(mlir::Operation *module);

// Drops what the loop carries for nobody.
flow::WhileOp narrowToUsed(flow::WhileOp loop);

} // namespace sluice::differentiate
