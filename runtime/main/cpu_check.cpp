// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what the compiler has written down with what the CPU says. This file and the mains are
// compiled for every CPU of the architecture (runtime/CMakeLists.txt).
#include "runtime/main/cpu_check.h"

#include "runtime/base/exit_codes.h"
#include "runtime/main/linked_program.h"

namespace sluice::rt {

void requireCpu() {
  CpuFeatureSet missing = sluice_program_cpu_features & ~machineCpuFeatures();
  if (missing == 0)
    return;
  std::fprintf(stderr,
               "error: UNIMPLEMENTED: this program was compiled for the CPU '%s'; this machine's "
               "lacks ",
               sluice_program_cpu);
  const char *separator = "";
  for (const CpuFeature &feature : kCpuFeatures) {
    if (missing & 1) {
      std::fprintf(stderr, "%s%s", separator, feature.name);
      separator = ", ";
    }
    missing >>= 1;
  }
  std::fputs("; compile with --march of the oldest machine\n", stderr);
  std::exit(static_cast<int>(ExitCode::kDeviceMissing));
}

} // namespace sluice::rt
