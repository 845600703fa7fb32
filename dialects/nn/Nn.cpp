// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of the nn dialect and its op families.
#include "dialects/nn/Nn.h"

#include "dialects/nn/NnDialect.cpp.inc"

void sluice::nn::NnDialect::initialize() {
  registerConvolveOps(*this);
  registerPoolOps(*this);
  registerSequenceOps(*this);
  registerBoxesOps(*this);
}
