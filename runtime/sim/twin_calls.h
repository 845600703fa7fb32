// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that the code of twins calls beside intrinsics. Their names begin with sluice_sim_.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// Before each access. `alignment` is that of the instruction, at most its size.
void sluice_sim_read(const void *address, size_t bytes, size_t alignment);
void sluice_sim_write(const void *address, size_t bytes, size_t alignment);
void sluice_sim_atomic(const void *address, size_t bytes, size_t alignment);
// The second result of the last shuffle: the lane that was asked for is there.
bool sluice_sim_in_range();
void sluice_sim_trap();
// Of device code: cudaGraphSetConditional.
void sluice_sim_set_conditional(uint64_t handle, uint32_t value);
}
