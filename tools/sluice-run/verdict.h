// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the ranks' ends caused the others, and the exit code that follows.
#pragma once

#include "runtime/base/exit_codes.h"

#include <string>
#include <vector>

namespace sluice::run {

// The exit codes that this program knows, as numbers: a rank may end with any.
enum ExitCode : int {
  kOk = static_cast<int>(rt::ExitCode::kOk),
  kUsage = static_cast<int>(rt::ExitCode::kUsage),
  kInputOutput = static_cast<int>(rt::ExitCode::kInputOutput),
  kPeerLost = static_cast<int>(rt::ExitCode::kPeerLost),
  kTimedOut = static_cast<int>(rt::ExitCode::kTimedOut),
};

// How a rank ended. In a list, earlier ends come first.
struct RankEnd {
  size_t rank = 0;
  int exitCode = 0;
  int signal = 0;       // not 0: killed by it
  bool stopped = false; // by us, because it did not end by itself
  bool bad() const { return exitCode != kOk || signal != 0; }
};

struct Verdict {
  int exitCode = kOk;
  const RankEnd *cause = nullptr; // null when nothing failed
  std::string text;               // "ended with exit code 1"; of no rank when there is no cause
};

// The first end that cannot be the consequence of another one; if there is none, the first bad one.
// A rank that had to be stopped is the cause only if nothing else failed. `stopSignal` is what we
// were told to stop with, or 0, and explains ends that have no other cause.
Verdict judge(const std::vector<RankEnd> &ends, int stopSignal);

} // namespace sluice::run
