// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules for the root cause.
#include "tools/sluice-run/verdict.h"

#include <cstring>

namespace sluice::run {

namespace {

// Ranks end like this when another one is gone or silent, perhaps before its end is seen.
bool mayBeConsequence(const RankEnd &end) {
  return end.signal == 0 && end.exitCode >= kPeerLost && end.exitCode <= kTimedOut;
}

const RankEnd *findCause(const std::vector<RankEnd> &ends) {
  const RankEnd *first = nullptr;
  for (const RankEnd &end : ends) {
    if (!end.bad() || end.stopped)
      continue;
    if (!mayBeConsequence(end))
      return &end;
    if (!first)
      first = &end;
  }
  return first;
}

std::string signalText(int signal) {
  return "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

} // namespace

Verdict judge(const std::vector<RankEnd> &ends, int stopSignal) {
  if (const RankEnd *cause = findCause(ends)) {
    bool explained = mayBeConsequence(*cause) || cause->signal == stopSignal;
    if (stopSignal != 0 && explained)
      return {kPeerLost, nullptr, "stopped by " + signalText(stopSignal)};
    if (cause->signal == 0)
      return {cause->exitCode, cause, "ended with exit code " + std::to_string(cause->exitCode)};
    return {kPeerLost, cause, "was killed by " + signalText(cause->signal)};
  }
  for (const RankEnd &end : ends)
    if (end.stopped)
      return {kTimedOut, &end, "did not end after the others had ended"};
  return {};
}

} // namespace sluice::run
