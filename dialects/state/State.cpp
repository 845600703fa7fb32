// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration and verifiers of the state dialect.
#include "dialects/state/State.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/state/StateDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/state/StateTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/state/StateOps.cpp.inc"

using namespace mlir;
using namespace sluice::state;

void StateDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/state/StateTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/state/StateOps.cpp.inc"
      >();
}

LogicalResult VariableOp::verify() {
  if (!isa<TensorType>(getType()))
    return emitOpError("expected a tensor type but got ") << getType(); // C1
  if (getKey().empty())
    return emitOpError("expected a key but got an empty one"); // C2
  return success();
}

LogicalResult GeneratorOp::verify() {
  if (getKey().empty())
    return emitOpError("expected a key but got an empty one"); // C1
  return success();
}
