// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the output of the compiler's programs goes.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace sluice::emit {

// What went wrong with a file, for the user.
using FileFailure = std::optional<std::string>;

// Writes to standard output if the path is "-", and into a character device that it names. A file
// is replaced in whole, or left alone.
FileFailure writeOutput(llvm::StringRef bytes, llvm::StringRef path);

} // namespace sluice::emit
