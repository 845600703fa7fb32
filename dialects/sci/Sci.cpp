// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of the sci dialect and its op families.
#include "dialects/sci/Sci.h"

#include "dialects/sci/SciDialect.cpp.inc"

void sluice::sci::SciDialect::initialize() {
  registerSpecialOps(*this);
  registerBitsOps(*this);
  registerPartsOps(*this);
  registerLinearOps(*this);
  registerFourierOps(*this);
  registerRandomOps(*this);
  registerSparseOps(*this);
}
