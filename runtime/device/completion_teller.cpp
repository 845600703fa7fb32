// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CompletionTeller. It polls: functions that a driver calls would hold up the stream that they are
// on, and are not called at all once the device is broken.
#include "runtime/device/completion_teller.h"

#include "runtime/device/backoff.h"

namespace sluice::rt {

void CompletionTeller::put(Awaited &awaited, Status status) {
  awaited.completion.end = systemClock().now();
  awaited.completion.status = std::move(status);
  awaited.inbox->put(std::move(awaited.completion));
}

void CompletionTeller::tell(Moment moment, std::unique_ptr<Work> work, CompletionInbox &inbox) {
  Awaited awaited{moment, {std::move(work), {}, 0, systemClock().now()}, &inbox};
  {
    std::lock_guard lock(mutex_);
    if (!thread_)
      thread_ = threads_.start("sluice-device", [this] { run(); });
    if (thread_) {
      news_.push_back(std::move(awaited));
      changed_.notify_one();
      return;
    }
  }
  put(awaited, device_.await(moment, {"what was to be told", mostNanoseconds_}));
}

std::vector<CompletionTeller::Awaited> CompletionTeller::takeEnded(Device &device,
                                                                   std::vector<Awaited> &awaited) {
  std::vector<Awaited> ended;
  size_t kept = 0;
  for (Awaited &one : awaited) {
    auto over = device.hasCompleted(one.moment);
    one.completion.status = over.status();
    if (!over.ok() || *over)
      ended.push_back(std::move(one));
    else if (&awaited[kept++] != &one)
      awaited[kept - 1] = std::move(one);
  }
  awaited.resize(kept);
  return ended;
}

void CompletionTeller::run() {
  std::vector<Awaited> awaited;
  Backoff backoff;
  std::unique_lock lock(mutex_);
  while (true) {
    if (awaited.empty())
      changed_.wait(lock, [this] { return stopping_ || !news_.empty(); });
    else if (backoff.time().count() > 0)
      changed_.wait_for(lock, backoff.time(), [this] { return stopping_ || !news_.empty(); });
    if (!news_.empty())
      backoff.restart();
    std::move(news_.begin(), news_.end(), std::back_inserter(awaited));
    news_.clear();
    bool last = stopping_;
    lock.unlock();
    for (Awaited &ended : takeEnded(device_, awaited)) {
      put(ended, std::move(ended.completion.status));
      backoff.restart();
    }
    if (last) {
      for (Awaited &one : awaited)
        put(one, Status(Code::kCancelled, device_.name() + " is being closed"));
      return;
    }
    if (backoff.time().count() == 0)
      backoff.pause();
    else
      backoff.lengthen();
    lock.lock();
  }
}

void CompletionTeller::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.reset(); // joins
}

} // namespace sluice::rt
