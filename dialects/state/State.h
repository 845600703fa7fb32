// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state dialect.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"

#include "dialects/state/StateDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/state/StateTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/state/StateOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/state/CheckpointOps.h.inc"

namespace sluice::state {
// Whether a value names state that others may name too, so that what is done to it has an order.
inline bool namesState(mlir::Value value) {
  return llvm::isa<RefType, ResourceType, TableType>(value.getType());
}
} // namespace sluice::state
