// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One trace of what all ranks have recorded.
#pragma once

#include "runtime/base/status.h"

#include <string>
#include <vector>

namespace sluice::run {

// Writes `out`, whole or not at all. Files that cannot be used are left out and told of in
// `warnings`; fails when none is left, two are of one rank, or `out` cannot be written.
rt::Status mergeTraces(const std::string &out, const std::vector<std::string> &files,
                       std::vector<std::string> &warnings);

} // namespace sluice::run
