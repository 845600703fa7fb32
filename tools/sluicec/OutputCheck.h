// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether what is to be written can be: somewhere, once, and not over what is read.
#pragma once

#include "tools/sluicec/Flags.h"

namespace sluice {

// When all other flags are read. Returns an exit code.
int checkOutput(const Flags &flags, DriverOptions &options);
// Flags that belong to libraries, or cannot. Returns an exit code.
int checkLibraryFlags(const Flags &flags);

} // namespace sluice
