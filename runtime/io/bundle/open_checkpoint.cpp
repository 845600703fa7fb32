// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which format it is.
#include "runtime/io/bundle/bundle.h"
#include "runtime/io/bundle/table_checkpoint.h"

namespace sluice::rt {

template <typename T>
static Result<std::unique_ptr<Checkpoint>> asCheckpoint(Result<std::unique_ptr<T>> opened) {
  if (!opened.ok())
    return opened.status();
  return std::unique_ptr<Checkpoint>(std::move(*opened));
}

Result<std::unique_ptr<Checkpoint>> openCheckpoint(const std::string &prefix,
                                                   const CheckpointLimits &limits, Disk &disk) {
  Result<std::unique_ptr<Checkpoint>> bundle = asCheckpoint(Bundle::open(prefix, limits, disk));
  if (bundle.ok() || bundle.status().code() != Code::kNotFound)
    return bundle;
  Result<std::unique_ptr<Checkpoint>> table =
      asCheckpoint(TableCheckpoint::open(prefix, limits, disk));
  // Where there is neither, the second format is meant.
  return !table.ok() && table.status().code() == Code::kNotFound ? std::move(bundle)
                                                                 : std::move(table);
}

} // namespace sluice::rt
