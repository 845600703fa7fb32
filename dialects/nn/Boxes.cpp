// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nn ops of the family "boxes".
#include "dialects/nn/Nn.h"

#define GET_OP_CLASSES
#include "dialects/nn/Boxes.cpp.inc"

using namespace mlir;

void sluice::nn::registerBoxesOps(NnDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nn/Boxes.cpp.inc"
      >();
}
