// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Member: variables of other ranks, as rank 0 reads and writes them for its caller.
#include "runtime/cluster/member.h"

namespace sluice::rt {

// The shape may be another one than declared: an assignment need not have checked it.
static Status checkValue(const Variable &variable, const Result<Tensor> &value) {
  if (!value.ok())
    return value.status();
  if (!value->valid() || value->dtype() == variable.dtype)
    return okStatus();
  return invalidArgument("a value of type " + std::string(dtypeName(value->dtype())) +
                         " for variable '" + variable.name + "'");
}

void Member::declareVariables() {
  for (const Variable *variable : executor_.variables()) {
    PayloadWriter out;
    out.text(variable->name);
    out.u64(static_cast<uint64_t>(variable->dtype));
    out.shape(variable->shape);
    send(0, MessageType::kDeclaration, out.bytes());
  }
  send(0, MessageType::kReady);
}

void Member::receiveDeclaration(uint32_t peer, std::span<const char> payload) {
  PayloadReader in(payload);
  std::string name(in.text());
  uint64_t dtype = in.u64();
  Shape shape = in.shape();
  if (in.failed() || dtype >= static_cast<uint64_t>(DType::kHandle))
    return forbid(peer, invalidArgument("a damaged declaration"));
  uint64_t bytes = payload.size() + sizeof(Variable),
           most = executor_.options().limits[Limit::kDeclarationBytes];
  if (bytes > most - declaredBytes_)
    return forbid(peer,
                  outOfRange(format("declarations of variables beyond the limit of %llu bytes",
                                    static_cast<unsigned long long>(most)) +
                             seeLimit(Limit::kDeclarationBytes)));
  declaredBytes_ += bytes;
  auto variable =
      std::make_unique<Variable>(std::move(name), static_cast<DType>(dtype), std::move(shape));
  if (ownVariables_.contains(variable->name) ||
      !remoteByName_.emplace(variable->name, remoteVariables_.size()).second)
    return forbid(peer, invalidArgument("a declaration of variable '" + variable->name +
                                        "', which another rank has"));
  remoteVariables_.push_back(std::move(variable));
  remoteRanks_.push_back(peer);
}

void Member::requestVariables() {
  variableAnswersMissing_ = transport_->size() - 1;
  for (Debts &debts : debts_) {
    debts.variables = true;
    debts.asked = clock_.now();
  }
  sendToAll(headerOf(MessageType::kReadVariables));
  transport_->flush();
}

Status Member::sendValue(uint32_t peer, MessageType type, const Variable &variable) {
  constexpr uint64_t kMostHeads = 1 << 20; // name, type and shape need no more
  SLUICE_ASSIGN_OR_RETURN(const Tensor value, variable.fetch());
  PayloadWriter out;
  if (!value.valid() || !isPlain(value.dtype()) || value.bytes() <= kLargestMessage - kMostHeads) {
    out.text(variable.name);
    out.tensor(value);
  }
  if (out.bytes().empty() || out.bytes().size() > kLargestMessage)
    return resourceExhausted("variable '" + variable.name + "' does not fit into one message to " +
                             deviceOf(peer));
  send(peer, type, out.bytes());
  return okStatus();
}

void Member::answerVariables() {
  Status status = std::exchange(writeStatus_, okStatus());
  for (const Variable *variable : executor_.variables())
    if (status.ok())
      status = sendValue(0, MessageType::kVariable, *variable);
  PayloadWriter end;
  end.status(status);
  send(0, MessageType::kVariablesEnd, end.bytes());
}

void Member::receiveVariablesEnd(uint32_t peer, std::span<const char> payload) {
  PayloadReader in(payload);
  Status status = in.status();
  if (in.failed())
    return forbid(peer, invalidArgument("a truncated end of variables"));
  if (variablesStatus_.ok())
    variablesStatus_ = std::move(status);
  debts_[peer].variables = false;
  --variableAnswersMissing_;
}

void Member::receiveVariable(uint32_t peer, std::span<const char> payload) {
  PayloadReader in(payload);
  std::string_view name = in.text();
  Result<Tensor> value = in.tensor();
  auto found = remoteByName_.find(name);
  if (found == remoteByName_.end() || remoteRanks_[found->second] != peer)
    return forbid(peer, invalidArgument("a variable that it has not declared"));
  Variable &variable = *remoteVariables_[found->second];
  Status bad = checkValue(variable, value);
  if (bad.code() == Code::kResourceExhausted) { // not the peer's fault
    if (variablesStatus_.ok())
      variablesStatus_ = std::move(bad);
    return;
  }
  if (!bad.ok())
    return forbid(peer, bad);
  variable.value = std::move(*value);
}

Status Member::sendVariables() {
  Status status;
  for (size_t i = 0; i < remoteVariables_.size() && status.ok(); ++i)
    status = sendValue(remoteRanks_[i], MessageType::kWriteVariable, *remoteVariables_[i]);
  transport_->flush();
  return status;
}

void Member::receiveWrite(std::span<const char> payload) {
  PayloadReader in(payload);
  std::string_view name = in.text();
  Result<Tensor> value = in.tensor();
  auto found = ownVariables_.find(name);
  if (found == ownVariables_.end())
    return forbid(0, invalidArgument("a value of a variable that does not live here"));
  Status bad = checkValue(*found->second, value);
  if (!bad.ok() && bad.code() != Code::kResourceExhausted)
    return forbid(0, bad);
  if (bad.ok())
    bad = found->second->set(std::move(*value));
  if (!bad.ok() && writeStatus_.ok()) // not the fault of rank 0, which will hear of it
    writeStatus_ = Status(bad.code(), deviceOf(rank()) + ": variable '" + found->second->name +
                                          "': " + bad.message());
}

} // namespace sluice::rt
