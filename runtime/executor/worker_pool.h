// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads for heavy kernels, and the inbox in which results come back to the scheduler.
#pragma once

#include "runtime/base/threads.h"
#include "runtime/executor/denormals.h"
#include "runtime/executor/kernel_firing.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace sluice::rt {

class WorkerPool {
public:
  struct Job {
    std::unique_ptr<KernelFiring> firing;
    Status status;
  };

  // Starts at most `count` threads; fewer when the system refuses.
  WorkerPool(Threads &threads, int count);
  // Waits for running kernels; jobs not yet begun are dropped.
  ~WorkerPool();

  bool hasWorkers() const { return !threads_.empty(); }
  void submit(std::unique_ptr<KernelFiring> firing);
  // A finished job, if there is one.
  bool tryReceive(Job &job);
  // Blocks until a job is finished. Only while one is submitted: kernels end, so this does.
  void receive(Job &job);

private:
  void work();

  std::mutex mutex_;
  std::condition_variable jobsChanged_, inboxChanged_;
  std::deque<std::unique_ptr<KernelFiring>> jobs_;
  std::deque<Job> inbox_;
  bool stopping_ = false;
  std::vector<std::unique_ptr<ThreadHandle>> threads_;
};


} // namespace sluice::rt
