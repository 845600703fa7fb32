// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list dialect.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"

#include <optional>

#include "dialects/list/ListDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/list/ListTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/list/ListOps.h.inc"

namespace sluice::list {

// The cell that an op of code uses.
unsigned cellOf(mlir::Operation *op);
// Whether an op looks at its first operand, a list, and neither changes it nor gives it on.
bool onlyLooks(mlir::Operation *op);

// A list of the op and what the op puts there or takes from there.
struct ElementUse {
  enum Form {
    kElement, // one element
    kRows,    // elements along a new first dim
    kPieces   // elements along their first dim
  };
  mlir::Value list, value;
  Form form;
};
std::optional<ElementUse> elementUse(mlir::Operation *op);

} // namespace sluice::list
