// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether what a run writes would destroy what it writes elsewhere, or what it runs.
#pragma once

#include "tools/sluice-run/manifest.h"
#include "tools/sluice-run/options.h"

#include <span>

namespace sluice::run {

// INVALID_ARGUMENT names the file. Rank 0 checks its own outputs among each other, but does not
// know of the manifest, the executables and the traces of all ranks.
rt::Status checkWrittenFiles(const Options &options, std::span<const Rank> ranks);

} // namespace sluice::run
