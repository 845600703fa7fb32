// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All ranks of a cluster in one process: for tests, and to look at a partitioned program without
// starting processes.
#pragma once

#include "runtime/api/recording_runner.h"
#include "runtime/program/program.h"

#include <memory>
#include <vector>

namespace sluice::rt {

struct InProcessOptions {
  // One thread runs all ranks. Which rank fires a node next, and which message moves next, is drawn
  // from the run's schedule seed (0 if it has none); the same seed gives the same run.
  bool simulated = false;
};

// The programs by rank, compiled together. The runner is rank 0. A simulated one writes a line
// `trace digest: <16 hex digits>` to standard error when it is destroyed.
std::unique_ptr<RecordingRunner>
makeInProcessCluster(std::vector<std::unique_ptr<Program>> programs, InProcessOptions options);

} // namespace sluice::rt
