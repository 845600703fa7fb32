// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of streams. Whether an operation may run is decided by its stream and by events; which of
// those that may is next, by the policy and the seed.
#include "runtime/sim/streams.h"

#include "runtime/sim/driver.h"

#include <algorithm>

namespace sluice::rt::sim {

using cuda::Stream;

Stream Streams::create(int device, unsigned flags) {
  auto stream = std::make_unique<cuda::StreamObject>();
  stream->device = device;
  stream->flags = flags;
  stream->index = newIndex();
  streams_.push_back(std::move(stream));
  if (!thread_.joinable())
    thread_ = std::thread([this] { callHostFunctions(); });
  return streams_.back().get();
}

bool Streams::knows(Stream stream) const {
  return std::any_of(streams_.begin(), streams_.end(),
                     [&](const auto &one) { return one.get() == stream; });
}

bool Streams::anyCaptures() const {
  return std::any_of(streams_.begin(), streams_.end(),
                     [](const auto &stream) { return stream->capture != nullptr; });
}

void Streams::destroy(Lock &lock, Stream stream) {
  finish(lock, stream);
  std::erase_if(streams_, [&](const auto &one) { return one.get() == stream; });
}

// ---- What is enqueued ---------------------------------------------------------------------------

OperationId Streams::enqueue(Stream stream, Work work) {
  Operation operation;
  stream->clock.join(host_);
  stream->clock.tick(stream->index);
  stream->ordered.tick(stream->index);
  operation.id = history_.add(stream->index, stream->clock, work.name);
  if (trace_.isOn())
    operation.clock = stream->ordered;
  operation.work = std::move(work);
  stream->queue.push_back(std::move(operation));
  return stream->queue.back().id;
}

void Streams::enqueueWait(Stream stream, std::shared_ptr<Recording> recording) {
  stream->clock.join(recording->clock);
  stream->ordered.join(recording->ordered);
  Operation operation;
  operation.kind = Operation::kWait;
  operation.recording = std::move(recording);
  stream->queue.push_back(std::move(operation));
}

std::shared_ptr<Recording> Streams::enqueueRecord(Stream stream) {
  auto recording = std::make_shared<Recording>();
  recording->stream = stream;
  stream->clock.join(host_);
  recording->clock = stream->clock;
  recording->ordered = stream->ordered;
  Operation operation;
  operation.kind = Operation::kRecord;
  operation.recording = recording;
  stream->queue.push_back(std::move(operation));
  return recording;
}

void Streams::enqueueHostFunction(Stream stream, cuda::HostFunction function, void *data) {
  Operation operation;
  operation.kind = Operation::kHostFunction;
  operation.function = function;
  operation.data = data;
  stream->clock.join(host_);
  operation.clock = stream->clock;
  stream->queue.push_back(std::move(operation));
}

void Streams::runForHost(Work work) {
  host_.tick(kHost);
  OperationId id = history_.add(kHost, host_, work.name);
  if (!cancelled_)
    work.run(id);
}

void Streams::learnAll() {
  for (const auto &stream : streams_)
    host_.join(stream->clock);
}

// ---- What runs ----------------------------------------------------------------------------------

bool Streams::step(Stream stream) {
  if (stream->queue.empty())
    return false;
  Operation &operation = stream->queue.front();
  switch (operation.kind) {
  case Operation::kWait:
    if (!operation.recording->done && !cancelled_)
      return false;
    break;
  case Operation::kRecord:
    operation.recording->done = true;
    operation.recording->when = std::chrono::steady_clock::now();
    break;
  case Operation::kHostFunction:
    if (!operation.underWay) {
      operation.underWay = true;
      hostFunctions_.push_back({stream, &operation});
      changed_.notify_all();
    }
    return false;
  case Operation::kWork:
    if (cancelled_)
      break;
    trace_.add(stream->index, operation.clock, operation.work.name);
    operation.work.run(operation.id);
    break;
  }
  stream->queue.pop_front();
  return true;
}

bool Streams::demand(Stream stream) {
  if (stream->queue.empty())
    return false;
  const Operation &next = stream->queue.front();
  if (next.kind == Operation::kWait && !next.recording->done && !cancelled_)
    return demand(next.recording->stream);
  return step(stream);
}

bool Streams::stepAny() {
  size_t first = streams_.empty() ? 0 : random_.below(streams_.size());
  for (size_t i = 0; i < streams_.size(); ++i)
    if (step(streams_[(first + i) % streams_.size()].get()))
      return true;
  return false;
}

void Streams::pump() {
  ++calls_;
  if (asleep_ && !isIdle())
    changed_.notify_all();
  if (policy_ == Policy::kLazy)
    return;
  // Less than calls enqueue, so that work piles up, and in bursts.
  uint64_t most = policy_ == Policy::kEager ? UINT64_MAX
                  : random_.below(4) == 0   ? random_.below(6)
                                            : 0;
  for (uint64_t i = 0; i < most; ++i)
    if (!stepAny())
      return;
}

void Streams::finish(Lock &lock, Stream stream) {
  // What comes later, from other threads, is not waited for.
  auto recording = enqueueRecord(stream);
  finish(lock, recording);
}

void Streams::finish(Lock &lock, const std::shared_ptr<Recording> &recording) {
  while (!recording->done)
    if (!demand(recording->stream) && !recording->done)
      changed_.wait(lock);
}

void Streams::finishAll(Lock &lock) {
  std::vector<std::shared_ptr<Recording>> last;
  for (const auto &stream : streams_)
    last.push_back(enqueueRecord(stream.get()));
  for (const auto &recording : last)
    finish(lock, recording);
}

// ---- The thread ---------------------------------------------------------------------------------

// A lazy device is woken only by hosts that will not call again before it runs.
static int quietRounds(Policy policy) { return policy == Policy::kLazy ? 20 : 1; }

bool Streams::isIdle() const {
  return std::all_of(streams_.begin(), streams_.end(),
                     [](const auto &stream) { return stream->queue.empty(); });
}

// Host functions run here, without the lock: they may wait for threads that are inside a call.
void Streams::callHostFunctions() {
  Lock lock(driverLock());
  uint64_t seen = 0;
  int quiet = 0;
  while (!stopping_) {
    if (!hostFunctions_.empty()) {
      auto [stream, operation] = hostFunctions_.front();
      hostFunctions_.pop_front();
      host_.join(operation->clock);
      bool runs = !cancelled_;
      lock.unlock();
      if (runs)
        operation->function(operation->data);
      lock.lock();
      stream->queue.pop_front();
      changed_.notify_all();
      continue;
    }
    asleep_ = isIdle();
    if (asleep_)
      changed_.wait(lock);
    else
      changed_.wait_for(lock, std::chrono::milliseconds(1));
    asleep_ = false;
    quiet = calls_ == seen ? quiet + 1 : 0;
    seen = calls_;
    if (quiet >= quietRounds(policy_))
      stepAny();
  }
}

Streams::~Streams() {
  {
    Lock lock(driverLock());
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable())
    thread_.join();
}

} // namespace sluice::rt::sim
