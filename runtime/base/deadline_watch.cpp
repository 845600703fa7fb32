// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DeadlineWatch.
#include "runtime/base/deadline_watch.h"

#include <algorithm>
#include <chrono>

namespace sluice::rt {

static uint64_t after(double seconds) {
  constexpr double kLongest = 1e9; // some thirty years
  return systemClock().now() + static_cast<uint64_t>(std::min(seconds, kLongest) * 1e9);
}

Status DeadlineWatch::tooLong(double seconds, const std::string &where) {
  return {Code::kDeadlineExceeded,
          format("the call has taken longer than %g s: ", seconds) + where};
}

DeadlineWatch::Scope::Scope(DeadlineWatch &watch, Cancellation &work, double seconds)
    : watch_(watch), work_(work), deadline_(after(seconds)) {
  std::lock_guard<std::mutex> lock(watch.mutex_);
  watch.deadlines_.emplace(deadline_, &work);
  if (!watch.thread_)
    watch.thread_ = watch.threads_.start("sluice-deadlines", [&watch] { watch.run(); });
  watch.changed_.notify_one();
}

DeadlineWatch::Scope::~Scope() {
  std::lock_guard<std::mutex> lock(watch_.mutex_);
  auto [at, end] = watch_.deadlines_.equal_range(deadline_);
  for (; at != end; ++at)
    if (at->second == &work_) {
      watch_.deadlines_.erase(at);
      return;
    }
}

DeadlineWatch::~DeadlineWatch() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    changed_.notify_one();
  }
  thread_.reset(); // joins
}

void DeadlineWatch::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopping_) {
    uint64_t now = systemClock().now();
    while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
      deadlines_.begin()->second->request();
      deadlines_.erase(deadlines_.begin());
    }
    if (deadlines_.empty())
      changed_.wait(lock);
    else
      changed_.wait_for(lock, std::chrono::nanoseconds(deadlines_.begin()->first - now));
  }
}

} // namespace sluice::rt
