// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every program of the compiler does first, and how it ends when the system gives no more.
#pragma once

#include "llvm/Support/InitLLVM.h"

#include <vector>

namespace sluice {

// Lives as long as main. From then on
// - a signal that was ignored still is;
// - a closed pipe and a file that may not grow are failed writes, which have an exit code;
// - an allocation that fails ends the program with a message and ExitCode::kOutOfMemory, and leaves
//   no half-written file (emit::TemporaryFiles). LLVM alone would abort, and ask for a bug report;
// - what LLVM calls a fatal error ends it with ExitCode::kInputOutput if standard output could not be
//   written, and else with ExitCode::kInternalError.
class ToolProcess {
public:
  ToolProcess(int &argc, char **&argv);

private:
  ToolProcess(int &argc, char **&argv, const std::vector<int> &ignored);

  llvm::InitLLVM llvm_;
};

} // namespace sluice
