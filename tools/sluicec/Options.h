// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of sluicec.
#pragma once

#include "compiler/pipeline/Compile.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice {

struct DriverOptions {
  CompileOptions compile;
  bool json = false;
  std::optional<PhaseId> interpret;
  std::vector<const char *> interpreterArguments;
};

// Nothing on a usage error, which has been printed, or when only help or version were asked for:
// `exitCode` tells.
std::optional<DriverOptions> parseOptions(int argc, char **argv, int &exitCode);

} // namespace sluice
