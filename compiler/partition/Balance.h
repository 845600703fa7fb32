// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules that make sends and recvs balance: for each tag, one message and one recv that takes
// it.
//
// Each check reports the first edge that breaks its rule, and may rely on the ones before it. They
// know nothing of how the edges came about, so that they can judge it.
#pragma once

#include "compiler/partition/Parts.h"

namespace sluice::partition {

// Every edge has one send and one recv, each names the rank of the other, and the types agree.
mlir::LogicalResult checkPairs(const Parts &parts);

// Both ends of an edge are in the same frame. All ranks agree on a frame's window, and a frame on
// several ranks has one pivot.
mlir::LogicalResult checkFrames(const Parts &parts);

// A recv in the root has no gate. One in a loop is gated by a control loop: the token of a merge
// that goes round as often as the frame's pivot says, and starts with a constant, or if the frame
// is nested with the control loop around it. A rank that has part in a split frame has a pivot or a
// recv there.
mlir::LogicalResult checkGates(const Parts &parts);

// What is sent in a loop is there in every iteration, and so is what enters a split loop in every
// iteration around it.
mlir::LogicalResult checkEveryIteration(const Parts &parts);

// What goes round in a split loop is dead once the pivot is false, so that no rank goes on.
mlir::LogicalResult checkStops(const Parts &parts);

// Ranks do not wait for each other in a circle.
mlir::LogicalResult checkCircles(const Parts &parts);

} // namespace sluice::partition
