// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the sci ops of the family "linear".
#include "dialects/sci/Sci.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "dialects/sci/Linear.cpp.inc"

using namespace mlir;
using namespace sluice;

void sluice::sci::registerLinearOps(SciDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/sci/Linear.cpp.inc"
      >();
}
