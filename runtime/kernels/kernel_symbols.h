// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations of all kernel symbols, expanded from kernels.def.
#pragma once

#include "runtime/kernels/declare.h"

#define SLUICE_DECLARE(OP, KEY, E, N)                                                              \
  extern "C" const ::sluice::rt::Kernel SLUICE_KERNEL_SYMBOL(OP, N);
#define SLUICE_LIST_KERNEL(OP, SET, KEY) SLUICE_EXPAND_KERNEL_SET_##SET(SLUICE_DECLARE, OP, KEY)
#include "runtime/kernels/kernels.def"
#undef SLUICE_LIST_KERNEL
