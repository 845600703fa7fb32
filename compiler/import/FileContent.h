// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of an input file.
#pragma once

#include "compiler/import/Diagnostic.h"
#include "compiler/import/Limits.h"

#include <optional>
#include <string>
#include <string_view>

namespace sluice::import {

// Reads a regular file whose size one of the limits allows. Directories, pipes and devices are
// refused without blocking.
std::optional<std::string> readRegularFile(const std::string &path, const Limits &limits,
                                           LimitId size, DiagnosticList &diagnostics);

// Whether the bytes can only be text: no control characters but white space near the start.
bool looksLikeText(std::string_view content);

} // namespace sluice::import
