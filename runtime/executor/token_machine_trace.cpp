// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Token machine: what it enters into a trace. Tokens that only find their way (switches, merges,
// what enters and leaves frames) are not entered: each takes less time than an event.
#include "runtime/executor/token_machine.h"

namespace sluice::rt {

uint64_t messageBytes(const Tensor *value) {
  if (!value || !value->valid())
    return 0;
  if (value->dtype() != DType::kString)
    return value->bytes();
  uint64_t bytes = 0;
  for (const std::string &text : value->values<std::string>())
    bytes += text.size();
  return bytes;
}

void TokenMachine::traceBegin() {
  TraceEvent call;
  call.kind = TraceEvent::Kind::kCall;
  call.signature = &signature_;
  call.number = environment_->call;
  call.begin = trace_->now();
  callEvent_ = trace_->add(call);
  waitingSince_ = 0;
}

void TokenMachine::traceEnd(const Status &outcome) {
  if (waitingSince_) {
    uint32_t wait = endWait(nullptr);
    if (!outcome.ok())
      trace_->note(wait, describeWaiting());
  }
  trace_->end(callEvent_);
  if (!outcome.ok())
    trace_->note(callEvent_, outcome.toString());
}

void TokenMachine::traceOpening(Iteration &iteration) {
  if (iteration.frame == root_) {
    iteration.traceEvent = callEvent_;
    return;
  }
  TraceEvent event;
  event.kind = TraceEvent::Kind::kIteration;
  event.within = iteration.frame->parentIteration->traceEvent;
  event.frame = &iteration.frame->info;
  event.number = iteration.number;
  event.begin = trace_->now();
  iteration.traceEvent = trace_->add(event);
}

TraceEvent TokenMachine::describeFiring(const Node &node, const Iteration &iteration) const {
  TraceEvent event;
  event.node = &node;
  event.within = iteration.traceEvent;
  event.dead = iteration.states[node.index].dead;
  if (node.kind != NodeKind::kSend && node.kind != NodeKind::kRecv)
    return event;
  bool sends = node.kind == NodeKind::kSend;
  event.kind = sends ? TraceEvent::Kind::kSend : TraceEvent::Kind::kReceive;
  MessageKey key(environment_->call, node.edge);
  for (const Iteration *i = &iteration; i->frame->parentIteration; i = i->frame->parentIteration)
    key.add(i->number);
  event.number = key.value();
  if (sends && !node.inputs.empty() && node.inputs[0].constant)
    event.amount = messageBytes(node.inputs[0].constant);
  else if (node.numSlots)
    event.amount = messageBytes(&iteration.slots[node.firstSlot]);
  return event;
}

void TokenMachine::fireTraced(const Node &node, Iteration &iteration) {
  bool message = node.kind == NodeKind::kSend || node.kind == NodeKind::kRecv;
  bool computes = node.kind == NodeKind::kKernel || node.kind == NodeKind::kCodelet;
  bool dead = node.kind != NodeKind::kMerge && iteration.states[node.index].dead;
  if (dead)
    trace_->countDead(iteration.traceEvent);
  if (!message && (dead || !computes))
    return fire(node, iteration);
  TraceEvent event = describeFiring(node, iteration);
  size_t elsewhere = enqueued_ + parked_.all().size();
  uint64_t bails = counters_.codeletBails;
  event.begin = trace_->now();
  fire(node, iteration);
  event.end = trace_->now();
  if (enqueued_ + parked_.all().size() > elsewhere)
    return; // entered when it ends
  event.failed = !status_.ok();
  event.bailed = counters_.codeletBails != bails;
  trace_->add(event);
}

void TokenMachine::traceCompletion(const Completion &completion) {
  auto &firing = static_cast<Firing &>(*completion.work);
  if (waitingSince_)
    endWait(&firing.node());
  TraceEvent event = describeFiring(firing.node(), firing.iteration());
  event.worker = completion.worker;
  event.begin = completion.begin;
  event.end = completion.end;
  event.failed = !completion.status.ok();
  const ParkedFirings::Parked *parked = parked_.find(firing);
  if (!parked) {
    trace_->add(event);
    return;
  }
  event.kind = TraceEvent::Kind::kParked;
  event.begin = parked->since;
  trace_->note(trace_->add(event), describe(*parked));
}

void TokenMachine::traceArrival(const Node &recv, std::span<const uint64_t> path, bool dead,
                                uint64_t bytes, uint64_t begin) {
  TraceEvent event;
  event.kind = TraceEvent::Kind::kArrival;
  event.node = &recv;
  event.dead = dead;
  event.amount = bytes;
  MessageKey key(environment_->call, recv.edge);
  for (size_t i = path.size(); i--;)
    key.add(path[i]);
  event.number = key.value();
  event.within = callEvent_;
  event.begin = begin;
  event.end = trace_->now();
  trace_->add(event);
}

uint32_t TokenMachine::endWait(const Node *node) {
  TraceEvent event;
  event.kind = TraceEvent::Kind::kWait;
  event.node = node;
  event.within = callEvent_;
  event.begin = waitingSince_;
  event.end = trace_->now();
  waitingSince_ = 0;
  return trace_->add(event);
}

} // namespace sluice::rt
