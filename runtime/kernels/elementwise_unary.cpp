// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cheap elementwise ops of one operand.
#include "runtime/elements/arithmetic.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"

namespace sluice::rt {

#define SLUICE_UNARY(OP, FUNCTION, SET) SLUICE_UNARY_KERNELS(nd_##OP, SET, FUNCTION, nullptr)
#define SLUICE_PREDICATE(OP, FUNCTION, SET) SLUICE_PREDICATE_KERNELS(nd_##OP, SET, FUNCTION)
#include "runtime/elements/elements.def"

} // namespace sluice::rt
