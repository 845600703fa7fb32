// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Token machine: firings that end elsewhere: what workers do, and how long it may take; and
// what was parked.
//
// Workers that end nothing for too long will never do so, as far as we can know, but they may still
// write to what they were given. So the call fails, and the machine keeps everything and runs no
// other.
#include "runtime/executor/token_machine.h"

#include <algorithm>

namespace sluice::rt {

// Whoever runs the machine has other things to look at.
static constexpr uint64_t kLookNs = 50'000'000;

void TokenMachine::enqueue(std::unique_ptr<Firing> firing) {
  noteEnqueued(*firing);
  ++counters_.offloaded;
  workers_.enqueue(std::move(firing), inbox_);
}

// It comes back through the inbox.
void TokenMachine::noteEnqueued(Firing &firing) {
  if (enqueued_++ == 0)
    enqueuedSince_ = systemClock().now();
  ++elsewhere_;
  underWay_.push_back(&firing.node());
  if (firing.node().stateful)
    held_.hold(firing.node(), firing.iteration());
}

bool TokenMachine::tryCompletion() {
  Completion completion;
  if (!inbox_.tryTake(completion))
    return false;
  endWork(completion);
  return true;
}

bool TokenMachine::awaitCompletion() {
  Completion completion;
  if (inbox_.awaitNext(completion, kLookNs))
    endWork(completion);
  else
    checkWorkers();
  return true;
}

// Whether it was done elsewhere, and not parked.
bool TokenMachine::countCompletion(const Completion &completion) {
  if (!completion.work)
    return false;
  --elsewhere_;
  auto &firing = static_cast<Firing &>(*completion.work);
  if (firing.isParked()) {
    parked_.forget(firing);
    return false;
  }
  --enqueued_;
  enqueuedSince_ = systemClock().now();
  underWay_.erase(std::find(underWay_.begin(), underWay_.end(), &firing.node()));
  return true;
}

void TokenMachine::endWork(Completion &completion) {
  if (!completion.work) // objects that another call has used are free
    return retryWaiting();
  if (cards_ && cards_->goOn(*this, completion))
    return;
  if (trace_)
    traceCompletion(completion);
  auto &firing = static_cast<Firing &>(*completion.work);
  if (countCompletion(completion)) {
    releaseObjects(firing);
    retryWaiting();
  }
  if (firing.node().codelet && firing.node().codelet->isUnmeasured())
    firing.node().lastTime.note(completion.end - completion.begin);
  if (!completion.status.ok())
    return fail(std::move(completion.status).atNode(firing.node().name));
  Iteration &iteration = firing.iteration();
  finishFiring(firing);
  --iteration.outstanding;
  settle(iteration);
}

void TokenMachine::releaseObjects(const Firing &firing) {
  if (firing.node().stateful)
    held_.release(firing.node(), firing.iteration());
}

// In the order in which they were ready first, ahead of what has become so since.
void TokenMachine::retryWaiting() {
  auto waiting = held_.takeWaiting();
  for (size_t i = waiting.size(); i > 0; --i)
    ready_.pushFirst(waiting[i - 1].first, waiting[i - 1].second);
}

// Operands must not vanish while a worker reads them.
void TokenMachine::drainWorkers() {
  while (lingers()) {
    Completion ignored;
    if (inbox_.awaitNext(ignored, kLookNs))
      forget(ignored);
    else
      checkWorkers();
  }
}

void TokenMachine::noteEnded() {
  Completion ignored;
  while (lingers() && inbox_.tryTake(ignored))
    forget(ignored);
  if (lingers())
    checkWorkers();
}

void TokenMachine::forget(Completion &completion) {
  if (countCompletion(completion))
    releaseObjects(static_cast<Firing &>(*completion.work));
}

void TokenMachine::checkWorkers() {
  constexpr uint64_t kSecond = 1'000'000'000;
  if (systemClock().now() - enqueuedSince_ < mostKernelSeconds_ * kSecond)
    return;
  stuck_ = true;
  std::string text = format("no worker has ended it for %llu s, the limit",
                            static_cast<unsigned long long>(mostKernelSeconds_));
  fail(Status(Code::kDeadlineExceeded, text + seeLimit(Limit::kKernelSeconds))
           .atNode(underWay_.front()->name));
}

} // namespace sluice::rt
