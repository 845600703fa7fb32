// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list dialect.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"

#include "dialects/list/ListDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/list/ListTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/list/ListOps.h.inc"

namespace sluice::list {

// The cell that an op of code uses.
unsigned cellOf(mlir::Operation *op);

} // namespace sluice::list
