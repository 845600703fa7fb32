// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --checkpoint, --save-every, --keep and --resume ask for, between the calls of a command
// line.
#pragma once

#include "runtime/api/diagnostics.h"
#include "runtime/api/options.h"
#include "runtime/api/runner.h"
#include "runtime/checkpoint/checkpoint_series.h"
#include "runtime/io/file_system.h"

#include <memory>

namespace sluice::rt {

// Without --checkpoint it does nothing but count.
class Checkpointing {
public:
  Checkpointing(const CheckpointOptions &options, Runner &runner, Diagnostics &diagnostics)
      : options_(options), runner_(runner), diagnostics_(diagnostics) {}

  // Before the first call, initializers included: opens the folder and resumes.
  Failure begin();
  // The program's state came from a checkpoint, so nothing else may set it.
  bool hasResumed() const { return resumed_; }
  // How many calls were made since the run began, in this process and those that it goes on from.
  uint64_t step() const { return step_; }
  // A run of so many calls had ended before it was resumed. Says so.
  bool isOver(uint64_t steps);

  // A call has been made. Whether a checkpoint is due; the last call's is that of `finish`.
  bool countCall(bool isLast = false);
  // Writes it, unless one of the same number of calls has been written. While no call is under way.
  Failure save();
  // All that the run leaves is there: who finds the last checkpoint finds this, too.
  Failure finish();

private:
  Failure resume();

  const CheckpointOptions &options_;
  Runner &runner_;
  Diagnostics &diagnostics_;
  HostFileSystem files_;
  std::unique_ptr<CheckpointSeries> series_;
  bool resumed_ = false;
  uint64_t step_ = 0, savedStep_ = 0;
};

} // namespace sluice::rt
