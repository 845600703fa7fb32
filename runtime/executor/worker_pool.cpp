// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worker pool: one lock, two conditions. A worker is woken only for kernels worth far more than that.
#include "runtime/executor/worker_pool.h"

namespace sluice::rt {

WorkerPool::WorkerPool(Threads &threads, int count) {
  for (int i = 0; i < count; ++i)
    if (auto thread = threads.start("sluice-worker", [this] { work(); }))
      threads_.push_back(std::move(thread));
}

WorkerPool::~WorkerPool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    jobs_.clear();
  }
  jobsChanged_.notify_all();
  threads_.clear(); // joins
}

void WorkerPool::submit(std::unique_ptr<KernelFiring> firing) {
  {
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(firing));
  }
  jobsChanged_.notify_one();
}

bool WorkerPool::tryReceive(Job &job) {
  std::lock_guard lock(mutex_);
  if (inbox_.empty())
    return false;
  job = std::move(inbox_.front());
  inbox_.pop_front();
  return true;
}

void WorkerPool::receive(Job &job) {
  std::unique_lock lock(mutex_);
  inboxChanged_.wait(lock, [this] { return !inbox_.empty(); });
  job = std::move(inbox_.front());
  inbox_.pop_front();
}

void WorkerPool::work() {
  FlushDenormals flush;
  std::unique_lock lock(mutex_);
  while (true) {
    jobsChanged_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (stopping_)
      return;
    Job job{std::move(jobs_.front()), {}};
    jobs_.pop_front();
    lock.unlock();
    job.status = job.firing->run();
    lock.lock();
    inbox_.push_back(std::move(job));
    inboxChanged_.notify_one();
  }
}

} // namespace sluice::rt
