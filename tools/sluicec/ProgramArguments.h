// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With --interpret and --execute, flags that are not the compiler's belong to the program that is
// run.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"

#include <vector>

namespace sluice {

// Returns the compiler's arguments. If a program is to be run, flags of none of the categories go
// to `program` instead, with their values: also those that LLVM has, such as --stats.
std::vector<const char *>
takeProgramArguments(llvm::ArrayRef<char *> arguments,
                     llvm::ArrayRef<const llvm::cl::OptionCategory *> categories,
                     std::vector<const char *> &program);

} // namespace sluice
