// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nn ops of the family "pool".
#include "dialects/nn/Nn.h"

#define GET_OP_CLASSES
#include "dialects/nn/Pool.cpp.inc"

using namespace mlir;
using namespace sluice;

void sluice::nn::registerPoolOps(NnDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nn/Pool.cpp.inc"
      >();
}
