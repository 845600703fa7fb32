// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether this machine can run the program at all.
#pragma once

namespace sluice::rt {

// Ends the process, with exit code 13, unless the CPU has what runtime and codelets were compiled
// for. To be called first: everything else may already use such instructions.
void requireCpu();

} // namespace sluice::rt
