// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exponentials, logarithms and trigonometry of one operand.
#include "runtime/elements/functions.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"

namespace sluice::rt {

#define SLUICE_FUNCTION(OP, FUNCTION, SET)                                                         \
  SLUICE_UNARY_KERNELS(nd_##OP, SET, FUNCTION, transcendentalWork)
#include "runtime/elements/elements.def"

} // namespace sluice::rt
