// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How wrong flags are told.
#pragma once

#include "compiler/pipeline/Compile.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace sluice {

inline int usageError(const llvm::Twine &message) {
  llvm::errs() << "sluicec: error: " << message << "; see sluicec --help\n";
  return kExitUsage;
}

} // namespace sluice
