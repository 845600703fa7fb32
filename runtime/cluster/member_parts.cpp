// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Member: the parts of calls that run here.
#include "runtime/cluster/member.h"

namespace sluice::rt {

namespace {
Status abortedStatus() { return Status(Code::kCancelled, "the call failed on another rank"); }
} // namespace

void Member::allowCallsHere(unsigned count) {
  mostCalls_ = count;
  if (Status status = executor_.allowCalls(count); !status.ok() && writeStatus_.ok())
    writeStatus_ = std::move(status); // the first call says so
}

void Member::beginPart(uint32_t number, size_t signature, std::span<const Tensor> feeds,
                       std::optional<double> seconds) {
  CallTimer *timer = servedTimer();
  if (timer && mostCalls_ == 1)
    timer->begin();
  else if (timer)
    seconds = timer->seconds();
  CallPart &part = parts_.add(std::make_unique<CallPart>(executor_.begin(signature, feeds, number),
                                                         number, transport_->size(), clock_.now()));
  part.whole = findCall(number);
  if (seconds)
    part.deadline.emplace(executor_.deadlines(), part.machine().cancellation(), *seconds);
  if (Status status = std::exchange(writeStatus_, okStatus()); !status.ok())
    part.machine().abort(std::move(status));
  for (const KeptMessages::Message &message : kept_.take(number)) {
    if (end_)
      return; // and the part is gone
    receiveAtPart(part, message.peer, message.header, message.payload);
  }
}

// Other calls go on while the device ends what a failed one has given it. Who waits for none but
// this call, or for the end, may as well wait here.
void Member::endPart(CallPart &ended, bool aborted) {
  std::unique_ptr<CallPart> part = parts_.take(ended);
  if (part->machine().lingers() && mostCalls_ > 1 && !end_)
    lingering_.push_back({std::move(part), aborted});
  else
    concludePart(*part, aborted);
}

bool Member::concludeLingering() {
  bool any = false;
  for (size_t i = 0; i < lingering_.size();) {
    lingering_[i].part->machine().noteEnded();
    if (lingering_[i].part->machine().lingers()) {
      ++i;
      continue;
    }
    LingeringPart ended = std::move(lingering_[i]);
    lingering_.erase(lingering_.begin() + static_cast<ptrdiff_t>(i));
    concludePart(*ended.part, ended.aborted);
    any = true;
  }
  return any;
}

// Of one that was aborted, another rank tells why.
void Member::concludePart(CallPart &part, bool aborted) {
  ++served_.calls;
  served_.seconds += static_cast<double>(clock_.now() - part.began) * 1e-9;
  if (CallTimer *timer = servedTimer(); timer && mostCalls_ == 1)
    timer->end();
  Status status = part.machine().finish();
  if (std::optional<uint32_t> offender = part.machine().offender())
    return forbid(*offender, status);
  if (status.code() == Code::kCancelled && part.deadline && part.deadline->passed())
    status = tooLate(part, "node '" + std::string(status.node()) + "' was computing");
  report(part, aborted ? okStatus() : status);
}

void Member::report(CallPart &part, const Status &status) {
  uint64_t leftover = part.machine().counters().leftoverTokens;
  if (ClusterCall *call = part.whole) {
    if (status.ok())
      call->fetches = part.call->takeFetches();
    return noteReport(*call, 0, status, leftover, part.tokensReceived, part.tokensSent,
                      part.newsSent);
  }
  if (!status.ok() && executor_.options().print)
    executor_.options().print(format("call %u failed on ", part.number) + deviceOf(rank()) + ": " +
                              status.toString());
  PayloadWriter out;
  out.status(status);
  out.u64(leftover);
  out.u64(part.tokensReceived);
  for (const std::vector<uint64_t> *sent : {&part.tokensSent, &part.newsSent})
    for (uint64_t count : *sent)
      out.u64(count);
  transport_->send(0, headerOf(MessageType::kReport, part.number), out.bytes());
}

void Member::abortPart(uint32_t call) {
  CallPart *part = parts_.find(call);
  if (!part)
    return;
  bool failed = part->machine().failed();
  part->machine().abort(abortedStatus());
  endPart(*part, /*aborted=*/!failed);
}

//===-- Time ----------------------------------------------------------------------------------===//

CallTimer *Member::servedTimer() const { return rank() == 0 ? nullptr : executor_.options().timer; }

Status Member::tooLate(const CallPart &part, const std::string &where) const {
  return part.whole ? DeadlineWatch::tooLong(part.whole->seconds, where)
                    : servedTimer()->status(where);
}

void Member::endInTime() {
  CallTimer *timer = executor_.options().timer;
  bool timerPassed = timer && timer->passed(); // only one call can be under way
  if (rank() == 0)
    return failLateCalls(timerPassed ? timer : nullptr);
  for (size_t i = 0; i < parts_.size();) {
    CallPart &part = parts_[i];
    bool late = part.deadline ? part.deadline->passed() : timerPassed;
    if (!late) {
      ++i;
      continue;
    }
    part.machine().abort(timer->status(describeProgress()));
    endPart(part);
  }
}

//===-- What it says of itself ----------------------------------------------------------------===//

static std::string noCall(uint32_t rank) {
  return rank == 0 ? "no call is running" : "its part of the call is over";
}

// Of the first few.
template <typename Describe> std::string Member::describeParts(const Describe &describe) const {
  constexpr size_t kShown = 4;
  std::string text = deviceOf(rank()) + ": ";
  if (parts_.empty())
    return text + noCall(rank());
  for (size_t i = 0; i < parts_.size() && i < kShown; ++i)
    text += format("%scall %u: ", i ? "; " : "", parts_[i].number) + describe(parts_[i].machine());
  return parts_.size() > kShown ? text + format("; and %zu more calls", parts_.size() - kShown)
                                : text;
}

static std::string describeWaitingOf(const TokenMachine &machine) {
  return machine.idle() ? machine.describeWaiting() : "computing";
}

std::string Member::describe(const CallPart &part) const {
  return deviceOf(rank()) + format(": call %u: ", part.number) + describeWaitingOf(part.machine());
}

std::string Member::describeWaiting() const { return describeParts(describeWaitingOf); }

std::string Member::describeProgress() const {
  return describeParts([](const TokenMachine &machine) { return machine.describeProgress(); });
}

} // namespace sluice::rt
