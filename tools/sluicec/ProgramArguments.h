// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With --interpret and --execute, flags that are not the compiler's belong to the program that is run.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace sluice {

// Returns the compiler's arguments. If a program is to be run, flags that are not registered go to
// `program` instead, with their values.
std::vector<const char *> takeProgramArguments(llvm::ArrayRef<char *> arguments,
                                               std::vector<const char *> &program);

} // namespace sluice
