// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends work that takes too long, of any number of calls at once: a thread that sleeps until the
// next deadline, and is started with the first one. (CallTimer does without a thread, for one
// call.)
#pragma once

#include "runtime/base/cancellation.h"
#include "runtime/base/status.h"
#include "runtime/base/threads.h"

#include <condition_variable>
#include <map>
#include <mutex>

namespace sluice::rt {

class DeadlineWatch {
public:
  explicit DeadlineWatch(Threads &threads) : threads_(threads) {}
  ~DeadlineWatch();

  // DEADLINE_EXCEEDED. `where` is what went on.
  static Status tooLong(double seconds, const std::string &where);

  // While it exists, the work is cancelled once the time has passed. Where no thread can be started
  // it only tells.
  class Scope {
  public:
    Scope(DeadlineWatch &watch, Cancellation &work, double seconds);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;
    bool passed() const { return systemClock().now() >= deadline_; }

  private:
    DeadlineWatch &watch_;
    Cancellation &work_;
    const uint64_t deadline_;
  };

private:
  void run();

  Threads &threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<uint64_t, Cancellation *> deadlines_;
  bool stopping_ = false;
  std::unique_ptr<ThreadHandle> thread_;
};

} // namespace sluice::rt
