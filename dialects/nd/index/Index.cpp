// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nd ops of the family "index".
#include "dialects/nd/Nd.h"
#include "dialects/nd/Verify.h"

#define GET_OP_CLASSES
#include "dialects/nd/Index.cpp.inc"

using namespace mlir;
using namespace sluice;

LogicalResult nd::UpdatePointsOp::verify() { return verifyHowToUpdate(*this, getHow()); } // C3

void sluice::nd::registerIndexOps(NDDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nd/Index.cpp.inc"
      >();
}
