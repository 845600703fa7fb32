// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Member: whether calls can go on. Rank 0 asks in rounds about those in which it has had nothing to
// do for a while.
#include "runtime/cluster/member.h"

namespace sluice::rt {

namespace {
constexpr uint64_t kLookNs = StallProbe::kIntervalNs / 4;

// Of a part of a call.
constexpr uint64_t kIdle = 1, kAwaitsOthers = 2;
} // namespace

void Member::lookForStalls(uint64_t now) {
  if (now - lookedForStalls_ < kLookNs || now - roundBegan_ < StallProbe::kIntervalNs)
    return;
  lookedForStalls_ = now;
  std::vector<ClusterCall *> quiet = callsUnderWay();
  std::erase_if(quiet, [&](const ClusterCall *call) {
    return now - call->lastActivity < StallProbe::kIntervalNs;
  });
  askAbout(quiet);
}

void Member::askWhetherIdle() { askAbout(callsUnderWay()); }

void Member::askAbout(const std::vector<ClusterCall *> &calls) {
  if (calls.empty() || roundAnswersMissing_)
    return;
  PayloadWriter numbers;
  for (ClusterCall *call : calls) {
    numbers.u64(call->number);
    call->probe.begin(call->reports, call->messagesSent);
    if (const CallPart *part = parts_.find(call->number))
      call->probe.add(0, describePart(*part));
  }
  roundBegan_ = clock_.now();
  roundAnswersMissing_ = transport_->size() - 1;
  for (Debts &debts : debts_)
    debts.idleReport = true;
  sendToAll(headerOf(MessageType::kProbe, 0, ++round_), numbers.bytes());
  transport_->flush();
  if (roundAnswersMissing_ == 0)
    endRound();
}

PartReport Member::describePart(const CallPart &part) const {
  PartReport report;
  report.idle = part.machine().idle();
  report.awaitsOthers = part.machine().awaitsOthers();
  report.received = part.messagesReceived;
  for (size_t to = 0; to < part.tokensSent.size(); ++to)
    report.sent.push_back(part.tokensSent[to] + part.newsSent[to]);
  if (report.idle)
    report.waiting = describe(part);
  return report;
}

// Of calls that it does not speak of its part is over.
void Member::answerProbe(uint32_t round, std::span<const char> payload) {
  PayloadReader in(payload);
  PayloadWriter out;
  size_t mostText = kLongestText / std::max<size_t>(parts_.size(), 1);
  while (!in.atEnd() && !in.failed()) {
    const CallPart *part = parts_.find(static_cast<uint32_t>(in.u64()));
    if (!part)
      continue;
    PartReport report = describePart(*part);
    out.u64(part->number);
    out.u64((report.idle ? kIdle : 0) | (report.awaitsOthers ? kAwaitsOthers : 0));
    out.u64(report.received);
    for (uint64_t count : report.sent)
      out.u64(count);
    out.text(shortened(report.waiting, mostText));
  }
  transport_->send(0, headerOf(MessageType::kProbeReply, 0, round), out.bytes());
}

void Member::receiveProbeReply(uint32_t peer, uint32_t round, std::span<const char> payload) {
  bool counts = round == round_ && debts_[peer].idleReport;
  PayloadReader in(payload);
  while (!in.atEnd()) {
    auto number = static_cast<uint32_t>(in.u64());
    uint64_t flags = in.u64();
    PartReport report{(flags & kIdle) != 0, (flags & kAwaitsOthers) != 0, in.u64(), {}, {}};
    for (uint32_t to = 0; to < transport_->size(); ++to)
      report.sent.push_back(in.u64());
    report.waiting = in.text();
    if (in.failed())
      return forbid(peer, invalidArgument("a truncated answer to a probe"));
    if (ClusterCall *call = counts ? findCall(number) : nullptr; call && call->probe.asked())
      call->probe.add(peer, report);
  }
  if (!counts)
    return;
  debts_[peer].idleReport = false;
  if (--roundAnswersMissing_ == 0)
    endRound();
}

// A call that only others could help goes on waiting while one of them can go on, or may begin.
// Then one is told, since its end may be what the others wait for.
void Member::endRound() {
  bool othersGoOn = executor_.callsUnderWay().mayGrow();
  ClusterCall *waits = nullptr;
  for (const auto &call : calls_) {
    if (call->isOver())
      continue;
    bool stalled = call->probe.asked() && call->probe.end(call->reports) && !call->aborting;
    bool awaitsOthers = stalled && call->probe.awaitsOthers();
    if (stalled && !awaitsOthers)
      failStalled(*call);
    else if (awaitsOthers && !waits)
      waits = call.get();
    othersGoOn |= !awaitsOthers;
  }
  if (waits && !othersGoOn)
    failStalled(*waits);
}

void Member::failStalled(ClusterCall &call) {
  std::string text = "the call cannot go on";
  for (uint32_t rank = 0; rank < transport_->size(); ++rank) {
    const std::string &waiting = call.probe.waiting()[rank];
    text += (rank ? "; " : ": ") +
            (waiting.empty() ? deviceOf(rank) + ": its part of the call is over" : waiting);
  }
  fail(call, failedPrecondition(std::move(text)));
}

} // namespace sluice::rt
