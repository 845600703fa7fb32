// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CallsUnderWay.
#include "runtime/executor/calls_under_way.h"

#include <algorithm>

namespace sluice::rt {

void CallsUnderWay::begin() {
  std::lock_guard lock(mutex_);
  ++atWork_;
  if (expected_ > 0)
    --expected_;
}

void CallsUnderWay::expect(int change) {
  std::lock_guard lock(mutex_);
  expected_ += change;
}

void CallsUnderWay::end() {
  std::lock_guard lock(mutex_);
  --atWork_;
}

void CallsUnderWay::expectMore(bool expects) {
  std::lock_guard lock(mutex_);
  expectsMore_ = expects;
}

bool CallsUnderWay::mayGrow() {
  std::lock_guard lock(mutex_);
  return expected_ > 0 || expectsMore_;
}

// Whoever brings something is at work until it is in the inbox.
bool CallsUnderWay::nobodyCanHelp() const {
  return atWork_ == 0 && expected_ <= 0 && !expectsMore_ &&
         std::all_of(waiting_.begin(), waiting_.end(),
                     [](const CompletionInbox *inbox) { return inbox->empty(); });
}

bool CallsUnderWay::awaitOthers(CompletionInbox &inbox, uint64_t nanoseconds) {
  {
    std::lock_guard lock(mutex_);
    --atWork_;
    waiting_.push_back(&inbox);
  }
  auto inVain = [&] {
    std::lock_guard lock(mutex_);
    return nobodyCanHelp();
  };
  bool helped = !inVain() && (inbox.awaitAny(nanoseconds) || !inVain());
  std::lock_guard lock(mutex_);
  waiting_.erase(std::find(waiting_.begin(), waiting_.end(), &inbox));
  ++atWork_;
  return helped;
}

} // namespace sluice::rt
