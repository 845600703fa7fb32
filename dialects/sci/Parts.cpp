// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the sci ops of the family "parts".
#include "dialects/sci/Sci.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "dialects/sci/Parts.cpp.inc"

using namespace mlir;
using namespace sluice;

void sluice::sci::registerPartsOps(SciDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/sci/Parts.cpp.inc"
      >();
}

namespace sluice::sci {

static LogicalResult verifyParts(Operation *op, Value complex, Value part) {
  Type whole = cast<ComplexType>(getElementTypeOrSelf(complex.getType())).getElementType();
  Type found = getElementTypeOrSelf(part.getType());
  if (whole == found)
    return success();
  return op->emitOpError("expected parts of type ") << whole << " but got " << found;
}

LogicalResult ComplexOp::verify() {
  return verifyParts(*this, getResult(), getReal()); // C3
}
LogicalResult ImaginaryOp::verify() {
  return verifyParts(*this, getInput(), getResult()); // C2
}
LogicalResult MagnitudeOp::verify() {
  return verifyParts(*this, getInput(), getResult()); // C2
}

} // namespace sluice::sci
