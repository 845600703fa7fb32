// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starting of ranks as child processes that do not outlive this one.
#pragma once

#include "runtime/base/status.h"

#include <csignal>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sluice::run {

struct StartRequest {
  std::vector<std::string> arguments; // the executable first
  int listenDescriptor = -1;          // -1: none is inherited
  bool ownsTerminal = false;          // gets our standard input and output
  sigset_t signalMask{};              // of the child
};

struct Started {
  pid_t pid = -1;
  int out = -1; // read ends that do not block; `out` is -1 where the rank has our standard output
  int err = -1;
};

// An executable that turns out not to be one ends with code 3 and an error line.
rt::Result<Started> startRank(const StartRequest &request);

} // namespace sluice::run
