// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers for tests whose work ends only when somebody waits for it, or not at all.
#pragma once

#include "runtime/workers/completion_inbox.h"

#include <thread>

namespace sluice::rt {

class LateWorkers final : public Workers {
public:
  ~LateWorkers() override {
    stopping_ = true;
    if (worker_.joinable())
      worker_.join();
  }
  bool hasConcurrency() const override { return true; }
  void enqueue(std::unique_ptr<Work> work, CompletionInbox &inbox) override {
    std::lock_guard<std::mutex> lock(mutex_);
    queue_.push_back({std::move(work), &inbox});
    if (!worker_.joinable())
      worker_ = std::thread([this] { endWhatIsAwaited(); });
  }

  std::atomic<unsigned> ends = ~0u; // how many more will end

private:
  struct Order {
    std::unique_ptr<Work> work;
    CompletionInbox *inbox;
  };

  void endWhatIsAwaited() {
    while (!stopping_) {
      std::unique_lock<std::mutex> lock(mutex_);
      if (queue_.empty() || ends == 0 || !queue_.front().inbox->isAwaited()) {
        lock.unlock();
        std::this_thread::yield();
        continue;
      }
      Order order = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      --ends;
      Completion completion{std::move(order.work), {}, 1};
      completion.status = completion.work->run();
      order.inbox->put(std::move(completion));
    }
  }

  std::mutex mutex_;
  std::deque<Order> queue_;
  std::thread worker_;
  std::atomic<bool> stopping_ = false;
};

} // namespace sluice::rt
