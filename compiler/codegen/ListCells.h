// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists in codelets: each becomes a cell, which holds the list as it is then.
#pragma once

#include "compiler/codegen/Obstacle.h"
#include "dialects/flow/Flow.h"

#include <optional>

namespace sluice::codegen {

// A list that code can keep, if its rows are alike.
bool canHoldList(mlir::Type type);
// Whether all elements of a list that a graph makes have one shape: it is known, or code has seen
// to it.
bool rowsAreAlike(mlir::Value list);
// Whether an op takes or gives a list.
bool usesList(mlir::Operation *op);
// Whether there is code for what an op does to a list: not to a whole one, and with elements that
// are as the others.
bool hasCodeForList(mlir::Operation *op);
// Whether `shape`, a type of elements, says all that rows of the list are.
bool isWholeRow(mlir::Value list, mlir::Type shape);

// Lists of which there may be two at a time, or that come from several places.
llvm::SmallVector<mlir::Value> listsWithoutCells(flow::CodeletOp codelet);
// Gives each list of a codelet a cell, and lets the ops on lists work there. Nothing in the codelet
// is a list afterwards, but inputs and results. An obstacle when a list is looked at after it has
// been changed, for then there would be two.
std::optional<Obstacle> placeLists(flow::CodeletOp codelet);

} // namespace sluice::codegen
