// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a program's description to the bytes that an executable carries.
#pragma once

#include "runtime/program/program_desc.h"

#include <string>

namespace sluice::rt {

// First bytes of every image; the digit is the format's version.
inline constexpr std::string_view kImageMagic = "SLUICE7\n";

// Layout: docs/executable-format.md. Must be placed at an address aligned to 64 bytes.
std::string writeImage(const ProgramDesc &program);

} // namespace sluice::rt
