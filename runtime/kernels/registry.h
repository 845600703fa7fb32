// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All kernels of this build by op and element type. Only the compiler, the interpreter and tests
// link this table; an executable carries a table of just the kernels that its program uses.
#pragma once

#include "runtime/kernels/kernel.h"

#include <span>
#include <string_view>

namespace sluice::rt {

// Which operand's or result's element type selects among the kernels of one op.
enum class KernelKey : uint8_t { kAny, kInput0, kInput1, kOutput0 };

struct KernelEntry {
  std::string_view op;     // "nd.add"
  KernelKey key;
  DType dtype;             // kInvalid: one kernel for all element types
  std::string_view symbol; // "sluice_kernel_nd_add_f32"
  const Kernel *kernel;
};

// Sorted by op, then dtype.
std::span<const KernelEntry> allKernels();

// Null when the op has no kernel for these element types.
const KernelEntry *findKernel(std::string_view op, std::span<const DType> inputs,
                              std::span<const DType> outputs);

} // namespace sluice::rt
