// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled codelets call for values that they do not hold themselves: those of unknown rank,
// of sizes that change from iteration to iteration, and those that ops work on for which there is
// only a kernel. Such a value is a tensor in a box, which has a number in its codelet.
//
// After a failure nothing more happens: kernels do not run, and elements that are asked for are 0.
// The code goes on with them until its loops end.
#pragma once

#include "runtime/codelet/abi.h"

#define SLUICE_CODELET_CALL extern "C" __attribute__((visibility("default")))

// Elements that the code holds, with their dims, are copied into a box. 0, or kSluiceKernelFailed if
// there is no memory.
SLUICE_CODELET_CALL int32_t sluice_box_put(SluiceCodeletCall *call, int32_t box, int32_t dtype,
                                           int32_t rank, const int64_t *dims, const void *data);
// An input of the codelet as it is. If nobody needs it again, kernels may change it where it lies.
SLUICE_CODELET_CALL void sluice_box_take(SluiceCodeletCall *call, int32_t box, int32_t input,
                                         int32_t isLast);
// The elements of a box are copied to `data`. 0, or kSluiceKernelFailed if it has other dims.
SLUICE_CODELET_CALL int32_t sluice_box_get(SluiceCodeletCall *call, int32_t box, int32_t dtype,
                                           int32_t rank, const int64_t *dims, void *data);
// From one box to another, which then hold the same unless the value is moved.
SLUICE_CODELET_CALL void sluice_box_move(SluiceCodeletCall *call, int32_t from, int32_t to,
                                         int32_t isLast);
// Frees what is in a box.
SLUICE_CODELET_CALL void sluice_box_drop(SluiceCodeletCall *call, int32_t box);
// Runs the kernel at a position of the codelet's calls. Bit i of `last` says that nobody needs the
// box of operand i again. 0, or kSluiceKernelFailed.
SLUICE_CODELET_CALL int32_t sluice_box_run(SluiceCodeletCall *call, int32_t position,
                                           uint64_t last);

#undef SLUICE_CODELET_CALL
