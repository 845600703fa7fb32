// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the output of the compiler's programs goes.
#pragma once

#include "compiler/emit/AtomicFile.h"

namespace sluice::emit {

// Writes to standard output if the path is "-", and into a character device that it names. A file
// is replaced in whole, or left alone.
FileFailure writeOutput(llvm::StringRef bytes, llvm::StringRef path);

} // namespace sluice::emit
