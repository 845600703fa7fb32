// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be read in a program's messages.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace sluice::conformance {

// The line that most likely says what went wrong.
std::string firstError(llvm::StringRef messages);

// The line in which a sanitizer says what it has seen; empty if none does.
llvm::StringRef sanitizerReport(llvm::StringRef messages);

// What follows `trace digest: ` in each such line.
std::string traceDigests(llvm::StringRef messages);

} // namespace sluice::conformance
