// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking an object with the runtime archive.
#pragma once

#include "runtime/base/status.h"

#include "llvm/ADT/StringRef.h"

namespace sluice::emit {

struct LinkFailure {
  int exitCode; // 3: file trouble, 6: the linker is missing or failed
  std::string message;
};

// Writes the executable at `output`, which is replaced atomically or left alone. `libraryDir` holds
// the runtime archive and the link recipe.
std::optional<LinkFailure> linkExecutable(llvm::StringRef object, llvm::StringRef output,
                                          llvm::StringRef libraryDir, bool verbose);

// The same for a file that needs no linking.
std::optional<LinkFailure> writeFileAtomically(llvm::StringRef bytes, llvm::StringRef output);

} // namespace sluice::emit
