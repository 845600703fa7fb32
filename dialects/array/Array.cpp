// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of the array dialect.
#include "dialects/array/Array.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/array/ArrayDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/array/ArrayTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/array/ArrayOps.cpp.inc"

using namespace mlir;
using namespace sluice::array;

void ArrayDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/array/ArrayTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/array/ArrayOps.cpp.inc"
      >();
}

// An array knows its elements' shape as a tensor type.
static LogicalResult verifyShapeType(Operation *op, StringRef name, Type type) {
  if (isa<mlir::TensorType>(type))
    return success();
  return op->emitOpError("expected a tensor type as ") << name << " but got " << type;
}

LogicalResult CreateOp::verify() {
  return verifyShapeType(*this, "element_shape", getElementShape()); // C2
}
LogicalResult GatherOp::verify() {
  return verifyShapeType(*this, "element_shape", getElementShape()); // C3
}
LogicalResult ConcatOp::verify() {
  return verifyShapeType(*this, "element_shape_except0", getElementShapeExcept0()); // C3
}
