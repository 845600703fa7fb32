// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// WaitingLines.
#include "runtime/state/waiting_lines.h"

#include <algorithm>

namespace sluice::rt {

// Whether anything has changed.
bool WaitingLines::serve(Line &line) {
  bool changed = false;
  for (auto next = line.begin(); next != line.end();) {
    Status status;
    Outcome outcome = next->wish->attempt(next->call->outputs(), status);
    changed |= outcome != Outcome::kWaits;
    if (outcome == Outcome::kEnded) {
      ended_.emplace_back(std::move(next->call), std::move(status));
      next = line.erase(next);
    } else if (turns_ == Turns::kInOrder) {
      break;
    } else {
      ++next;
    }
  }
  return changed;
}

// What one line gets may be what another one waits for.
void WaitingLines::serveOthers(std::unique_lock<std::mutex> &lock) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (Line &line : lines_)
      changed |= serve(line);
  }
  if (ended_.empty())
    return;
  Ended ended = std::exchange(ended_, {});
  lock.unlock();
  for (auto &[call, status] : ended)
    ParkedCall::resume(std::move(call), std::move(status));
}

void WaitingLines::refuseAll(size_t line, const Status &status) {
  for (Waiting &one : lines_[line]) {
    one.wish->giveBack();
    ended_.emplace_back(std::move(one.call), status);
  }
  lines_[line].clear();
}

bool WaitingLines::withdraw(const ParkedCall &call) {
  std::unique_lock<std::mutex> lock(mutex_);
  for (Line &line : lines_) {
    auto found =
        std::ranges::find_if(line, [&](const Waiting &one) { return one.call.get() == &call; });
    if (found == line.end())
      continue;
    found->wish->giveBack();
    line.erase(found);
    serveOthers(lock);
    return true;
  }
  return false;
}

} // namespace sluice::rt
