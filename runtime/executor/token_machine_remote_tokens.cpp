// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Token machine: tokens from and to other ranks.
//
// A receive is armed once all its gates have fired, and then keeps its iteration alive until the
// message has come. A message may also come first: it waits in the receive's cell, or with the
// frame instance if its iteration has not been opened here. Whatever comes first makes the
// instance.
#include "runtime/executor/token_machine.h"

#include <algorithm>
#include <tuple>

namespace sluice::rt {

void TokenMachine::arriveAtRecv(const Node &recv, Iteration &to) {
  NodeState &state = to.states[recv.index];
  --state.pending;
  if (!state.live) // the message itself is still pending
    to.outstanding += state.pending == 1;
  else if (state.pending == 0)
    markReady(&recv, &to);
}

Status TokenMachine::deliverMessage(const Node &recv, Iteration &to, bool dead, Tensor value) {
  NodeState &state = to.states[recv.index];
  if (state.live)
    return internalError("got a second message for one iteration").atNode(recv.name);
  state.live = true;
  state.dead = dead;
  if (value.valid())
    to.slots[recv.firstSlot] = std::move(value);
  if (--state.pending == 0) // armed, and counted as outstanding since
    ready_.push(&recv, &to);
  return okStatus();
}

Iteration *TokenMachine::locate(std::span<const uint32_t> frames, std::span<const uint64_t> path,
                                FrameInstance *&frame) {
  Iteration *iteration = root_->oldestIteration();
  frame = root_;
  for (size_t i = 0; i < frames.size() && iteration; ++i) {
    frame = &childFrame(frames[i], *iteration);
    iteration = path[i] < frame->next ? frame->iteration(path[i]) : nullptr;
  }
  return iteration;
}

Status TokenMachine::receiveToken(const Node &recv, std::span<const uint64_t> path, bool dead,
                                  Tensor value) {
  if (!trace_)
    return takeToken(recv, path, dead, std::move(value));
  uint64_t begin = trace_->now(), bytes = messageBytes(&value);
  Status status = takeToken(recv, path, dead, std::move(value));
  traceArrival(recv, path, dead, bytes, begin);
  return status;
}

Status TokenMachine::takeToken(const Node &recv, std::span<const uint64_t> path, bool dead,
                               Tensor value) {
  const StaticFrame &info = signature_.frames[recv.frame];
  if (path.size() != info.path.size())
    return internalError("got a message with a tag of the wrong depth").atNode(recv.name);
  ++counters_.tokensReceived;
  if (failed())
    return okStatus(); // nobody will want it
  FrameInstance *frame;
  if (Iteration *iteration = locate(info.path, path, frame))
    return deliverMessage(recv, *iteration, dead, std::move(value));
  size_t depth = frame->info.path.size();
  if (depth == 0 || path[depth - 1] < frame->next)
    return internalError("got a message for an iteration that is over").atNode(recv.name);
  if (path[depth - 1] - frame->oldest >= frame->window)
    return internalError("got a message from beyond the window").atNode(recv.name);
  return keepEarly(*frame, recv, path, dead, std::move(value));
}

static bool holdsOneTwice(std::vector<FrameInstance::EarlyMessage> &messages) {
  auto key = [](const FrameInstance::EarlyMessage &m) { return std::tie(m.recv->edge, m.path); };
  std::sort(messages.begin(), messages.end(),
            [&](const auto &a, const auto &b) { return key(a) < key(b); });
  return std::adjacent_find(messages.begin(), messages.end(), [&](const auto &a, const auto &b) {
           return key(a) == key(b);
         }) != messages.end();
}

static Status tooMuchEarly(uint64_t most, const char *things, Limit limit) {
  return outOfRange(format("got more than %llu %s for iterations that have not begun here, the "
                           "limit",
                           static_cast<unsigned long long>(most), things) +
                    seeLimit(limit));
}

// An honest sender is held back by its window. One that repeats itself must not fill our memory: it
// is found at the latest when it has doubled what is honest.
Status TokenMachine::keepEarly(FrameInstance &frame, const Node &recv,
                               std::span<const uint64_t> path, bool dead, Tensor value) {
  uint64_t bytes = messageBytes(&value);
  if (early_ >= mostEarly_)
    return tooMuchEarly(mostEarly_, "tokens", Limit::kEarlyTokens).atNode(recv.name);
  if (bytes > mostEarlyBytes_ - earlyBytes_)
    return tooMuchEarly(mostEarlyBytes_, "bytes of tokens", Limit::kEarlyBytes).atNode(recv.name);
  ++early_;
  earlyBytes_ += bytes;
  frame.early.push_back({&recv, {path.begin(), path.end()}, dead, std::move(value)});
  counters_.maxEarlyTokens = std::max<uint64_t>(counters_.maxEarlyTokens, frame.early.size());
  if (frame.early.size() < frame.earlyToCheck)
    return okStatus();
  if (holdsOneTwice(frame.early))
    return internalError("got a second message for one iteration").atNode(recv.name);
  frame.earlyToCheck = 2 * frame.early.size();
  return okStatus();
}

// Called when an iteration of the frame has just been opened.
void TokenMachine::deliverEarly(FrameInstance &frame) {
  size_t depth = frame.info.path.size() - 1;
  std::vector<FrameInstance::EarlyMessage> now;
  auto isDue = [&](const FrameInstance::EarlyMessage &m) { return m.path[depth] < frame.next; };
  auto due = std::partition(frame.early.begin(), frame.early.end(),
                            [&](const auto &message) { return !isDue(message); });
  now.assign(std::make_move_iterator(due), std::make_move_iterator(frame.early.end()));
  frame.early.erase(due, frame.early.end());
  early_ -= now.size();
  for (auto &message : now) {
    earlyBytes_ -= messageBytes(&message.value);
    --counters_.tokensReceived; // counted when it came
    Status status = takeToken(*message.recv, message.path, message.dead, std::move(message.value));
    if (!status.ok()) {
      offender_ = failed() ? offender_ : message.recv->peer;
      return fail(std::move(status));
    }
  }
}

Status TokenMachine::receiveRetirement(uint32_t frame, uint32_t rank,
                                       std::span<const uint64_t> path, uint64_t retired) {
  const StaticFrame &info = signature_.frames[frame];
  if (failed() || info.path.size() != path.size() + 1)
    return okStatus();
  // What is no longer alive here needs no leave to go on.
  Iteration *iteration = root_->oldestIteration();
  FrameInstance *instance = nullptr;
  for (size_t i = 0; iteration; ++i) {
    instance = iteration->children[signature_.frames[info.path[i]].childPosition];
    if (!instance || i == path.size())
      break;
    iteration = instance->iteration(path[i]);
  }
  if (!iteration || !instance)
    return okStatus();
  if (retired > instance->next)
    return internalError("got news of retired iterations that were never opened, of frame '" +
                         std::string(info.name) + "'");
  instance->noteRetirement(rank, retired);
  openDeferred(*instance);
  if (Iteration *oldest = instance->oldestIteration())
    settle(*oldest); // there may be nothing to do in what was opened
  return okStatus();
}

void TokenMachine::fireSend(const Node &node, Iteration &iteration, bool dead) {
  const Tensor *value = nullptr;
  if (!dead && !node.inputs.empty())
    value =
        node.inputs[0].constant ? node.inputs[0].constant : &iteration.slots[node.inputs[0].slot];
  ++counters_.tokensSent;
  counters_.deadTokensSent += dead;
  exchange_->sendToken(node, iteration, value, dead);
  for (uint32_t i = 0; i < node.numSlots; ++i)
    iteration.slots[node.firstSlot + i].reset();
}

void TokenMachine::fireRecv(const Node &node, Iteration &iteration) {
  if (node.numSlots == 0)
    return deliver(node, 0, nullptr, false, iteration);
  Tensor value = std::move(iteration.slots[node.firstSlot]);
  deliver(node, 0, &value, false, iteration);
}

} // namespace sluice::rt
