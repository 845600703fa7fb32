// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking objects with the runtime archive, or with each other.
#pragma once

#include "compiler/emit/PendingOutput.h"
#include "compiler/emit/RunLinker.h"

namespace sluice::emit {

enum class ProgramRole {
  kAlone,
  kMember, // one rank of a cluster: brings what talks to the others
};

struct LinkRequest {
  llvm::ArrayRef<llvm::StringRef> objects; // their bytes
  llvm::StringRef libraryDir;              // holds the runtime archive and the link recipe
  ProgramRole role = ProgramRole::kAlone;
  bool verbose = false;
};

// Writes the executable, which is still to be moved into place. Thread-safe for different outputs.
std::optional<LinkFailure> linkExecutable(const LinkRequest &request, const PendingOutput &output);

// Makes one relocatable object out of several: `merged` gets its bytes. The role does not matter.
std::optional<LinkFailure> mergeObjects(const LinkRequest &request, std::string &merged);

} // namespace sluice::emit
