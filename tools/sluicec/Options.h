// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of sluicec.
#pragma once

#include "compiler/pipeline/Compile.h"

#include <optional>
#include <vector>

namespace sluice {

// How `--execute` runs all ranks inside the compiler.
enum class Execution { kLocal, kSimulated };

struct DriverOptions {
  CompileOptions compile;
  bool json = false;
  bool describes = false;       // instead of compiling
  bool describesAsJson = false; // in place of text
  bool asksNothing = false;     // but names a file: it is described, and what lacks is said
  std::optional<PhaseId> interpret;
  std::optional<Execution> execute;
  // Flags that are not the compiler's: of the program that is interpreted or executed.
  std::vector<const char *> programArguments;
};

// Nothing on a usage error, which has been printed, or when only help or version were asked for:
// `exitCode` tells.
std::optional<DriverOptions> parseOptions(int argc, char **argv, int &exitCode);

} // namespace sluice
