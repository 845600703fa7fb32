// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the sci ops of the family "random".
#include "dialects/sci/Sci.h"

#define GET_OP_CLASSES
#include "dialects/sci/Random.cpp.inc"

using namespace mlir;
using namespace sluice;

void sluice::sci::registerRandomOps(SciDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/sci/Random.cpp.inc"
      >();
}
