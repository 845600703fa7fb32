// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nd ops of the family "reduce".
#include "dialects/nd/Nd.h"

#define GET_OP_CLASSES
#include "dialects/nd/Reduce.cpp.inc"

void sluice::nd::registerReduceOps(NDDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nd/Reduce.cpp.inc"
      >();
}
