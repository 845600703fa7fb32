/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * How the simulated driver is found: a function of the type of cuGetProcAddress, version 12000. The
 * library libcuda.so.1 has it under that name, programs that are linked with the simulator under
 * this. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `status` (may be null): 0 found, 1 no such function, 2 it is of a later version. */
int sluice_sim_get_proc_address(const char *symbol, void **function, int version, uint64_t flags,
                                int *status);

#ifdef __cplusplus
}
#endif
