// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worker threads: one lock, one condition. Only work far more expensive than a wake-up comes here;
// who has just ended some is awake for the next.
#include "runtime/workers/worker_threads.h"

#include "runtime/base/denormal_mode.h"
#include "runtime/base/spinning.h"
#include "runtime/base/splitmix.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace sluice::rt {

WorkerThreads::WorkerThreads(Threads &threads, int workers, std::optional<uint64_t> delaySeed)
    : threads_(threads), maxWorkers_(workers > 0 ? static_cast<size_t>(workers) : 0),
      delaySeed_(delaySeed) {}

WorkerThreads::~WorkerThreads() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  queueChanged_.notify_all();
  workers_.clear(); // joins
}

void WorkerThreads::startWorker() {
  auto worker = static_cast<uint16_t>(workers_.size() + 1);
  if (auto thread = threads_.start("sluice-worker", [this, worker] { workerLoop(worker); }))
    workers_.push_back(std::move(thread));
  else
    maxWorkers_ = workers_.size();
}

int WorkerThreads::sharing(size_t workers) {
  return workers == 0 ? 0 : std::min(static_cast<int>(workers) + 1, usableProcessors());
}

// Two looks at the clock are nothing beside what is worth a worker.
static void complete(Completion &completion, ComputingThread::Turn turn) {
  ComputingThread computing(turn);
  completion.begin = systemClock().now();
  completion.status = completion.work->run();
  completion.end = systemClock().now();
}

void WorkerThreads::enqueue(std::unique_ptr<Work> work, CompletionInbox &inbox) {
  {
    auto lock = lockSoon(mutex_);
    if (workers_.size() < maxWorkers_)
      startWorker();
    if (!workers_.empty()) {
      queue_.push_back({std::move(work), &inbox});
      queued_.store(queue_.size(), std::memory_order_release);
      const bool hasToWake = queue_.size() > awake_ && asleep_ > 0;
      lock.unlock();
      if (hasToWake)
        queueChanged_.notify_one();
      return;
    }
  }
  Completion done{std::move(work), {}, 0};
  complete(done, ComputingThread::Turn::kNow);
  inbox.put(std::move(done));
}

void WorkerThreads::awaitOrder(std::unique_lock<std::mutex> &lock) {
  const auto isOver = [this] { return stopping_ || queued_.load(std::memory_order_acquire) > 0; };
  if (isOver())
    return;
  ++awake_;
  lock.unlock();
  spinUntil(kTurnsOfWaking, isOver);
  lockSoon(lock);
  --awake_;
  ++asleep_;
  queueChanged_.wait(lock, isOver);
  --asleep_;
}

void WorkerThreads::workerLoop(uint16_t worker) {
  FlushDenormals flush;
  SplitMix64 delays(delaySeed_.value_or(0) + worker);
  auto lock = lockSoon(mutex_);
  while (true) {
    awaitOrder(lock);
    if (stopping_)
      return;
    Order order = std::move(queue_.front());
    queue_.pop_front();
    queued_.store(queue_.size(), std::memory_order_release);
    lock.unlock();
    if (delaySeed_ && delays.next() % 4 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(delays.next() % 100));
    Completion done{std::move(order.work), {}, worker};
    complete(done, ComputingThread::Turn::kWhenThereIsRoom);
    order.inbox->put(std::move(done));
    lockSoon(lock);
  }
}

} // namespace sluice::rt
