// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nd ops of the family "matmul".
#include "dialects/nd/Nd.h"

#define GET_OP_CLASSES
#include "dialects/nd/Matmul.cpp.inc"

using namespace mlir;
using namespace sluice::nd;

LogicalResult MatmulOp::verify() {
  if ((getTransposeLhs() && getAdjointLhs()) || (getTransposeRhs() && getAdjointRhs()))
    return emitOpError("expected an operand to be transposed or adjoint but got both"); // C2
  return success();
}

void sluice::nd::registerMatmulOps(NDDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nd/Matmul.cpp.inc"
      >();
}
