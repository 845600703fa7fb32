// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nd ops of the family "shape".
#include "dialects/nd/Nd.h"

#define GET_OP_CLASSES
#include "dialects/nd/ShapeOps.cpp.inc"

using namespace mlir;
using namespace sluice::nd;

LogicalResult ConcatOffsetOp::verify() {
  if (getShapes().size() != getOffsets().size()) // C1
    return emitOpError("expected as many results as shapes but got ")
           << getOffsets().size() << " results and " << getShapes().size() << " shapes";
  return success();
}

void sluice::nd::registerShapeOps(NDDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nd/ShapeOps.cpp.inc"
      >();
}
