// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paths that match a pattern, as TensorFlow finds them.
#pragma once

#include "runtime/io/disk.h"

#include <string>
#include <vector>

namespace sluice::rt {

// In any order. `*`, `?`, brackets and backslashes have their meaning within a name, and also stand
// for a dot at its begin. A pattern without them names what is there, or nothing. Folders that
// cannot be read have nothing in them. CANCELLED once the call is to end.
Result<std::vector<std::string>> matchingPaths(const std::string &pattern, Disk &disk);

} // namespace sluice::rt
