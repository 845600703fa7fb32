// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Member: the loop of a rank, which messages it takes from whom, and the end of the cluster.
#include "runtime/cluster/member.h"

#include <algorithm>

namespace sluice::rt {

namespace {
constexpr uint64_t kControlMessage = 1 << 20; // more than any of them needs
// Steps of a million checkpoints, the most that may stay.
constexpr uint64_t kMostShardRequest = 16 << 20;
// A name as long as graphs may have them, and a shape.
constexpr uint64_t kMostDeclaration = (1 << 20) + 4096;

// What a rank says of its part of a call, without the text.
constexpr uint64_t mostPartReport(uint32_t ranks) { return (5 + ranks) * sizeof(uint64_t); }
} // namespace

Member::Member(std::unique_ptr<Program> program, Threads &threads, Clock &clock)
    : executor_(std::move(program), threads, this), clock_(clock) {
  for (const auto &signature : executor_.program().signatures()) {
    std::vector<uint64_t> &sizes = largestTokens_.emplace_back();
    for (const WireInput &edge : signature->wireInputs)
      sizes.push_back(edge.recv ? largestToken(*signature, edge) : 0);
  }
}

void Member::attach(Transport &transport, uint64_t mostSilentNs) {
  transport_ = &transport;
  mostSilentNs_ = mostSilentNs;
  debts_.assign(transport.size(), Debts{.asked = clock_.now()});
  placed_.resize(transport.size());
  for (Variable *variable : executor_.variables())
    ownVariables_.emplace(variable->name, variable);
  executor_.setCompletionNotifier([&transport] { transport.wake(); });
  if (rank() != 0)
    declareVariables();
  transport.flush();
}

// A look at the network costs system calls, so we fire for as long as the last one took: then they
// take at most half of the time, and tokens wait about as long as they travel.
bool Member::progress(unsigned firings, std::optional<uint32_t> only) {
  if (ended())
    return false;
  uint64_t start = clock_.now();
  bool busy = transport_->poll(*this);
  uint64_t polled = clock_.now();
  busy |= concludeLingering();
  busy |= advanceParts(firings, only, polled);
  uint64_t fired = clock_.now();
  if (rank() == 0)
    lookForStalls(fired);
  if (!busy)
    judgeSilence();
  transport_->flush();
  exchangeNs_ = std::clamp(polled - start + clock_.now() - fired, kLeastFiringNs, kMostFiringNs);
  return busy && (parts_.empty() || hasReadyCall());
}

// Calls share the time between two looks at the network.
bool Member::advanceParts(unsigned firings, std::optional<uint32_t> only, uint64_t now) {
  bool busy = false;
  uint64_t share = std::max(exchangeNs_ / std::max<size_t>(parts_.size(), 1), kLeastFiringNs);
  for (size_t i = 0; i < parts_.size();) {
    CallPart &part = parts_[i];
    bool mayFire = !only || *only == part.number;
    part.moved |= fire(part, mayFire ? firings : 0, now + share);
    bool done = part.machine().done();
    busy |= part.moved || done;
    if (std::exchange(part.moved, false) && part.whole)
      part.whole->lastActivity = now;
    if (done)
      endPart(part); // the next one is in its place
    else
      ++i;
    if (i < parts_.size())
      now = clock_.now();
  }
  return busy;
}

// Looks at the clock rarely where firings are short, and after each one where a kernel takes long.
bool Member::fire(CallPart &part, unsigned firings, uint64_t until) {
  at_ = &part;
  TokenMachine &machine = part.machine();
  bool busy = false;
  unsigned quantum = 1;
  do {
    unsigned some = std::min(firings, quantum);
    busy |= machine.advance(some);
    firings -= some;
    quantum = std::min(quantum * 4, kMostFirings);
  } while (firings && machine.hasReady() && !machine.failed() && clock_.now() < until);
  return busy;
}

bool Member::hasReadyCall() const {
  for (size_t i = 0; i < parts_.size(); ++i)
    if (!parts_[i].machine().idle())
      return true;
  return false;
}

std::vector<uint32_t> Member::readyCalls() const {
  std::vector<uint32_t> calls;
  for (size_t i = 0; i < parts_.size(); ++i)
    if (!parts_[i].machine().idle())
      calls.push_back(parts_[i].number);
  return calls;
}

// The flags that messages of a type may have.
static uint8_t knownFlags(MessageType type) {
  switch (type) {
  case MessageType::kToken:
    return kDeadToken | kTokenHasValue;
  case MessageType::kRootCause: // a number
    return 0xff;
  default:
    return 0;
  }
}

// On rank 0: whether the peer owes us such an answer.
bool Member::isAwaited(uint32_t peer, const MessageHeader &header) const {
  switch (static_cast<MessageType>(header.type)) {
  case MessageType::kReport:
    return findCall(header.call) && findCall(header.call)->owesReport[peer];
  case MessageType::kDeclaration:
  case MessageType::kReady:
    return debts_[peer].ready;
  case MessageType::kVariable:
  case MessageType::kVariablesEnd:
    return debts_[peer].variables;
  case MessageType::kShardReply:
    return debts_[peer].shards;
  default: // the number of the round tells whether an answer to a probe counts
    return true;
  }
}

Result<uint64_t> Member::admit(uint32_t peer, const MessageHeader &header) {
  bool fromFirst = peer == 0, awaited = rank() == 0 && isAwaited(peer, header);
  auto control = [](bool allowed, uint64_t most) -> Result<uint64_t> {
    if (allowed)
      return most;
    return Status(Code::kPermissionDenied, "a message that this rank may not send");
  };
  auto type = static_cast<MessageType>(header.type);
  if (type < MessageType::kCount && (header.flags & ~knownFlags(type)))
    return Status(Code::kPermissionDenied,
                  format("expected no flag but 0x%x of type %u but got 0x%x", knownFlags(type),
                         header.type, header.flags));
  switch (type) {
  case MessageType::kToken:
    return admitToken(peer, header);
  case MessageType::kRetired:
    return admitRetirement(peer, header);
  case MessageType::kStart:
    return control(fromFirst && parts_.size() < mostCalls_ && header.call == parts_.latest() + 1 &&
                       header.subject < executor_.signatures().size(),
                   0);
  case MessageType::kAllowCalls:
    return control(fromFirst && parts_.empty() && header.subject > 0 &&
                       header.subject <= kMostConcurrentCalls,
                   0);
  case MessageType::kAbort:
  case MessageType::kReadVariables:
    return control(fromFirst, 0);
  case MessageType::kProbe:
    return control(fromFirst, mostCalls_ * sizeof(uint64_t));
  case MessageType::kWriteVariable:
    return control(fromFirst && parts_.empty(), kLargestMessage);
  case MessageType::kShardRequest:
    return control(fromFirst && parts_.empty(), kMostShardRequest);
  case MessageType::kProbeReply:
    return control(awaited, kControlMessage + mostCalls_ * mostPartReport(transport_->size()));
  case MessageType::kReport:
  case MessageType::kVariablesEnd:
  case MessageType::kShardReply:
    return control(awaited, kControlMessage);
  case MessageType::kDeclaration:
    return control(awaited, kMostDeclaration);
  case MessageType::kVariable:
    return control(awaited, kLargestMessage);
  case MessageType::kReady:
    return control(awaited, 0);
  case MessageType::kRootCause:
    return control(header.flags != static_cast<uint8_t>(ClusterEnd::Kind::kNone) &&
                       header.flags <= static_cast<uint8_t>(ClusterEnd::Kind::kTimedOut),
                   kControlMessage);
  case MessageType::kCount:
    break;
  }
  return Status(Code::kPermissionDenied, format("unknown message type %u", header.type));
}

void Member::receive(uint32_t peer, const MessageHeader &header, std::span<const char> payload) {
  Tensor placed = std::exchange(placed_[peer], {}); // it all has come
  if (end_)
    return;
  switch (static_cast<MessageType>(header.type)) {
  case MessageType::kToken:
  case MessageType::kRetired:
    return receiveOrKeep(peer, header, payload, std::move(placed));
  case MessageType::kStart:
    return beginPart(header.call, header.subject, {}, std::nullopt);
  case MessageType::kAllowCalls:
    return allowCallsHere(header.subject);
  case MessageType::kReport:
    return receiveReport(peer, header.call, payload);
  case MessageType::kAbort:
    return abortPart(header.call);
  case MessageType::kProbe:
    return answerProbe(header.subject, payload);
  case MessageType::kProbeReply:
    return receiveProbeReply(peer, header.subject, payload);
  case MessageType::kDeclaration:
    return receiveDeclaration(peer, payload);
  case MessageType::kReady:
    return noteReady(peer);
  case MessageType::kWriteVariable:
    return receiveWrite(payload);
  case MessageType::kReadVariables:
    return answerVariables();
  case MessageType::kVariable:
    return receiveVariable(peer, payload);
  case MessageType::kVariablesEnd:
    return receiveVariablesEnd(peer, payload);
  case MessageType::kShardRequest:
    return receiveShardRequest(payload);
  case MessageType::kShardReply:
    return receiveShardReply(peer, payload);
  case MessageType::kRootCause:
    return receiveRootCause(peer, header, payload);
  case MessageType::kCount:
    return;
  }
}

void Member::lost(uint32_t peer, const Status &why) {
  placed_[peer].reset();
  if (end_)
    return;
  if (why.code() == Code::kCancelled && rank() != 0 && parts_.empty() && lingering_.empty()) {
    orderlyEnd_ |= peer == 0;
    return; // another rank has heard of the end earlier
  }
  auto kind = why.code() == Code::kDeadlineExceeded   ? ClusterEnd::Kind::kTimedOut
              : why.code() == Code::kPermissionDenied ? ClusterEnd::Kind::kRefused
                                                      : ClusterEnd::Kind::kLost;
  std::string text = "lost " + deviceOf(peer) + ": " + why.message();
  if (!parts_.empty())
    text += "; " + describeWaiting();
  endCluster(kind, Status(why.code() == Code::kCancelled ? Code::kUnavailable : why.code(),
                          std::move(text)));
}

void Member::endCluster(ClusterEnd::Kind kind, Status status) {
  if (end_)
    return;
  PayloadWriter cause;
  cause.status(status);
  end_ = {kind, std::move(status)};
  MessageHeader header = headerOf(MessageType::kRootCause);
  header.flags = static_cast<uint8_t>(kind);
  sendToAll(header, cause.bytes());
  transport_->flush();
  while (!parts_.empty())
    abortPart(parts_[0].number);
  for (const LingeringPart &ended : std::exchange(lingering_, {}))
    concludePart(*ended.part, ended.aborted);
}

void Member::receiveRootCause(uint32_t peer, const MessageHeader &header,
                              std::span<const char> payload) {
  PayloadReader in(payload);
  Status cause = in.status();
  if (cause.ok())
    return forbid(peer, invalidArgument("a root cause that cannot be read"));
  // Passed on: who has not heard of it yet must not take our own end for the cause.
  endCluster(static_cast<ClusterEnd::Kind>(header.flags), std::move(cause));
}

void Member::noteReady(uint32_t peer) {
  debts_[peer].ready = false;
  ++ranksReady_;
}

void Member::forbid(uint32_t peer, const Status &why) {
  if (why.code() == Code::kResourceExhausted) // not the peer's fault
    return endCluster(ClusterEnd::Kind::kLost,
                      Status(why.code(), deviceOf(rank()) + ": " + why.message()));
  endCluster(
      ClusterEnd::Kind::kRefused,
      Status(Code::kPermissionDenied, deviceOf(peer) + " sent what it may not: " + why.toString()));
}

void Member::sendToAll(const MessageHeader &header, std::span<const char> payload) {
  for (uint32_t peer = 0; peer < transport_->size(); ++peer)
    if (peer != rank())
      transport_->send(peer, header, payload);
}

std::string Member::deviceOf(uint32_t rank) const {
  std::span<const ClusterDevice> devices = executor_.program().devices();
  return format("rank %u", rank) +
         (rank < devices.size() ? " (" + std::string(devices[rank].name) + ")" : "");
}

} // namespace sluice::rt
