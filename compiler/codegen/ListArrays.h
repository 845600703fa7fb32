// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists that loops push to and pop from, as arrays: while a card runs a loop by itself nobody can
// make room for a row. A list becomes a tensor with a row for each that it can have, and the number
// of those that it has.
#pragma once

#include "compiler/codegen/Obstacle.h"
#include "dialects/flow/Flow.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace sluice::codegen {

// Of nd.row and nd.set_row: the array has rows, and was a list that is never full. A row that is
// not there was popped of an empty list.
inline constexpr llvm::StringLiteral kOfListAttr = "codegen.of_list";

// What became of a graph's lists. Loops are outermost ones that a card is to run.
struct ListsAsArrays {
  size_t count = 0;                             // of those that are arrays now
  llvm::DenseMap<int64_t, size_t> loops;        // how many go through a loop, by its number
  llvm::DenseMap<int64_t, std::string> reasons; // why one of a loop stays a list
};

// The number of a loop in its graph, as an attribute of it, and of copies.
inline constexpr llvm::StringLiteral kLoopNumberAttr = "codegen.loop_number";
int64_t numberOf(flow::WhileOp loop);

// Makes arrays of the lists that only go through loops that are to run on a card: those with such
// a number, and what is in them. With `always`, also of those that may take much memory for
// nothing.
ListsAsArrays listsToArrays(mlir::Operation *graph, const llvm::DenseSet<int64_t> &stay,
                            bool always);

} // namespace sluice::codegen
