// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CompletionInbox.
#include "runtime/workers/completion_inbox.h"

#include "runtime/base/spinning.h"

#include <chrono>

namespace sluice::rt {

// Somebody may still be notifying of what the owner has already taken.
void CompletionInbox::setNotifier(std::function<void()> notifier) {
  std::unique_lock lock(mutex_);
  notified_.wait(lock, [this] { return notifying_ == 0; });
  notifier_ = std::move(notifier);
}

void CompletionInbox::put(Completion completion) {
  auto lock = lockSoon(mutex_);
  completions_.push_back(std::move(completion));
  count_.store(completions_.size(), std::memory_order_release);
  filled_.notify_one();
  // The owner may take it at once and be gone, unless it knows that we are still here.
  ++notifying_;
  if (notifier_) {
    lock.unlock();
    notifier_();
    lock.lock();
  }
  if (--notifying_ == 0)
    notified_.notify_all();
}

void CompletionInbox::takeFirst(Completion &completion) {
  completion = std::move(completions_.front());
  completions_.pop_front();
  count_.store(completions_.size(), std::memory_order_release);
}

bool CompletionInbox::tryTake(Completion &completion) {
  if (empty())
    return false;
  const auto lock = lockSoon(mutex_);
  if (completions_.empty())
    return false;
  takeFirst(completion);
  return true;
}

bool CompletionInbox::awaitAny(uint64_t nanoseconds) {
  std::chrono::nanoseconds time(static_cast<int64_t>(nanoseconds));
  awaited_ = true;
  spinUntil(kTurnsOfWaking, [this] { return !empty(); });
  auto lock = lockSoon(mutex_);
  bool filled = filled_.wait_for(lock, time, [this] { return !completions_.empty(); });
  awaited_ = false;
  return filled;
}

bool CompletionInbox::awaitNext(Completion &completion, uint64_t nanoseconds) {
  return awaitAny(nanoseconds) && tryTake(completion);
}

} // namespace sluice::rt
