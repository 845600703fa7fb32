// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for one op on a cell: reads, writes and changes of its length.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace sluice::codegen {

class Emitter;

// Whether a cell has states of its rows. Where all rows of a list are set, it may have none.
enum class States { kNever, kIfGiven, kAlways };

struct Cell {
  mlir::RankedTensorType row;
  States keepsStates;
  mlir::Value list;                    // the SluiceList
  llvm::SmallVector<mlir::Value> dims; // of a row
  mlir::Value rowBytes;
  mlir::Value rows, states, length, capacity, emptyIsZeros; // variables
};

// Not for those that open and close a cell.
void emitCellAccess(Emitter &emitter, Cell &cell, mlir::Operation *op);

} // namespace sluice::codegen
