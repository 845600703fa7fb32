// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files in folders, and writing them.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace sluice::conformance {

std::string pathIn(llvm::StringRef folder, llvm::StringRef file);

// False if not all could be written.
bool writeFile(const std::string &path, llvm::function_ref<void(llvm::raw_ostream &)> body);

} // namespace sluice::conformance
