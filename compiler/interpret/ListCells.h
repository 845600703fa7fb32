// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists that are in the cells of a codelet while it runs.
#pragma once

#include "mlir/IR/Operation.h"
#include "runtime/state/list.h"

#include <vector>

namespace sluice::interpret {

class ListCells {
public:
  // Runs one op on a cell.
  rt::Result<std::vector<rt::Tensor>> run(mlir::Operation *op,
                                          const std::vector<rt::Tensor> &inputs);

private:
  struct Cell {
    rt::Ref<rt::List> list;
    mlir::Type element;
  };
  std::vector<Cell> cells_; // a codelet opens them in their order, before all else
};

} // namespace sluice::interpret
