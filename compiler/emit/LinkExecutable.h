// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking objects with the runtime archive, or with each other.
#pragma once

#include "compiler/emit/PendingOutput.h"
#include "compiler/emit/RunLinker.h"

namespace sluice::emit {

enum class ProgramRole {
  kAlone,
  kMember,  // one rank of a cluster: brings what talks to the others
  kLibrary, // for programs of others: has an entry in place of a main
};

struct LinkRequest {
  llvm::ArrayRef<llvm::StringRef> objects; // their bytes
  llvm::StringRef libraryDir;              // holds the runtime archive and the link recipe
  ProgramRole role = ProgramRole::kAlone;
  bool verbose = false;
};

// Writes the executable, or the shared library, which is still to be moved into place. `further`
// are words for the linker. Thread-safe for different outputs.
std::optional<LinkFailure> linkExecutable(const LinkRequest &request, const PendingOutput &output,
                                          llvm::ArrayRef<std::string> further = {});

// Makes one relocatable object out of several: `merged` gets its bytes. For a library it has the
// runtime, too, as far as `root` needs it; else role and root do not matter.
std::optional<LinkFailure> mergeObjects(const LinkRequest &request, std::string &merged,
                                        llvm::StringRef root = "");

} // namespace sluice::emit
