// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Member: the life of a call.
#include "runtime/cluster/member.h"

namespace sluice::rt {

namespace {
Status abortedStatus() { return Status(Code::kCancelled, "the call failed on another rank"); }
} // namespace

void Member::startCall(size_t signature, std::span<const Tensor> feeds) {
  reports_ = 0;
  for (Debts &debts : debts_) {
    debts.report = true;
    debts.idleReport = false;
  }
  aborting_ = false;
  callStatus_ = okStatus();
  leftoverTokens_ = 0;
  tokensSentToAll_.assign(transport_->size(), 0);
  tokensReceivedByAll_.assign(transport_->size(), 0);
  probe_.reset(transport_->size());
  lastActivity_ = clock_.now();
  ++call_;
  sendToAll(MessageType::kStart, static_cast<uint32_t>(signature), {});
  beginPart(call_, signature, feeds);
  transport_->flush();
}

void Member::beginPart(uint32_t call, size_t signature, std::span<const Tensor> feeds) {
  call_ = call;
  signature_ = signature;
  active_ = true;
  partBegan_ = clock_.now();
  tokensSentTo_.assign(transport_->size(), 0);
  tokensReceived_ = 0;
  if (CallTimer *timer = servedTimer())
    timer->begin();
  part_.reset(); // its machine is free again
  part_ = executor_.begin(signature, feeds, call);
  machine_ = &part_->machine();
  if (Status status = std::exchange(writeStatus_, okStatus()); !status.ok())
    machine_->abort(std::move(status));
  while (!kept_.empty() && !isLaterCall(kept_.front().header.call, call_)) {
    KeptMessage message = std::move(kept_.front());
    kept_.pop_front();
    keptBytes_ -= message.payload.size();
    --messagesReceived_; // counted when it came
    receiveOrKeep(message.peer, message.header, message.payload);
  }
}

// Of one that was aborted, another rank tells why.
void Member::endPart(bool aborted) {
  active_ = false;
  ++served_.calls;
  served_.seconds += static_cast<double>(clock_.now() - partBegan_) * 1e-9;
  if (CallTimer *timer = servedTimer())
    timer->end();
  Status status = machine_->finish();
  if (std::optional<uint32_t> offender = machine_->offender())
    return forbid(*offender, status);
  uint64_t leftover = machine_->counters().leftoverTokens;
  if (rank() == 0)
    return noteReport(aborted ? okStatus() : status, tokensSentTo_, tokensReceived_, leftover, 0);
  if (!status.ok() && !aborted && executor_.options().print)
    executor_.options().print(format("call %u failed on ", call_) + deviceOf(rank()) + ": " +
                              status.toString());
  PayloadWriter report;
  report.status(aborted ? okStatus() : status);
  report.u64(leftover);
  report.u64(tokensReceived_);
  for (uint64_t count : tokensSentTo_)
    report.u64(count);
  send(0, MessageType::kReport, 0, report.bytes());
}

CallTimer *Member::servedTimer() const { return rank() == 0 ? nullptr : executor_.options().timer; }

void Member::endInTime() {
  CallTimer *timer = executor_.options().timer;
  if (!active_ || !timer || !timer->passed())
    return;
  Status status = timer->status(describeProgress());
  if (rank() == 0)
    return failCall(std::move(status));
  machine_->abort(std::move(status));
  endPart();
}

void Member::abortPart(uint32_t call) {
  if (!active_ || call != call_)
    return;
  bool failed = machine_->failed();
  machine_->abort(abortedStatus());
  endPart(/*aborted=*/!failed);
}

void Member::receiveReport(uint32_t peer, std::span<const char> payload) {
  PayloadReader in(payload);
  Status status = in.status();
  uint64_t leftover = in.u64(), received = in.u64();
  std::vector<uint64_t> sent;
  for (uint32_t i = 0; i < transport_->size(); ++i)
    sent.push_back(in.u64());
  if (in.failed())
    return forbid(peer, invalidArgument("a truncated report"));
  noteReport(status, sent, received, leftover, peer);
}

void Member::noteReport(const Status &status, std::span<const uint64_t> sent, uint64_t received,
                        uint64_t leftover, uint32_t rank) {
  ++reports_;
  debts_[rank].report = false;
  for (size_t i = 0; i < sent.size(); ++i)
    tokensSentToAll_[i] += sent[i];
  tokensReceivedByAll_[rank] = received;
  leftoverTokens_ += leftover;
  if (!status.ok())
    failCall(status);
}

void Member::failCall(Status status) {
  if (callStatus_.ok())
    callStatus_ = std::move(status); // the first one is the cause of the others
  if (std::exchange(aborting_, true))
    return;
  askAll(MessageType::kAbort);
  abortPart(call_);
  transport_->flush();
}

Result<std::vector<Tensor>> Member::takeResult() {
  if (end_)
    return end_.status;
  if (!callStatus_.ok())
    return callStatus_;
  // What was sent and not received by the end of the call would never have been.
  for (size_t i = 0; i < tokensSentToAll_.size(); ++i)
    leftoverTokens_ += tokensSentToAll_[i] > tokensReceivedByAll_[i]
                           ? tokensSentToAll_[i] - tokensReceivedByAll_[i]
                           : tokensReceivedByAll_[i] - tokensSentToAll_[i];
  return part_->takeFetches();
}

//===-- Stalls --------------------------------------------------------------------------------===//

void Member::askWhetherIdle() {
  bool running = rank() == 0 && !callOver() && !aborting_;
  if (!running || probe_.roundUnderWay() || clock_.now() - lastActivity_ < StallProbe::kIntervalNs)
    return;
  lastActivity_ = clock_.now();
  probe_.begin();
  for (Debts &debts : debts_)
    debts.idleReport = true;
  askAll(MessageType::kProbe, probe_.round());
  noteIdleReport(probe_.round(), 0, idleReport());
}

IdleReport Member::idleReport() const {
  IdleReport report{!active_ || machine_->idle(), messagesSent_, messagesReceived_, {}};
  if (report.idle)
    report.waiting = describeWaiting();
  return report;
}

void Member::answerProbe(uint32_t round) {
  IdleReport report = idleReport();
  PayloadWriter out;
  out.u64(report.idle);
  out.u64(report.sent);
  out.u64(report.received);
  out.text(shortened(report.waiting));
  send(0, MessageType::kProbeReply, round, out.bytes());
}

void Member::receiveProbeReply(uint32_t peer, uint32_t round, std::span<const char> payload) {
  PayloadReader in(payload);
  IdleReport report{in.u64() != 0, in.u64(), in.u64(), std::string(in.text())};
  if (in.failed())
    return forbid(peer, invalidArgument("a truncated answer to a probe"));
  if (round == probe_.round())
    debts_[peer].idleReport = false;
  noteIdleReport(round, peer, report);
}

void Member::noteIdleReport(uint32_t round, uint32_t rank, const IdleReport &report) {
  if (!probe_.add(round, rank, report) || callOver() || aborting_)
    return;
  std::string text = "the call cannot go on";
  for (const std::string &line : probe_.waiting())
    text += (&line == probe_.waiting().data() ? ": " : "; ") + line;
  failCall(failedPrecondition(std::move(text)));
}

} // namespace sluice::rt
