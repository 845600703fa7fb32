// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the completion scripts of all shells need.
#pragma once

#include "tools/manual/manual.h"

namespace sluice::manual {

// What a shell completes a value with where there are no choices.
enum class ValueKind { kFree, kFile, kFolder };
ValueKind valueKind(const Flag &flag);

std::vector<const Flag *> allFlags(const Manual &manual);

// With a backslash before each special character.
std::string escapedFor(std::string_view special, std::string_view text);
// In single quotes.
std::string singleQuoted(std::string_view text);

} // namespace sluice::manual
