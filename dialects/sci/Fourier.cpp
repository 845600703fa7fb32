// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the sci ops of the family "fourier".
#include "dialects/sci/Sci.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "dialects/sci/Fourier.cpp.inc"

using namespace mlir;
using namespace sluice;

// C2 of sci.fft, C3 of the others.
template <typename OpT> static LogicalResult verifyDims(OpT op) {
  if (op.getDims() >= 1 && op.getDims() <= 3)
    return success();
  return op.emitOpError("expected 1, 2 or 3 dims to transform but got ")
         << static_cast<int64_t>(op.getDims());
}

// C1 of transforms of real numbers.
static LogicalResult verifyTypes(Operation *op, Type real, Type complex) {
  if (cast<ComplexType>(getElementTypeOrSelf(complex)).getElementType() ==
      getElementTypeOrSelf(real))
    return success();
  return op->emitOpError("expected complex numbers of the real ones but got ")
         << getElementTypeOrSelf(complex) << " and " << getElementTypeOrSelf(real);
}

LogicalResult sci::FftOp::verify() { return verifyDims(*this); }
LogicalResult sci::RfftOp::verify() {
  if (failed(verifyTypes(*this, getInput().getType(), getResult().getType())))
    return failure();
  return verifyDims(*this);
}
LogicalResult sci::IrfftOp::verify() {
  if (failed(verifyTypes(*this, getResult().getType(), getInput().getType())))
    return failure();
  return verifyDims(*this);
}

void sluice::sci::registerFourierOps(SciDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/sci/Fourier.cpp.inc"
      >();
}
