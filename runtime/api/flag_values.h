// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the values of flags say.
#pragma once

#include "runtime/api/flag_table.h"
#include "runtime/api/options.h"

namespace sluice::rt {

// Checks the value of a flag, which is empty if it takes none, and puts it where it belongs.
Failure storeValue(const Flag &flag, std::string_view text, Options &options);

} // namespace sluice::rt
