// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What comes back to whoever runs a call: work that ended on a worker or on a device, and firings
// that were parked. Anybody may put something in; one thread at a time takes it out.
#pragma once

#include "runtime/workers/workers.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace sluice::rt {

class CompletionInbox {
public:
  ~CompletionInbox() { setNotifier(nullptr); }
  // Called by whoever puts something in, after that can be seen, for owners that wait for other
  // things as well. The one before is not called any more on return.
  void setNotifier(std::function<void()> notifier);
  void put(Completion completion);
  // Without a lock; what has been put in is seen soon.
  bool empty() const { return count_.load(std::memory_order_acquire) == 0; }
  bool tryTake(Completion &completion);
  // Waits for the next one; false if there was none for so long.
  bool awaitNext(Completion &completion, uint64_t nanoseconds);
  // Only waits.
  bool awaitAny(uint64_t nanoseconds);
  // Whether its owner waits now.
  bool isAwaited() const { return awaited_; }

private:
  void takeFirst(Completion &completion);

  std::mutex mutex_;
  std::condition_variable filled_, notified_;
  std::deque<Completion> completions_;
  std::atomic<size_t> count_ = 0;
  std::atomic<bool> awaited_ = false;
  std::function<void()> notifier_; // does not change while `notifying_`
  unsigned notifying_ = 0;
};

} // namespace sluice::rt
