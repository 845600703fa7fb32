// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one symbol that programs look for in libcuda.so.1.
#include "runtime/sim/proc_address.h"

extern "C" __attribute__((visibility("default"))) int
cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status) {
  return sluice_sim_get_proc_address(symbol, function, version, flags, status);
}
