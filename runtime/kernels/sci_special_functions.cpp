// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special functions that are a fixed sequence of operations.
#include "runtime/elements/special.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"

namespace sluice::rt {
namespace {

// Twice that of elementary functions.
uint64_t workOfSpecial(const KernelCall &call) { return 2 * transcendentalWork(call); }

} // namespace

#define SLUICE_SPECIAL(OP, FUNCTION) SLUICE_UNARY_KERNELS(sci_##OP, FLOAT, FUNCTION, workOfSpecial)
#define SLUICE_SPECIAL_OF_TWO(OP, FUNCTION)                                                        \
  template <typename T> static constexpr Kernel sci_##OP##_kernel() {                              \
    return BinaryKernel<element::FUNCTION, T, T>::kernel(workOfSpecial);                           \
  }                                                                                                \
  SLUICE_DEFINE_KERNELS(sci_##OP, FLOAT)
#include "runtime/elements/special.def"

} // namespace sluice::rt
