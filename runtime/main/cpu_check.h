// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether this machine can run the program at all.
#pragma once

#include <cstddef>

namespace sluice::rt {

constexpr size_t kCpuProblemRoom = 512;
// Whether the CPU has what runtime and codelets were compiled for; else what it lacks.
bool cpuSuffices(char (&problem)[kCpuProblemRoom]);

// Ends the process, with exit code 13, unless the CPU has what runtime and codelets were compiled
// for. To be called first: everything else may already use such instructions.
void requireCpu();

} // namespace sluice::rt
