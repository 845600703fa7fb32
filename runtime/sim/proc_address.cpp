// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the simulated functions.
#include "runtime/sim/proc_address.h"

#include "runtime/sim/entry.h"

#include <cstring>

namespace sluice::rt::sim {
namespace {

struct Entry {
  const char *name;
  int version;
  void *function;
};

const Entry kFunctions[] = {
#define FUNCTION(name, version, parameters)                                                        \
  {#name, version, reinterpret_cast<void *>(static_cast<cuda::name##Function>(&name))},
#include "runtime/device/cuda/cuda_functions.def"
#undef FUNCTION
};

} // namespace
} // namespace sluice::rt::sim

// As in CUDA, an absent function is no error of the call itself if the caller looks at the status.
extern "C" __attribute__((visibility("default"))) int
sluice_sim_get_proc_address(const char *symbol, void **function, int version, uint64_t,
                            int *status) {
  using namespace sluice::rt;
  cuda::SymbolStatus found = cuda::kSymbolNotFound;
  *function = nullptr;
  for (const sim::Entry &entry : sim::kFunctions) {
    if (strcmp(entry.name, symbol) != 0 || entry.version > sim::driver().options.version)
      continue;
    found = version >= entry.version ? cuda::kSymbolFound : cuda::kSymbolVersionNotSufficient;
    *function = found == cuda::kSymbolFound ? entry.function : nullptr;
  }
  if (status)
    *status = found;
  return found == cuda::kSymbolFound || status ? cuda::kSuccess : cuda::kNotFound;
}
