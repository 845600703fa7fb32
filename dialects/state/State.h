// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state dialect.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"

#include "dialects/state/StateDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/state/StateTypes.h.inc"

namespace sluice::state {
// The handle of an object of this kind.
inline bool isObject(mlir::Type type, llvm::StringRef kind) {
  auto object = llvm::dyn_cast<ObjectType>(type);
  return object && object.getKind() == kind;
}
} // namespace sluice::state

#define GET_OP_CLASSES
#include "dialects/state/StateOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/state/TableOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/state/QueueOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/state/CoordinationOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/state/StageOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/state/CheckpointOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/state/FileOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/state/ReaderOps.h.inc"

namespace sluice::state {
// Whether a value names state that others may name too, so that what is done to it has an order.
// Objects that firings wait for are none: who waits must not keep others from bringing it.
inline bool namesState(mlir::Value value) {
  return llvm::isa<RefType, ResourceType>(value.getType()) || isObject(value.getType(), "table");
}
// The type of what a variable holds, of which there is a reference or a handle.
inline mlir::Type heldBy(mlir::Value variable) {
  if (auto reference = llvm::dyn_cast<RefType>(variable.getType()))
    return reference.getValue();
  return llvm::cast<ResourceType>(variable.getType()).getValue();
}
// The type of such a reference or handle, of a variable that holds another type.
inline mlir::Type holding(mlir::Type variable, mlir::Type held) {
  if (llvm::isa<RefType>(variable))
    return RefType::get(held.getContext(), held);
  return ResourceType::get(held.getContext(), held);
}
} // namespace sluice::state
