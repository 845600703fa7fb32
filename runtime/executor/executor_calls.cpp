// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executor: calls, from the first token to the results.
#include "runtime/executor/executor.h"

namespace sluice::rt {

// Some milliseconds.
static constexpr unsigned kFiringsBetweenLooks = 1 << 16;
// The same for a call that waits for others.
static constexpr uint64_t kNsBetweenLooks = 50'000'000;

std::unique_ptr<Call> Executor::prepare(size_t signature) {
  Environment environment;
  environment.resources = resourcePointers_;
  environment.print = &options_.print;
  return std::make_unique<Call>(machines_, signature, infos_[signature].fetches.size(),
                                environment);
}

std::unique_ptr<Call> Executor::begin(size_t signature, std::span<const Tensor> feeds,
                                      uint64_t number) {
  std::unique_ptr<Call> call = prepare(signature);
  call->begin(feeds, number);
  return call;
}

Result<std::vector<Tensor>> Executor::call(size_t signature, std::span<const Tensor> feeds) {
  underWay_.begin();
  std::unique_ptr<Call> call = begin(signature, feeds, ++calls_);
  Status status = runInTime(*call);
  leftoverTokens_ = call->machine().counters().leftoverTokens;
  underWay_.end();
  if (!status.ok())
    return status;
  return call->takeFetches();
}

Result<std::vector<Tensor>> Executor::callAmongOthers(size_t signature,
                                                      std::span<const Tensor> feeds,
                                                      std::optional<double> seconds,
                                                      uint64_t &leftoverTokens) {
  std::unique_ptr<Call> call = prepare(signature);
  Status status = runAmongOthers(*call, feeds, seconds);
  leftoverTokens = call->machine().counters().leftoverTokens;
  if (!status.ok())
    return status;
  return call->takeFetches();
}

Status Executor::runAmongOthers(Call &call, std::span<const Tensor> feeds,
                                std::optional<double> seconds, Workplace *workplace) {
  underWay_.begin();
  call.begin(feeds, ++calls_);
  TokenMachine &machine = call.machine();
  std::optional<DeadlineWatch::Scope> deadline;
  if (seconds)
    deadline.emplace(deadlines_, machine.cancellation(), *seconds);
  auto endInTime = [&] {
    if (machine.done())
      return;
    if (deadline && deadline->passed())
      machine.abort(DeadlineWatch::tooLong(*seconds, machine.describeProgress()));
    else if (machine.cancellation().requested())
      machine.abort({Code::kCancelled, "the call was cancelled: " + machine.describeProgress()});
  };
  run(call, endInTime, workplace);
  Status status = machine.finish();
  if (status.code() == Code::kCancelled && deadline && deadline->passed())
    status =
        DeadlineWatch::tooLong(*seconds, "node '" + std::string(status.node()) + "' was computing");
  call.dropFeeds();
  underWay_.end();
  return status;
}

Status Executor::runInTime(Call &call) {
  TokenMachine &machine = call.machine();
  CallTimer *timer = options_.timer;
  if (timer)
    timer->cancels(&machine.cancellation());
  run(call, [&] {
    if (timer && timer->passed() && !machine.done())
      machine.abort(timer->status(machine.describeProgress()));
  });
  if (timer)
    timer->cancels(nullptr);
  Status status = machine.finish();
  if (status.code() == Code::kCancelled && timer && timer->passed())
    status = timer->status("node '" + std::string(status.node()) +
                           "' was computing, a compiled loop or a kernel");
  return status;
}

template <typename EndInTime>
void Executor::run(Call &call, const EndInTime &endInTime, Workplace *workplace) {
  TokenMachine &machine = call.machine();
  unsigned reported = reportsWanted_ ? reportsWanted_->load() : 0;
  auto look = [&] {
    report(call, reported);
    endInTime();
  };
  auto awaitOthers = [&] {
    if (workplace)
      workplace->leave();
    const bool helped = underWay_.awaitOthers(machine.inbox(), kNsBetweenLooks);
    auto isOver = [&] {
      look();
      return machine.done();
    };
    return (!workplace || workplace->comeBack(isOver)) && helped;
  };
  do {
    while (machine.step(kFiringsBetweenLooks))
      look();
    look();
  } while (!machine.done() && machine.awaitsOthers() && awaitOthers());
}

} // namespace sluice::rt
