// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linker as a process, so that a crash there cannot take the compiler down.
//
// What it makes comes through a pipe, its standard output. Left to itself it would map a file of
// its own, which a full disk ends with a signal, and a kill leaves behind.
#pragma once

#include "runtime/base/exit_codes.h"
#include "runtime/base/status.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace sluice::emit {

struct LinkFailure {
  rt::ExitCode exitCode; // kInputOutput or kExternalTool
  std::string message;
};

// Given what the linker makes piece by piece; a failure ends the linker.
using TakeLinked = llvm::function_ref<rt::Status(llvm::StringRef piece)>;

// `errorFile` is an empty file for the linker's messages.
std::optional<LinkFailure> runLinker(llvm::ArrayRef<std::string> command,
                                     const std::string &errorFile, TakeLinked take);

} // namespace sluice::emit
