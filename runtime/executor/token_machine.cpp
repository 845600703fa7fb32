// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Token machine: the call as a whole, delivery of tokens, and the life of frames.
#include "runtime/executor/token_machine.h"

#include "runtime/base/denormal_mode.h"

#include <algorithm>

namespace sluice::rt {

TokenMachine::TokenMachine(const Signature &signature, std::optional<int> window,
                           std::optional<uint64_t> scheduleSeed, Workers &workers,
                           TokenExchange *exchange, TraceBuffer *trace, const Limits &limits,
                           SharedObjects *shared)
    : signature_(signature), window_(window), pool_(signature), ready_(scheduleSeed),
      workers_(workers), exchange_(exchange), held_(shared, inbox_), othersTell_(shared ? 1 : 0),
      elsewhere_(othersTell_), mostIterations_(limits[Limit::kIterations]),
      mostCalls_(limits[Limit::kCallDepth]), mostEarly_(limits[Limit::kEarlyTokens]),
      mostEarlyBytes_(limits[Limit::kEarlyBytes]),
      mostKernelSeconds_(limits[Limit::kKernelSeconds]),
      inlineOperations_(limits[Limit::kInlineOperations]), trace_(trace) {}

void TokenMachine::begin(std::span<const Tensor> feeds, std::span<Tensor> fetches,
                         Environment &environment) {
  if (stuck_)
    return; // fails as the last one has
  status_ = okStatus();
  cancellation_.reset();
  offender_.reset();
  feeds_ = feeds;
  fetches_ = fetches;
  environment_ = &environment;
  environment.parking = &parked_;
  fetchesDone_ = targetsDone_ = 0;
  early_ = earlyBytes_ = 0;
  counters_.leftoverTokens = 0;
  root_ = pool_.take(signature_.frames[0]);
  root_->start(nullptr, nullptr, 1);
  if (trace_)
    traceBegin();
  Iteration &first = openIteration(*root_);
  for (const Node *node : signature_.sources)
    markReady(node, &first);
  first.outstanding += static_cast<uint32_t>(signature_.rootRecvs.size());
  settle(first); // a signature may have nothing to do
}

bool TokenMachine::advance(unsigned firings) {
  return trace_ ? advanceWith<true>(firings) : advanceWith<false>(firings);
}

template <bool kTraced> bool TokenMachine::advanceWith(unsigned firings) {
  FlushDenormals flush;
  CancellationScope scope(cancellation_); // small codelets have none of their own
  bool active = false;
  for (; firings && status_.ok(); --firings) {
    if (elsewhere_ && tryCompletion()) {
      active = true;
      continue;
    }
    if (ready_.empty()) {
      if (!enterLatestCall())
        break;
      active = true;
      continue;
    }
    auto [node, iteration] = ready_.pop();
    active = true;
    if (held_.parks(*node, *iteration)) [[unlikely]]
      continue;
    if (kTraced && waitingSince_)
      endWait(node->kind == NodeKind::kRecv ? node : nullptr);
    if (ready_.shuffled())
      addToDigest(*node, *iteration);
    if constexpr (kTraced)
      fireTraced(*node, *iteration);
    else
      fire(*node, *iteration);
  }
  if (kTraced && !waitingSince_ && !hasReady() && !done())
    waitingSince_ = trace_->now();
  if (!active && enqueued_)
    checkWorkers();
  return active && status_.ok();
}

Status TokenMachine::finish() {
  Status outcome = checkOutcome();
  if (trace_)
    traceEnd(outcome);
  if (!stuck_)
    dropEverything();
  return outcome;
}

Status TokenMachine::checkOutcome() {
  drainWorkers();
  if (!status_.ok())
    return status_;
  if (root_->oldest == root_->next)
    return okStatus();
  return failedPrecondition("the call cannot go on: " + describeWaiting());
}

void TokenMachine::dropEverything() {
  parked_.withdrawAll();
  elsewhere_ = othersTell_;
  ready_.clear();
  held_.clear();
  calls_.clear();
  for (const auto &instance : pool_.all()) {
    if (!instance->live)
      continue;
    for (Iteration *i = instance->oldestIteration(); i; i = i->following) {
      for (uint32_t slot = 0; slot < instance->info.numSlots; ++slot)
        i->slots[slot].reset();
      std::fill_n(i->children.get(), instance->info.numChildren, nullptr);
    }
    instance->deferred.clear();
    pool_.give(instance.get());
  }
  root_ = nullptr;
}

//===-- Delivery ------------------------------------------------------------------------------===//

// The last consumer need not share the value.
[[gnu::always_inline]] static inline void put(Tensor &slot, Tensor &value, bool moves) {
  if (moves)
    slot = std::move(value);
  else
    slot = value;
}

void TokenMachine::deliver(const Node &from, size_t port, Tensor *value, bool dead, Iteration &to) {
  std::span<const Edge> edges = from.ports[port];
  const Edge *end = edges.data() + edges.size();
  for (const Edge *edge = edges.data(); edge != end; ++edge) {
    bool moves = edge + 1 == end;
    if (edge->toMerge) {
      arriveAtMerge(*edge, value, moves, dead, to);
      continue;
    }
    if (edge->toRecv) {
      arriveAtRecv(*edge->node, to);
      continue;
    }
    NodeState &state = to.states[edge->index];
    if (dead)
      state.dead |= edge->slot != Edge::kOrder;
    else if (edge->carriesValue())
      put(to.slots[edge->slot], *value, moves);
    if (--state.pending)
      continue;
    if (edge->toSend) [[unlikely]] { // somebody waits for it
      ++to.outstanding;
      ready_.pushFirst(edge->node, &to);
    } else {
      markReady(edge->node, &to);
    }
  }
}

void TokenMachine::pass(const Node &node, size_t input, size_t port, Iteration &from,
                        Iteration &to) {
  const Input &in = node.inputs[input];
  if (in.constant) {
    Tensor copy = *in.constant;
    return deliver(node, port, &copy, false, to);
  }
  Tensor &slot = from.slots[in.slot];
  deliver(node, port, &slot, false, to);
  slot.reset();
}

static uint32_t inputOf(const Node &merge, uint32_t slot) {
  uint32_t input = 0;
  while (merge.inputs[input].constant || merge.inputs[input].slot != slot)
    ++input;
  return input;
}

void TokenMachine::arriveAtMerge(const Edge &edge, Tensor *value, bool moves, bool dead,
                                 Iteration &to) {
  const Node &merge = *edge.node;
  NodeState &state = to.states[merge.index];
  if (!edge.carriesValue()) {
    --state.pending;
  } else if (!dead) {
    if (state.live)
      return fail(invalidArgument("expected one live value to merge but got two: inputs " +
                                  std::to_string(state.liveInput) + " and " +
                                  std::to_string(inputOf(merge, edge.slot)))
                      .atNode(merge.name));
    state.live = true;
    state.liveInput = inputOf(merge, edge.slot);
    if (!state.fired)
      put(to.slots[edge.slot], *value, moves);
  } else {
    ++state.deadInputs;
  }
  fireMergeIfReady(merge, state, to);
}

void TokenMachine::fireMergeIfReady(const Node &merge, NodeState &state, Iteration &iteration) {
  if (state.fired || state.pending)
    return;
  // The back edge brings nothing to the first iteration, nor an enter to a later one.
  uint32_t values = iteration.number ? merge.valuesInLater : merge.valuesInFirst;
  if (!state.live && state.deadInputs < values)
    return;
  if (!state.live && merge.fallback >= 0) {
    state.live = true;
    state.liveInput = static_cast<uint32_t>(merge.fallback);
  }
  state.fired = true;
  state.dead = !state.live;
  markReady(&merge, &iteration);
}

void TokenMachine::deliverToAllPorts(const Node &node, bool dead, Iteration &iteration) {
  for (size_t port = 0; port < node.ports.size(); ++port)
    deliver(node, port, nullptr, dead, iteration);
}

//===-- Frames --------------------------------------------------------------------------------===//

Iteration &TokenMachine::openIteration(FrameInstance &frame) {
  Iteration &iteration = frame.open();
  if (trace_)
    traceOpening(iteration);
  ++counters_.iterations;
  counters_.maxLiveIterations = std::max(counters_.maxLiveIterations, frame.next - frame.oldest);
  for (size_t i = 0; i < frame.constants.size(); ++i) {
    auto &token = frame.constants[i];
    if (!token.arrived)
      continue;
    Tensor copy = token.value;
    deliver(*frame.info.constantEnters[i], 0, &copy, token.dead, iteration);
  }
  for (const Node *back : frame.deadBacks)
    deliver(*back, 0, nullptr, true, iteration);
  frame.deadBacks.clear();
  if (!frame.early.empty())
    deliverEarly(frame);
  return iteration;
}

FrameInstance &TokenMachine::childFrame(uint32_t frame, Iteration &iteration) {
  const StaticFrame &info = signature_.frames[frame];
  FrameInstance *&child = iteration.children[info.childPosition];
  if (!child) {
    child = pool_.take(info);
    // Graphs leave out order edges in loops that run one iteration at a time: never widen those.
    bool overridden = window_ && info.window > 1;
    uint32_t window = overridden ? static_cast<uint32_t>(*window_) : info.window;
    child->start(iteration.frame, &iteration, window);
    ++iteration.liveChildren;
    ++counters_.framesEntered;
    openIteration(*child);
  }
  return *child;
}

void TokenMachine::releaseLeftovers(Iteration &iteration) {
  const StaticFrame &info = iteration.frame->info;
  if (iteration.fired == info.nodes.size())
    return;
  for (const Node *node : info.nodes) {
    NodeState &state = iteration.states[node->index];
    if (state.fired)
      continue;
    bool expected = node->onlyFirst && iteration.number > 0;
    counters_.leftoverTokens += expected ? 0 : node->pending - state.pending;
    if (node->kind == NodeKind::kMerge)
      counters_.leftoverTokens += state.deadInputs + state.live;
    for (uint32_t i = 0; i < node->numSlots; ++i)
      iteration.slots[node->firstSlot + i].reset();
  }
}

// Frees the oldest iteration's place and lets a waiting iteration into the window.
bool TokenMachine::retireOldest(FrameInstance &frame) {
  Iteration &oldest = *frame.oldestIteration();
  bool entering = oldest.number == 0 && !frame.allEntersArrived();
  if (oldest.outstanding || oldest.liveChildren || entering)
    return false;
  releaseLeftovers(oldest);
  if (trace_ && &frame != root_)
    trace_->end(oldest.traceEvent);
  frame.retireOldest();
  if (!frame.info.upstream.empty())
    exchange_->noteRetirement(frame);
  openDeferred(frame);
  return true;
}

void TokenMachine::openDeferred(FrameInstance &frame) {
  if (frame.deferred.empty() || !frame.hasRoom())
    return;
  Iteration &opened = openIteration(frame);
  for (auto &token : frame.deferred)
    deliver(*token.node, 0, &token.value, false, opened);
  frame.deferred.clear();
}

void TokenMachine::retireUpwards(Iteration &iteration) {
  Iteration *current = &iteration;
  while (!current->outstanding && !current->liveChildren) {
    FrameInstance &frame = *current->frame;
    // What never comes is named by the report of the stall, so its cells must stay as they are.
    if (&frame == root_ && !everythingReached())
      return;
    while (frame.oldestIteration() && retireOldest(frame)) {
    }
    bool goesOn = frame.oldestIteration() || !frame.deferred.empty();
    if (goesOn || !frame.allEntersArrived() || &frame == root_)
      return;
    current = frame.parentIteration;
    for (const Node *exit : frame.deadExits)
      if (!frame.hasLeft[exit->index])
        deliver(*exit, 0, nullptr, true, *current);
    if (!frame.info.isFunction)
      current->children[frame.info.childPosition] = nullptr;
    --current->liveChildren;
    counters_.leftoverTokens += frame.early.size();
    early_ -= frame.early.size();
    for (const FrameInstance::EarlyMessage &message : frame.early)
      earlyBytes_ -= messageBytes(&message.value);
    pool_.give(&frame);
  }
}

void TokenMachine::addToDigest(const Node &node, const Iteration &iteration) {
  constexpr uint64_t kPrime = 0x100000001b3; // of the FNV-1a hash
  FiringNumber firing = firingNumber(iteration);
  for (uint64_t word :
       {uint64_t(node.frame), uint64_t(node.index), firing.outer(), firing.iteration()})
    counters_.trace = (counters_.trace ^ word) * kPrime;
}

FiringNumber TokenMachine::firingNumber(const Iteration &iteration) {
  if (iteration.frame->info.isFunction)
    return iteration.frame->firing;
  const Iteration *parent = iteration.frame->parentIteration;
  return parent ? firingNumber(*parent).inFrame(iteration.number) : FiringNumber();
}

} // namespace sluice::rt
