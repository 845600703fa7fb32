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

LogicalResult MakeOp::verify() {
  if (isa<TensorType, OfType>(getElementShape()))
    return success();
  return verifyShapeType(*this, "element_shape", getElementShape()); // C2
}
LogicalResult ZerosLikeOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C1
}
LogicalResult GetOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C2
}
LogicalResult SetOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C2
}
LogicalResult AccumulateOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C3
}
LogicalResult PushOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C1
}
LogicalResult PopOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C1
}
LogicalResult ResizeOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C2
}
LogicalResult StackOp::verify() {
  return verifyShapeType(*this, "element_shape", getElementShape()); // C1
}
LogicalResult GatherOp::verify() {
  if (failed(verifyShapeType(*this, "element_shape", getElementShape()))) // C2
    return failure();
  return verifySameList(*this, getList().getType(), getResult().getType()); // C3
}
LogicalResult ScatterOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C2
}
LogicalResult ConcatOp::verify() {
  if (failed(verifyShapeType(*this, "element_shape_except0", getElementShapeExcept0()))) // C2
    return failure();
  return verifySameList(*this, getList().getType(), getResult().getType()); // C3
}
LogicalResult SplitOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C2
}
