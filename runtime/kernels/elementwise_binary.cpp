// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops of two operands that cannot fail.
#include "runtime/elements/arithmetic.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"

namespace sluice::rt {

#define SLUICE_BINARY(OP, FUNCTION, SET) SLUICE_BINARY_KERNELS(nd_##OP, SET, FUNCTION)
#include "runtime/elements/elements.def"

} // namespace sluice::rt
