// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One checkpoint out of several that were written apart.
#pragma once

#include "runtime/base/status.h"

#include <span>
#include <string>

namespace sluice::rt {

struct MergeOptions {
  bool deleteOldFolders = true;
  bool allowMissing = false; // of checkpoints
};

// Renames the files of elements, writes an index with the rows of all, and removes the old indices.
// INVALID_ARGUMENT if a tensor is there twice, a checkpoint is missing that may not be, or all are;
// else errors of reading an index, and of the system.
Status mergeBundles(std::span<const std::string> prefixes, const std::string &destination,
                    const MergeOptions &options);

} // namespace sluice::rt
