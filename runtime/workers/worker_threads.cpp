// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worker threads: one lock, one condition. Only work far more expensive than a wake-up comes here.
#include "runtime/workers/worker_threads.h"

#include "runtime/base/denormal_mode.h"
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
    std::lock_guard lock(mutex_);
    if (workers_.size() < maxWorkers_)
      startWorker();
    if (!workers_.empty()) {
      queue_.push_back({std::move(work), &inbox});
      queueChanged_.notify_one();
      return;
    }
  }
  Completion done{std::move(work), {}, 0};
  complete(done, ComputingThread::Turn::kNow);
  inbox.put(std::move(done));
}

void WorkerThreads::workerLoop(uint16_t worker) {
  FlushDenormals flush;
  SplitMix64 delays(delaySeed_.value_or(0) + worker);
  std::unique_lock lock(mutex_);
  while (true) {
    queueChanged_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (stopping_)
      return;
    Order order = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    if (delaySeed_ && delays.next() % 4 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(delays.next() % 100));
    Completion done{std::move(order.work), {}, worker};
    complete(done, ComputingThread::Turn::kWhenThereIsRoom);
    order.inbox->put(std::move(done));
    lock.lock();
  }
}

} // namespace sluice::rt
