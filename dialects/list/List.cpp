// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of the list dialect, and what its ops ask of their types.
#include "dialects/list/List.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/list/ListDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/list/ListTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/list/ListOps.cpp.inc"

using namespace mlir;
using namespace sluice::list;

void ListDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/list/ListTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/list/ListOps.cpp.inc"
      >();
}

unsigned sluice::list::cellOf(Operation *op) {
  return static_cast<unsigned>(op->getAttrOfType<IntegerAttr>("cell").getInt());
}

static LogicalResult verifyShapeType(Operation *op, StringRef name, Type type) {
  if (isa<TensorType>(type))
    return success();
  return op->emitOpError("expected a tensor type as ") << name << " but got " << type;
}

// A list is changed, not made into another kind of list.
static LogicalResult verifySameList(Operation *op, Type list, Type result) {
  if (list == result)
    return success();
  return op->emitOpError("expected a result of type ") << list << " but got " << result;
}

// What tensors inside of an element hold, however many lists are around them.
static Type heldBy(Type type, unsigned &lists) {
  for (lists = 0; auto list = dyn_cast<OfType>(type); ++lists)
    type = list.getElement();
  return getElementTypeOrSelf(type);
}

static LogicalResult verifyHeld(Operation *op, Type element, Type value) {
  unsigned lists = 0, listsOfValue = 0;
  if (heldBy(element, lists) == heldBy(value, listsOfValue) && lists == listsOfValue)
    return success();
  return op->emitOpError("expected a value that holds what ")
         << element << " holds but got " << value;
}
template <typename Op> static LogicalResult verifyValue(Op op) {
  return verifyHeld(op, cast<OfType>(op.getList().getType()).getElement(), op.getValue().getType());
}
template <typename Op> static LogicalResult verifyAccess(Op op) {
  if (failed(verifySameList(op, op.getList().getType(), op.getResult().getType())))
    return failure();
  return verifyValue(op);
}

LogicalResult OfType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) {
  if (isa<TensorType, OfType>(element))
    return success();
  return emitError() << "expected a tensor type or a list as element but got " << element;
}

LogicalResult MakeOp::verify() {
  if (isa<TensorType, OfType>(getElementShape()))
    return success();
  return verifyShapeType(*this, "element_shape", getElementShape()); // C2
}
LogicalResult ZerosLikeOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C1
}
LogicalResult UnstackOp::verify() { // C2
  return verifyHeld(*this, cast<OfType>(getResult().getType()).getElement(), getValue().getType());
}
LogicalResult GetOp::verify() {
  return verifyAccess(*this); // C2, C3
}
LogicalResult SetOp::verify() {
  return verifyAccess(*this); // C2, C3
}
LogicalResult AccumulateOp::verify() {
  return verifyAccess(*this); // C3, C4
}
LogicalResult PushOp::verify() {
  return verifyAccess(*this); // C1, C2
}
LogicalResult PopOp::verify() {
  return verifyAccess(*this); // C1, C2
}
LogicalResult ResizeOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C2
}
LogicalResult StackOp::verify() {
  if (failed(verifyShapeType(*this, "element_shape", getElementShape()))) // C1
    return failure();
  return verifyValue(*this); // C2
}
LogicalResult GatherOp::verify() {
  if (failed(verifyShapeType(*this, "element_shape", getElementShape()))) // C2
    return failure();
  return verifyAccess(*this); // C3, C4
}
LogicalResult ScatterOp::verify() {
  return verifyAccess(*this); // C2, C3
}
LogicalResult ConcatOp::verify() {
  if (failed(verifyShapeType(*this, "element_shape_except0", getElementShapeExcept0()))) // C2
    return failure();
  return verifyAccess(*this); // C3, C4
}
LogicalResult SplitOp::verify() {
  return verifyAccess(*this); // C2, C3
}
