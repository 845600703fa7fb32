// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise comparisons; results are bools.
#include "runtime/elements/arithmetic.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"

namespace sluice::rt {

#define SLUICE_COMPARISON(OP, FUNCTION, SET) SLUICE_COMPARISON_KERNELS(nd_##OP, SET, FUNCTION)
#include "runtime/elements/elements.def"

} // namespace sluice::rt
