// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers that are threads of this process.
#pragma once

#include "runtime/base/parallel.h"
#include "runtime/workers/completion_inbox.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace sluice::rt {

class WorkerThreads final : public Workers {
public:
  // Uses at most `workers` threads, started when there is work for them; fewer when the system
  // refuses, and none at all then means that work runs when it is enqueued. Idle processors
  // take part in pieces of kernels (runtime/base/parallel.h), if there is a worker at all.
  // With a seed, workers wait for up to 100 us now and then, for tests.
  WorkerThreads(Threads &threads, int workers, std::optional<uint64_t> delaySeed = std::nullopt);
  // Waits for running work; what has not begun is dropped.
  ~WorkerThreads() override;

  bool hasConcurrency() const override { return maxWorkers_ > 0; }
  void enqueue(std::unique_ptr<Work> work, CompletionInbox &inbox) override;

private:
  // Threads that share the pieces of kernels: workers, and the scheduler's processor while it
  // waits.
  static int sharing(size_t workers);
  void workerLoop(uint16_t worker);
  void awaitOrder(std::unique_lock<std::mutex> &lock);
  void startWorker();

  Threads &threads_;
  std::atomic<size_t> maxWorkers_;
  const std::optional<uint64_t> delaySeed_;

  std::mutex mutex_;
  std::condition_variable queueChanged_;
  struct Order {
    std::unique_ptr<Work> work;
    CompletionInbox *inbox;
  };
  std::deque<Order> queue_;
  std::atomic<size_t> queued_{0}; // changes under the lock
  size_t awake_ = 0, asleep_ = 0; // of the workers that wait for an order
  std::atomic<bool> stopping_ = false;
  std::vector<std::unique_ptr<ThreadHandle>> workers_;
  ParallelThreads parallel_{threads_, sharing(maxWorkers_)};
};

} // namespace sluice::rt
