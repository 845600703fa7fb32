// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration and verifiers of the state dialect.
#include "dialects/state/State.h"

#include "dialects/flow/Compatible.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
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
  std::optional<ElementsAttr> initial = getInitial();
  if (initial && !sluice::flow::mayBecome(initial->getType(), getType())) // C3
    return emitOpError("expected an initial value of type ")
           << getType() << " but got one of type " << initial->getType();
  return success();
}

LogicalResult GeneratorOp::verify() {
  if (getKey().empty())
    return emitOpError("expected a key but got an empty one"); // C1
  return success();
}

// C1 and C2 of state.reference and state.handle.
template <typename OpT> static LogicalResult verifyVariable(OpT op, SymbolTableCollection &tables) {
  auto variable = tables.lookupNearestSymbolFrom<VariableOp>(op, op.getVariableAttr());
  if (!variable)
    return op.emitOpError("expected the name of a state.variable but got ") << op.getVariableAttr();
  Type declared = getElementTypeOrSelf(variable.getType());
  Type actual = getElementTypeOrSelf(op.getResult().getType().getValue());
  if (declared == actual)
    return success();
  InFlightDiagnostic error = op.emitOpError("expected the variable's element type ")
                             << declared << " but got " << actual;
  error.attachNote(variable.getLoc()) << "the variable is declared here";
  return error;
}

LogicalResult ReferenceOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyVariable(*this, tables);
}
LogicalResult HandleOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyVariable(*this, tables);
}

LogicalResult RandomUniformOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (tables.lookupNearestSymbolFrom<GeneratorOp>(*this, getGeneratorAttr())) // C1
    return success();
  return emitOpError("expected the name of a state.generator but got ") << getGeneratorAttr();
}
