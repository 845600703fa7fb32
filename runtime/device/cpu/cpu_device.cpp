// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPU device: one lock, two conditions. Only work far more expensive than a wake-up comes here.
#include "runtime/device/cpu/cpu_device.h"

#include "runtime/base/denormal_mode.h"
#include "runtime/base/splitmix.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace sluice::rt {

CpuDevice::CpuDevice(Threads &threads, int workers, std::optional<uint64_t> delaySeed)
    : threads_(threads), maxWorkers_(workers > 0 ? static_cast<size_t>(workers) : 0),
      delaySeed_(delaySeed) {}

CpuDevice::~CpuDevice() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  queueChanged_.notify_all();
  workers_.clear(); // joins
}

void CpuDevice::copy(void *to, const void *from, size_t bytes) { std::memcpy(to, from, bytes); }

void CpuDevice::startWorker() {
  auto worker = static_cast<uint16_t>(workers_.size() + 1);
  if (auto thread = threads_.start("sluice-worker", [this, worker] { workerLoop(worker); }))
    workers_.push_back(std::move(thread));
  else
    maxWorkers_ = workers_.size();
}

int CpuDevice::sharing(size_t workers) {
  return workers == 0 ? 0 : std::min(static_cast<int>(workers) + 1, usableProcessors());
}

// Two looks at the clock are nothing beside what is worth a worker.
static void complete(Device::Completion &completion) {
  ComputingThread computing;
  completion.begin = systemClock().now();
  completion.status = completion.work->run();
  completion.end = systemClock().now();
}

void CpuDevice::enqueue(std::unique_ptr<Work> work) {
  if (workers_.size() < maxWorkers_)
    startWorker();
  if (workers_.empty()) {
    Completion done{std::move(work), {}, 0};
    complete(done);
    inbox_.push_back(std::move(done));
    return;
  }
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  queueChanged_.notify_one();
}

// A worker may still be notifying of what the scheduler has already taken.
void CpuDevice::setCompletionNotifier(std::function<void()> notifier) {
  std::unique_lock lock(mutex_);
  notified_.wait(lock, [this] { return notifying_ == 0; });
  notifier_ = std::move(notifier);
}

bool CpuDevice::tryComplete(Completion &completion) {
  std::lock_guard lock(mutex_);
  if (inbox_.empty())
    return false;
  completion = std::move(inbox_.front());
  inbox_.pop_front();
  return true;
}

bool CpuDevice::awaitCompletion(Completion &completion, uint64_t nanoseconds) {
  std::unique_lock lock(mutex_);
  std::chrono::nanoseconds time(static_cast<int64_t>(nanoseconds));
  if (!inboxChanged_.wait_for(lock, time, [this] { return !inbox_.empty(); }))
    return false;
  completion = std::move(inbox_.front());
  inbox_.pop_front();
  return true;
}

void CpuDevice::workerLoop(uint16_t worker) {
  FlushDenormals flush;
  SplitMix64 delays(delaySeed_.value_or(0) + worker);
  std::unique_lock lock(mutex_);
  while (true) {
    queueChanged_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (stopping_)
      return;
    Completion done{std::move(queue_.front()), {}, worker};
    queue_.pop_front();
    lock.unlock();
    if (delaySeed_ && delays.next() % 4 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(delays.next() % 100));
    complete(done);
    lock.lock();
    inbox_.push_back(std::move(done));
    inboxChanged_.notify_one();
    if (!notifier_)
      continue;
    // After the completion can be seen, so that nobody looks too early and then sleeps.
    ++notifying_;
    lock.unlock();
    notifier_();
    lock.lock();
    if (--notifying_ == 0)
      notified_.notify_all();
  }
}

} // namespace sluice::rt
