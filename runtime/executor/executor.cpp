// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executor: state of the process around the token machines of its signatures.
#include "runtime/executor/executor.h"

#include "runtime/device/cpu/cpu_device.h"
#include "runtime/executor/arena.h"
#include "runtime/memory/guard_pages.h"
#include "runtime/state/table.h"
#include "runtime/trace/trace_file.h"

#include <algorithm>

namespace sluice::rt {

// Some milliseconds.
static constexpr unsigned kFiringsBetweenLooks = 1 << 16;

Executor::Executor(std::unique_ptr<Program> program, Threads &threads, TokenExchange *exchange)
    : program_(std::move(program)), threads_(threads), exchange_(exchange),
      device_(std::make_unique<CpuDevice>(threads, options_.workers)) {
  for (const auto &signature : program_->signatures())
    infos_.push_back(signature->info);
  for (const Resource &resource : program_->resources()) {
    Object *object;
    if (resource.kind == ResourceKind::kVariable) {
      auto *variable = new Variable(resource.key, resource.dtype, resource.shape);
      variable->value = resource.initial;
      if (variable->isShown())
        variables_.push_back(variable);
      object = variable;
    } else if (resource.kind == ResourceKind::kTable) {
      object = new TableSlot();
    } else {
      object = new Generator();
    }
    resources_.push_back(Ref<Object>::adopt(object));
    resourcePointers_.push_back(resources_.back().get());
  }
  machines_.resize(infos_.size());
}

void Executor::setOptions(const RunOptions &options) {
  options_ = options;
  if (buffersAreGuarded()) {
    program_->guardOperands();
    guardVariables();
  }
  for (auto &machine : machines_)
    machine.reset();
  trace_.reset();
  if (traceLimit_)
    trace_ = std::make_unique<TraceBuffer>(traceLimit_, systemClock());
  device_ = std::make_unique<CpuDevice>(threads_, options.workers, options.scheduleSeed);
  device_->setCompletionNotifier(completionNotifier_);
}

// Values that lie in the image move out of it; those for which there is no memory stay.
void Executor::guardVariables() {
  for (Variable *variable : variables_)
    if (variable->initialized())
      if (Result<Tensor> copy = variable->value.clone(); copy.ok())
        variable->value = std::move(*copy);
}

void Executor::setCompletionNotifier(std::function<void()> notifier) {
  completionNotifier_ = std::move(notifier);
  device_->setCompletionNotifier(completionNotifier_);
}

TokenMachine &Executor::machine(size_t signature) {
  std::unique_ptr<TokenMachine> &machine = machines_[signature];
  if (!machine)
    machine = std::make_unique<TokenMachine>(*program_->signatures()[signature],
                                             options_.parallelIterations, options_.scheduleSeed,
                                             *device_, exchange_, trace_.get(), options_.limits);
  return *machine;
}

Environment Executor::environment(uint64_t call) const {
  Environment environment;
  environment.resources = resourcePointers_;
  environment.call = call;
  environment.print = &options_.print;
  return environment;
}

Result<std::vector<Tensor>> Executor::call(size_t signature, std::span<const Tensor> feeds) {
  TokenMachine &machine = this->machine(signature);
  Environment environment = this->environment(++calls_);
  std::vector<Tensor> fetches(infos_[signature].fetches.size());
  machine.begin(feeds, fetches, environment);
  CallTimer *timer = options_.timer;
  if (timer)
    timer->cancels(&machine.cancellation());
  while (machine.step(kFiringsBetweenLooks)) {
    report(&machine);
    if (timer && timer->passed())
      machine.abort(timer->status(machine.describeProgress()));
  }
  if (timer)
    timer->cancels(nullptr);
  Status status = machine.finish();
  if (status.code() == Code::kCancelled && timer && timer->passed())
    status = timer->status("node '" + std::string(status.node()) +
                           "' was computing, a compiled loop or a kernel");
  leftoverTokens_ = machine.counters().leftoverTokens;
  if (!status.ok())
    return status;
  return fetches;
}

std::string Executor::trace() const {
  if (!trace_)
    return {};
  TracedRank self{*program_, *trace_};
  return traceFile({&self, 1});
}

void Executor::report(const TokenMachine *machine) {
  if (!reportWanted_ || !reportWanted_->exchange(false) || !options_.print)
    return;
  options_.print(machine ? format("call %llu: ", static_cast<unsigned long long>(calls_)) +
                               machine->describeProgress()
                         : "no call is running");
}

void Executor::attend() { report(nullptr); }

bool Executor::stuck() {
  return std::any_of(machines_.begin(), machines_.end(),
                     [](const auto &machine) { return machine && machine->stuck(); });
}

StepCounters Executor::countersOfAllCalls() const {
  StepCounters sum;
  for (const auto &machine : machines_) {
    if (!machine)
      continue;
    const StepCounters &c = machine->counters();
    sum.firings += c.firings;
    sum.deadFirings += c.deadFirings;
    sum.kernels += c.kernels;
    sum.floatKernels += c.floatKernels;
    sum.codelets += c.codelets;
    sum.codeletBails += c.codeletBails;
    sum.codeletFloatOps += c.codeletFloatOps;
    sum.offloaded += c.offloaded;
    sum.iterations += c.iterations;
    sum.framesEntered += c.framesEntered;
    sum.leftoverTokens += c.leftoverTokens;
    sum.tokensSent += c.tokensSent;
    sum.deadTokensSent += c.deadTokensSent;
    sum.tokensReceived += c.tokensReceived;
    sum.maxEarlyTokens = std::max(sum.maxEarlyTokens, c.maxEarlyTokens);
    sum.maxLiveIterations = std::max(sum.maxLiveIterations, c.maxLiveIterations);
  }
  return sum;
}

uint64_t Executor::plannedBytes() const {
  uint64_t outputs = 0, arena = 0;
  for (const auto &signature : program_->signatures())
    for (const auto &node : signature->nodes) {
      if (!node->codelet)
        continue;
      for (const CodeletOutput &output : node->codelet->outputs)
        outputs += output.bytes > Tensor::kInlineBytes ? output.bytes : 0;
      if (node->codelet->code)
        arena = std::max(arena, static_cast<uint64_t>(node->codelet->code->arenaBytes));
    }
  return outputs + arena;
}

Stats Executor::stats() const {
  StepCounters sum = countersOfAllCalls();
  uint64_t floatOps = sum.codeletFloatOps + sum.floatKernels;
  auto number = [](uint64_t n) { return static_cast<double>(n); };
  Stats stats{
      {"firings", number(sum.firings)},
      {"dead_firings", number(sum.deadFirings)},
      {"kernels", number(sum.kernels)},
      {"kernels_enqueued", number(sum.offloaded)},
      {"float_kernels", number(sum.floatKernels)},
      {"codelets", number(sum.codelets)},
      {"codelet_bails", number(sum.codeletBails)},
      {"codelet_float_ops", number(sum.codeletFloatOps)},
      {"float_ops_in_codelets", floatOps ? number(sum.codeletFloatOps) / number(floatOps) : 0},
      {"iterations", number(sum.iterations)},
      {"frames_entered", number(sum.framesEntered)},
      {"max_live_iterations", number(sum.maxLiveIterations)},
      {"leftover_tokens", number(sum.leftoverTokens)},
      {"arena_bytes", number(arenaBytes())},
      {"planned_bytes", number(plannedBytes())}};
  if (exchange_)
    stats.insert(stats.end(), {{"tokens_sent", number(sum.tokensSent)},
                               {"dead_tokens_sent", number(sum.deadTokensSent)},
                               {"tokens_received", number(sum.tokensReceived)},
                               {"max_early_tokens", number(sum.maxEarlyTokens)}});
  return stats;
}

} // namespace sluice::rt
