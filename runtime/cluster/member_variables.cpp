// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Member: variables of other ranks, as rank 0 reads and writes them for its caller.
#include "runtime/cluster/member.h"

namespace sluice::rt {

void Member::declareVariables() {
  for (const Variable *variable : executor_.variables()) {
    PayloadWriter out;
    out.text(variable->name);
    out.u64(static_cast<uint64_t>(variable->dtype));
    out.shape(variable->shape);
    send(0, MessageType::kDeclaration, 0, out.bytes());
  }
  send(0, MessageType::kReady, 0, {});
}

void Member::receiveDeclaration(uint32_t peer, std::span<const char> payload) {
  PayloadReader in(payload);
  std::string name(in.text());
  uint64_t dtype = in.u64();
  Shape shape = in.shape();
  if (in.failed() || dtype >= static_cast<uint64_t>(DType::kHandle))
    return forbid(peer, invalidArgument("a damaged declaration"));
  remoteVariables_.push_back(
      std::make_unique<Variable>(std::move(name), static_cast<DType>(dtype), std::move(shape)));
  remoteRanks_.push_back(peer);
}

void Member::requestVariables() {
  variableAnswersMissing_ = transport_->size() - 1;
  sendToAll(MessageType::kReadVariables, 0, {});
  transport_->flush();
}

void Member::answerVariables() {
  for (const Variable *variable : executor_.variables()) {
    PayloadWriter out;
    out.text(variable->name);
    out.tensor(variable->value);
    send(0, MessageType::kVariable, 0, out.bytes());
  }
  send(0, MessageType::kVariablesEnd, 0, {});
}

void Member::receiveVariable(uint32_t peer, std::span<const char> payload) {
  PayloadReader in(payload);
  std::string_view name = in.text();
  Result<Tensor> value = in.tensor();
  for (size_t i = 0; i < remoteVariables_.size(); ++i) {
    if (remoteRanks_[i] != peer || remoteVariables_[i]->name != name)
      continue;
    if (!value.ok())
      return forbid(peer, value.status());
    remoteVariables_[i]->value = std::move(*value);
    return;
  }
  forbid(peer, invalidArgument("a variable that it has not declared"));
}

void Member::sendVariables() {
  for (size_t i = 0; i < remoteVariables_.size(); ++i) {
    PayloadWriter out;
    out.text(remoteVariables_[i]->name);
    out.tensor(remoteVariables_[i]->value);
    send(remoteRanks_[i], MessageType::kWriteVariable, 0, out.bytes());
  }
  transport_->flush();
}

void Member::receiveWrite(std::span<const char> payload) {
  PayloadReader in(payload);
  std::string_view name = in.text();
  Result<Tensor> value = in.tensor();
  if (!value.ok())
    return forbid(0, value.status());
  for (Variable *variable : executor_.variables())
    if (variable->name == name)
      variable->value = std::move(*value);
}

} // namespace sluice::rt
