// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executor: state of the process around the token machines of its signatures. Calls are in
// executor_calls.cpp; what stands here runs once or seldom, and is compiled to be small.
#include "runtime/executor/executor.h"

#include "runtime/executor/arena.h"
#include "runtime/memory/guard_pages.h"
#include "runtime/state/object_slot.h"
#include "runtime/trace/trace_file.h"
#include "runtime/workers/worker_threads.h"

#include <algorithm>

namespace sluice::rt {

Executor::Executor(std::unique_ptr<Program> program, Threads &threads, TokenExchange *exchange)
    : program_(std::move(program)), threads_(threads), exchange_(exchange),
      workers_(std::make_unique<WorkerThreads>(threads, options_.workers)),
      machines_(program_->signatures().size(),
                [this](size_t signature) { return makeMachine(signature); }),
      deadlines_(threads) {
  for (const auto &signature : program_->signatures())
    infos_.push_back(signature->info);
  for (const Resource &resource : program_->resources()) {
    LastingObject *object;
    if (resource.kind == ResourceKind::kVariable) {
      auto *variable = new Variable(resource.key, resource.dtype, resource.shape);
      variable->value = resource.initial;
      if (variable->isShown())
        variables_.push_back(variable);
      object = variable;
    } else if (resource.kind == ResourceKind::kGenerator) {
      object = new Generator();
    } else {
      object = new ObjectSlot(ObjectSlot::typeOf(kindName(resource.kind)));
    }
    resources_.push_back(Ref<Object>::adopt(object));
    resourcePointers_.push_back(object);
    lasting_.push_back({std::string(kindName(resource.kind)), resource.key, object});
  }
}

Executor::~Executor() = default;

Status Executor::openDevices() {
  DeviceChoice::Kind wanted = options_.device.kind;
  if (wanted == DeviceChoice::Kind::kHost) {
    if (!program_->canLeaveCards())
      return Status(Code::kUnavailable, "expected code that needs no card but the program has none "
                                        "(ranks of a cluster and --card-only)");
    machines_.clear();
    program_->leaveCards();
  } else if (wanted != DeviceChoice::Kind::kAsCompiled && program_->cards() == 0) {
    return Status(Code::kUnavailable, "expected code for a card but the program has none: compile "
                                      "it with --target=cuda");
  }
  if (program_->cards() == (cards_ ? cards_->count() : 0))
    return okStatus();
  if (!program_->openCards())
    return Status(Code::kUnavailable,
                  "the program is for a card, which nobody within this process opens");
  machines_.clear();
  // Also those that fail live as long as what the program has put there.
  Status status;
  CardOptions options{options_.device, options_.deviceMemoryLimit, options_.swapping,
                      options_.cardLibrary, options_.allowTf32};
  program_->openCards()(*program_, options, cards_, status);
  if (status.ok())
    return placeVariables();
  if (status.code() == Code::kUnavailable && program_->canLeaveCards())
    return Status(Code::kUnavailable,
                  status.message() + "; --device=cpu runs the program without a card");
  return status;
}

Status Executor::placeVariables() {
  std::span<const Resource> resources = program_->resources();
  for (size_t i = 0; i < resources.size(); ++i)
    if (MemoryNumber memory = resources[i].memory)
      SLUICE_RETURN_IF_ERROR(
          static_cast<Variable &>(*resourcePointers_[i]).moveTo(cards_->memory(memory)));
  return okStatus();
}

Result<Tensor> Executor::allocateToken(const Node &recv, DType dtype, const Shape &shape) {
  if (recv.memory != kHostMemory && cards_ && recv.memory <= cards_->count())
    if (Tensor pinned = cards_->tryAllocatePinned(recv.memory, dtype, shape); pinned.valid())
      return pinned;
  return Tensor::allocate(dtype, shape);
}

void Executor::setOptions(const RunOptions &options) {
  options_ = options;
  if (buffersAreGuarded()) {
    program_->guardOperands();
    guardVariables();
  }
  machines_.clear();
  trace_.reset();
  if (traceLimit_)
    trace_ = std::make_unique<TraceBuffer>(traceLimit_, systemClock());
  workers_ = std::make_unique<WorkerThreads>(threads_, options.workers, options.scheduleSeed);
}

// Values that lie in the image move out of it; those for which there is no memory stay.
void Executor::guardVariables() {
  for (Variable *variable : variables_)
    if (variable->initialized())
      if (Result<Tensor> copy = variable->value.clone(); copy.ok())
        variable->value = std::move(*copy); // of the host, since cards are opened later
}

void Executor::setCompletionNotifier(std::function<void()> notifier) {
  completionNotifier_ = std::move(notifier);
  machines_.clear();
}

std::unique_ptr<TokenMachine> Executor::makeMachine(size_t signature) {
  auto machine = std::make_unique<TokenMachine>(
      *program_->signatures()[signature], options_.parallelIterations, options_.scheduleSeed,
      *workers_, exchange_, trace_.get(), options_.limits, shared_.get());
  machine->inbox().setNotifier(completionNotifier_);
  machine->setCards(cards_.get());
  return machine;
}

Status Executor::allowCalls(unsigned count) {
  if (count > 1 && trace_ && !exchange_) // one thread drives all calls of a rank
    trace_->share();
  machines_.clear();
  shared_ = count > 1 ? std::make_unique<SharedObjects>() : nullptr;
  if (count > 1 && options_.print)
    options_.print = [this, print = std::move(options_.print)](std::string_view text) {
      std::lock_guard<std::mutex> lock(printing_);
      print(text);
    };
  return okStatus();
}

void Executor::report(const Call &call, unsigned &reported) {
  if (!reportsWanted_ || *reportsWanted_ == reported)
    return;
  idleReported_ = reported = *reportsWanted_;
  if (options_.print)
    options_.print(format("call %llu: ", static_cast<unsigned long long>(call.number())) +
                   call.machine().describeProgress());
}

void Executor::attend() {
  if (!reportsWanted_ || *reportsWanted_ == idleReported_)
    return;
  idleReported_ = reportsWanted_->load();
  if (options_.print)
    options_.print("no call is running");
}

std::string Executor::trace() const {
  if (!trace_)
    return {};
  TracedRank self{*program_, *trace_};
  return traceFile({&self, 1});
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
  StepCounters sum = machines_.counters();
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
  if (cards_)
    cards_->addFigures(stats);
  return stats;
}

} // namespace sluice::rt
