// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Member: tokens to and from the machine.
#include "runtime/cluster/member.h"

#include <algorithm>

namespace sluice::rt {

MessageHeader Member::tokenHeader(MessageType type) const {
  MessageHeader header;
  header.type = static_cast<uint8_t>(type);
  header.count = static_cast<uint16_t>(at_->call->signature());
  header.call = at_->number;
  return header;
}

void Member::sendToken(const Node &send, const Iteration &tag, const Tensor *value, bool dead) {
  Status status =
      rt::sendToken(*transport_, tokenHeader(MessageType::kToken), send, tag, value, dead);
  if (!status.ok())
    return at_->machine().abort(std::move(status));
  ++at_->tokensSent[send.peer];
}

// Upstream can open as many iterations as its window has places before it must hear of any, so half
// a window at a time is soon enough.
void Member::noteRetirement(FrameInstance &frame) {
  if (frame.oldest - frame.retiredTold < std::max<uint64_t>(1, frame.window / 2))
    return;
  frame.retiredTold = frame.oldest;
  size_t depth = frame.info.path.size();
  SmallArray<uint64_t, 16> path(depth);
  size_t at = depth - 1;
  for (const Iteration *i = frame.parentIteration; i->frame->parentIteration;
       i = i->frame->parentIteration)
    path[--at] = i->number;
  path[depth - 1] = frame.oldest;
  MessageHeader header = tokenHeader(MessageType::kRetired);
  header.subject = frame.info.globalId;
  std::span<const uint64_t> words = path.span();
  for (uint32_t peer : frame.info.upstream) {
    ++at_->newsSent[peer];
    transport_->send(peer, header,
                     {reinterpret_cast<const char *>(words.data()), words.size_bytes()});
  }
}

Result<uint64_t> Member::admitToken(uint32_t peer, const MessageHeader &header) const {
  auto signatures = executor_.program().signatures();
  Status denied(Code::kPermissionDenied, "a token of an edge that does not lead here");
  if (header.count >= signatures.size() || isLaterCall(header.call, latestCall()))
    return denied;
  const auto &edges = signatures[header.count]->wireInputs;
  if (header.subject >= edges.size() || !edges[header.subject].recv ||
      edges[header.subject].recv->peer != peer)
    return denied;
  return largestTokens_[header.count][header.subject];
}

Result<uint64_t> Member::admitRetirement(uint32_t peer, const MessageHeader &header) const {
  auto signatures = executor_.program().signatures();
  Status denied(Code::kPermissionDenied, "news of a frame of which nothing goes there");
  if (header.count >= signatures.size() || isLaterCall(header.call, latestCall()))
    return denied;
  const Signature &signature = *signatures[header.count];
  if (header.subject >= signature.frameOfId.size() ||
      signature.frameOfId[header.subject] == Signature::kNoFrame)
    return denied;
  const StaticFrame &frame = signature.frames[signature.frameOfId[header.subject]];
  if (std::find(frame.downstream.begin(), frame.downstream.end(), peer) == frame.downstream.end())
    return denied;
  return frame.path.size() * sizeof(uint64_t);
}

// Only of a call that is under way, so that no such token has to be kept.
std::span<char> Member::place(uint32_t peer, const MessageHeader &header,
                              std::span<const char> first) {
  if (header.type != static_cast<uint8_t>(MessageType::kToken) || end_)
    return {};
  const CallPart *part = parts_.find(header.call);
  if (!part || header.count != part->call->signature())
    return {};
  Tensor &value = placed_[peer];
  value = placeToken(*executor_.program().signatures()[header.count], header, first, allocate_);
  if (!value.valid())
    return {};
  return {static_cast<char *>(value.raw()), value.bytes()};
}

void Member::receiveOrKeep(uint32_t peer, const MessageHeader &header,
                           std::span<const char> payload, Tensor placed) {
  if (!parts_.hasBegun(header.call))
    return keep(peer, header, payload);
  if (CallPart *part = parts_.find(header.call)) // else it is over here
    receiveAtPart(*part, peer, header, payload, std::move(placed));
}

void Member::receiveAtPart(CallPart &part, uint32_t peer, const MessageHeader &header,
                           std::span<const char> payload, Tensor placed) {
  at_ = &part;
  part.moved = true;
  ++part.messagesReceived;
  if (header.count != part.call->signature())
    return forbid(peer, invalidArgument("a message about a token of another signature"));
  if (header.type == static_cast<uint8_t>(MessageType::kToken))
    receiveToken(part, peer, header, payload, std::move(placed));
  else
    receiveRetirement(part, peer, header, payload);
}

// The sender's window bounds what it can honestly send before we have begun the call, too.
void Member::keep(uint32_t peer, const MessageHeader &header, std::span<const char> payload) {
  const Limits &limits = executor_.options().limits;
  if (!kept_.keep(peer, header, payload, limits))
    forbid(peer, outOfRange(format("more than %llu messages or %llu bytes for a call that has "
                                   "not begun here; see --limit early-tokens, early-bytes",
                                   static_cast<unsigned long long>(limits[Limit::kEarlyTokens]),
                                   static_cast<unsigned long long>(limits[Limit::kEarlyBytes]))));
}

void Member::receiveToken(CallPart &part, uint32_t peer, const MessageHeader &header,
                          std::span<const char> payload, Tensor placed) {
  const Signature &signature = *executor_.program().signatures()[header.count];
  Status status = decodeToken(signature, header, payload, token_, std::move(placed), allocate_);
  if (!status.ok() && status.code() == Code::kResourceExhausted)
    return part.machine().abort(std::move(status)); // not the peer's fault
  if (status.ok())
    status = part.machine().receiveToken(*token_.recv, token_.path, token_.dead,
                                         std::move(token_.value));
  if (!status.ok())
    return forbid(peer, status);
  ++part.tokensReceived;
}

void Member::receiveRetirement(CallPart &part, uint32_t peer, const MessageHeader &header,
                               std::span<const char> payload) {
  const Signature &signature = *executor_.program().signatures()[header.count];
  PayloadReader in(payload);
  token_.path.clear();
  while (!in.atEnd() && !in.failed())
    token_.path.push_back(in.u64());
  size_t depth = signature.frames[signature.frameOfId[header.subject]].path.size();
  if (in.failed() || token_.path.size() != depth)
    return forbid(peer, invalidArgument("expected a path of another length"));
  uint64_t retired = token_.path.back();
  Status status = part.machine().receiveRetirement(
      signature.frameOfId[header.subject], peer, std::span(token_.path).first(depth - 1), retired);
  if (!status.ok())
    forbid(peer, status);
}

} // namespace sluice::rt
