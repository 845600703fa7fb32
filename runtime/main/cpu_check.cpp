// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what the compiler has written down with what the CPU says. This file and the mains are
// compiled for every CPU of the architecture (runtime/CMakeLists.txt).
#include "runtime/main/cpu_check.h"

#include "runtime/base/exit_codes.h"
#include "runtime/main/linked_program.h"

namespace sluice::rt {

bool cpuSuffices(char (&problem)[kCpuProblemRoom]) {
  CpuFeatureSet missing = sluice_program_cpu_features & ~machineCpuFeatures();
  if (missing == 0)
    return true;
  size_t size = 0;
  auto append = [&](const char *pattern, auto... arguments) {
    int added = std::snprintf(problem + size, sizeof problem - size, pattern, arguments...);
    size += static_cast<size_t>(added);
    if (size >= sizeof problem)
      size = sizeof problem - 1;
  };
  append("this program was compiled for the CPU '%s'; this machine's lacks ", sluice_program_cpu);
  const char *separator = "";
  for (const CpuFeature &feature : kCpuFeatures) {
    if (missing & 1) {
      append("%s%s", separator, feature.name);
      separator = ", ";
    }
    missing >>= 1;
  }
  append("%s", "; compile with --march of the oldest machine");
  return false;
}

void requireCpu() {
  char problem[kCpuProblemRoom];
  if (cpuSuffices(problem))
    return;
  std::fprintf(stderr, "error: UNIMPLEMENTED: %s\n", problem);
  std::exit(static_cast<int>(ExitCode::kDeviceMissing));
}

} // namespace sluice::rt
