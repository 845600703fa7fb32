// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes: where the values of a loop or branch are that machine code does not hold.
//
// Code holds a tensor whose dims follow from those of the codelet's inputs, and a list of which
// there is one at a time with rows that are alike. Everything else is a tensor of the runtime, in a
// box, and an op that makes or takes one is run by its kernel; so is an op for which there is no
// code, or none without guards. docs/rationale/boxes.md says what this costs.
#pragma once

#include "compiler/codegen/Obstacle.h"
#include "dialects/flow/Flow.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <variant>

namespace sluice::codegen {

// Of a branch or loop that has boxes: the positions of the operands that come as lists to be boxed,
// and those of its results that leave a box.
inline constexpr llvm::StringLiteral kBoxedOperandsAttr = "codegen.boxed_operands";
inline constexpr llvm::StringLiteral kBoxedResultsAttr = "codegen.boxed_results";
inline bool hasBoxes(mlir::Operation *op) { return op->hasAttr(kBoxedOperandsAttr); }

struct BoxPlan {
  llvm::DenseSet<mlir::Value> boxed;
  llvm::DenseSet<mlir::Operation *> called; // by their kernels
  // What this began with: branches, loops and ops, and why; "it sorts, which its kernel does".
  llvm::SmallVector<Obstacle> reasons;
  bool isEmpty() const { return boxed.empty() && called.empty(); }
};

// Finds what has to be in boxes; `foreign` are inputs that have to. Or else what can be in none.
std::variant<BoxPlan, Obstacle> planBoxes(flow::CodeletOp codelet,
                                          llvm::ArrayRef<mlir::BlockArgument> foreign);
// Gives the boxes numbers, and takes what is in them from regions. `flow.box_…` ops work on them.
void placeBoxes(flow::CodeletOp codelet, const BoxPlan &plan);
// Marks the last uses of boxes, and drops what nobody needs any more.
void dropBoxes(flow::CodeletOp codelet, unsigned numBoxes);
// Of a kernel's operands, those that can be marked: bits of `sluice_box_run`.
inline constexpr unsigned kMostLast = 64;

// Whether the codelet gives what is in the box, as it is.
bool isBoxedOutput(flow::BoxGetOp get);
// Whether an input only goes into boxes.
bool isBoxedInput(mlir::BlockArgument input);
// The kernels that the code calls, by their positions.
llvm::SmallVector<flow::BoxRunOp> callsOf(flow::CodeletOp codelet);

} // namespace sluice::codegen
