// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cells of a codelet, which hold lists: local variables for where the rows lie and how many
// there are, which LLVM turns into registers.
#pragma once

#include "compiler/codegen/cpu/CellAccess.h"
#include "compiler/codegen/shapes/ShapeSymbols.h"
#include "dialects/flow/Flow.h"

#include "mlir/IR/AffineExpr.h"

#include <vector>

namespace sluice::codegen {

class Cells {
public:
  explicit Cells(Emitter &emitter) : emitter_(emitter) {}

  // An op on a cell. The first of each opens it, in the function's entry.
  mlir::LogicalResult emit(mlir::Operation *op);
  // Tells the runtime what the cells hold at the end.
  void storeLengths();

private:
  void open(mlir::Operation *op);
  void setRow(Cell &cell, llvm::ArrayRef<mlir::AffineExpr> dims, bool isNew);

  Emitter &emitter_;
  std::vector<Cell> cells_;
};

// What the runtime has to know of each cell: a row of SluiceCodelet's table
// (runtime/codelet/abi.h).
struct CellRow {
  int32_t input = -1, output = -1, dtype = 0, withStates = 0, changes = 0, emptyIsZeros = 0;
  llvm::SmallVector<int64_t> dims;
};
std::vector<CellRow> cellRows(flow::CodeletOp codelet, const ShapeSymbols &shapes);

} // namespace sluice::codegen
