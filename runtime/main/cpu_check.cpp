// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what the compiler has written down with what the CPU says. This file and the mains are
// compiled for every CPU of the architecture (runtime/CMakeLists.txt).
#include "runtime/main/cpu_check.h"

#include "runtime/base/exit_codes.h"
#include "runtime/main/linked_program.h"

#if defined(__x86_64__)
// What __builtin_cpu_supports looks at; it takes only literals.
extern "C" {
struct SluiceCpuModel {
  unsigned vendor, type, subtype, features;
};
extern SluiceCpuModel __cpu_model;
extern unsigned __cpu_features2[3];
int __cpu_indicator_init(void);
}
#endif

namespace sluice::rt {

static bool cpuHasWhatIsNeeded() {
#if defined(__x86_64__)
  __cpu_indicator_init();
  const uint32_t *needed = sluice_program_cpu_features;
  return !(needed[0] & ~__cpu_model.features) && !(needed[1] & ~__cpu_features2[0]) &&
         !(needed[2] & ~__cpu_features2[1]) && !(needed[3] & ~__cpu_features2[2]);
#else
  return true;
#endif
}

void requireCpu() {
  if (cpuHasWhatIsNeeded())
    return;
  std::fprintf(stderr,
               "error: UNIMPLEMENTED: this program was compiled for the CPU '%s'; this machine's "
               "lacks some of its instructions\n",
               sluice_program_cpu);
  std::exit(static_cast<int>(ExitCode::kDeviceMissing));
}

} // namespace sluice::rt
