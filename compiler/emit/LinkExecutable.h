// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking objects with the runtime archive, or with each other.
#pragma once

#include "runtime/base/exit_codes.h"
#include "runtime/base/status.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace sluice::emit {

struct LinkFailure {
  rt::ExitCode exitCode; // kInputOutput or kExternalTool
  std::string message;
};

enum class ProgramRole {
  kAlone,
  kMember, // one rank of a cluster: brings what talks to the others
};

struct LinkRequest {
  llvm::ArrayRef<llvm::StringRef> objects; // their bytes
  llvm::StringRef output;                  // path
  llvm::StringRef libraryDir;              // holds the runtime archive and the link recipe
  ProgramRole role = ProgramRole::kAlone;
  bool verbose = false;
};

// Writes the executable, which is replaced atomically or left alone. Thread-safe for different
// outputs.
std::optional<LinkFailure> linkExecutable(const LinkRequest &request);

// Makes one relocatable object out of several: `merged` gets its bytes. Output and role of the
// request do not matter.
std::optional<LinkFailure> mergeObjects(const LinkRequest &request, std::string &merged);

} // namespace sluice::emit
