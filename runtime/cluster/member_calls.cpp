// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Member: calls as rank 0 sees them, from their start to their result.
#include "runtime/cluster/member.h"

namespace sluice::rt {

Status Member::allowCalls(unsigned count) {
  if (count == mostCalls_)
    return okStatus();
  SLUICE_RETURN_IF_ERROR(executor_.allowCalls(count));
  mostCalls_ = count;
  sendToAll(headerOf(MessageType::kAllowCalls, 0, count));
  transport_->flush();
  return okStatus();
}

uint32_t Member::startCall(size_t signature, std::span<const Tensor> feeds,
                           std::optional<double> seconds) {
  uint32_t number = parts_.latest() + 1;
  auto call = std::make_unique<ClusterCall>(number, transport_->size(), clock_.now());
  if (seconds)
    call->setDeadline(*seconds);
  calls_.push_back(std::move(call));
  executor_.callsUnderWay().begin();
  sendToAll(headerOf(MessageType::kStart, number, static_cast<uint32_t>(signature)));
  beginPart(number, signature, feeds, seconds);
  transport_->flush();
  return number;
}

ClusterCall *Member::findCall(uint32_t number) const {
  auto at = std::find_if(calls_.begin(), calls_.end(),
                         [&](const auto &call) { return call->number == number; });
  return at == calls_.end() ? nullptr : at->get();
}

std::vector<ClusterCall *> Member::callsUnderWay() const {
  std::vector<ClusterCall *> calls;
  for (const auto &call : calls_)
    if (!call->isOver() && !call->aborting)
      calls.push_back(call.get());
  return calls;
}

bool Member::callOver(uint32_t number) const {
  const ClusterCall *call = findCall(number);
  return end_ || !call || call->isOver();
}

bool Member::callsOver() const {
  return end_ ||
         std::all_of(calls_.begin(), calls_.end(), [](const auto &call) { return call->isOver(); });
}

Result<std::vector<Tensor>> Member::takeResult(uint32_t number) {
  auto at = std::find_if(calls_.begin(), calls_.end(),
                         [&](const auto &call) { return call->number == number; });
  std::unique_ptr<ClusterCall> call = std::move(*at);
  calls_.erase(at);
  executor_.callsUnderWay().end();
  leftoverTokens_ = call->tokensLeft();
  if (end_)
    return end_.status;
  if (!call->status.ok())
    return call->status;
  return std::move(call->fetches);
}

void Member::receiveReport(uint32_t peer, uint32_t number, std::span<const char> payload) {
  PayloadReader in(payload);
  Status status = in.status();
  uint64_t leftover = in.u64(), received = in.u64();
  std::vector<uint64_t> tokens(transport_->size()), news(transport_->size());
  for (std::vector<uint64_t> *sent : {&tokens, &news})
    for (uint64_t &count : *sent)
      count = in.u64();
  if (in.failed())
    return forbid(peer, invalidArgument("a truncated report"));
  ClusterCall &call = *findCall(number);
  call.lastActivity = clock_.now();
  noteReport(call, peer, status, leftover, received, tokens, news);
}

void Member::noteReport(ClusterCall &call, uint32_t rank, const Status &status, uint64_t leftover,
                        uint64_t received, std::span<const uint64_t> tokens,
                        std::span<const uint64_t> news) {
  ++call.reports;
  call.owesReport[rank] = false;
  for (size_t to = 0; to < tokens.size(); ++to) {
    call.tokensSent[to] += tokens[to];
    call.messagesSent[to] += tokens[to] + news[to];
  }
  call.tokensReceived[rank] = received;
  call.leftover += leftover;
  if (!status.ok())
    fail(call, status);
}

void Member::fail(ClusterCall &call, Status status) {
  if (call.status.ok())
    call.status = std::move(status); // the first one is the cause of the others
  if (std::exchange(call.aborting, true))
    return;
  call.abortedAt = clock_.now();
  sendToAll(headerOf(MessageType::kAbort, call.number));
  abortPart(call.number);
  transport_->flush();
}

// `timer` has passed, if given.
void Member::failLateCalls(const CallTimer *timer) {
  for (const auto &call : calls_) {
    if (call->isOver() || call->aborting)
      continue;
    if (timer)
      fail(*call, timer->status(describeProgress()));
    else if (call->isLate())
      fail(*call, DeadlineWatch::tooLong(call->seconds, describeProgress()));
  }
}

} // namespace sluice::rt
