// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each op does when it fires.
#include "compiler/interpret/Call.h"

using namespace mlir;

namespace sluice::interpret {

template <typename Firing> static bool isAnyDead(OperandRange operands, const Firing &firing) {
  std::span<const Token> tokens = firing.operands;
  return llvm::any_of(tokens.subspan(operands.getBeginOperandIndex(), operands.size()),
                      [](const Token &token) { return token.dead; });
}

void Call::fire(Firing firing) {
  const Node &op = node(firing.node);
  if (op.isPiecewise()) {
    firePiece(firing);
    return finish(firing);
  }
  bool dead = op.isMerge() ? !firing.liveInput
                           : llvm::any_of(firing.operands, [](const Token &t) { return t.dead; });
  dead &= !isa<flow::TriggerOp>(op.op); // live after anything
  if (auto request = dyn_cast<flow::GradientOp>(op.op))
    dead &= isAnyDead(request.getXs(), firing); // ys that were not computed do not count
  ++counters_.firings;
  counters_.deadFirings += dead;
  hasParked_ = false;
  if (!fireControlFlow(op, firing, dead)) {
    if (dead)
      sendAll(op, {rt::Tensor(), true}, *firing.place);
    else
      fireLive(op, firing);
  }
  if (!hasParked_) // else it ends when it is resumed
    finish(firing);
}

void Call::finish(const Firing &firing) {
  --firing.place->iteration->outstanding;
  settle(firing.place->iteration->frame);
}

// Ops for which a dead token means something of its own.
bool Call::fireControlFlow(const Node &op, Firing &firing, bool dead) {
  if (isa<flow::EnterOp>(op.op))
    fireEnter(op, firing, dead);
  else if (isa<flow::ExitOp>(op.op))
    fireExit(op, firing, dead);
  else if (isa<flow::NextIterationOp>(op.op))
    fireNextIteration(op, firing, dead);
  else if (isa<flow::FetchOp>(op.op))
    fireFetch(op, firing, dead);
  else if (isa<flow::TargetOp>(op.op))
    reached_.insert(firing.node);
  else if (isa<flow::ReturnOp>(op.op) && dead)
    fail(rt::invalidArgument("a function returns a dead tensor: it lies on a branch that was not "
                             "taken")
             .atNode(op.name));
  else
    return false;
  return true;
}

void Call::fireLive(const Node &op, Firing &firing) {
  if (isa<flow::MergeOp>(op.op))
    fireMerge(op, firing);
  else if (isa<flow::SwitchOp>(op.op))
    fireSwitch(op, firing);
  else if (isa<flow::FeedOp>(op.op))
    send(op, 0, {feeds_[op.port]}, *firing.place);
  else if (auto argument = dyn_cast<flow::ArgumentOp>(op.op))
    send(op, 0, firing.place->frame->arguments[argument.getIndex()], *firing.place);
  else if (isa<flow::CallOp>(op.op))
    fireCall(op, firing);
  else if (isa<flow::ReturnOp>(op.op))
    fireReturn(op, firing);
  else if (isa<flow::GateOp, flow::LoopCondOp>(op.op))
    send(op, 0, firing.operands[0], *firing.place);
  else if (isa<flow::StartOp, flow::JoinOp, flow::TriggerOp, flow::AfterOp>(op.op))
    send(op, 0, {}, *firing.place);
  else if (op.kernel || op.strict || isa<flow::IndependentOp, flow::KnownAsOp>(op.op))
    fireKernel(op, firing);
  else if (isa<flow::GradientOp>(op.op))
    fireGradient(op, firing);
  else
    fail(rt::unimplemented("the interpreter does not know " + op.op->getName().getStringRef().str())
             .atNode(op.name));
}

void Call::fireMerge(const Node &op, const Firing &firing) {
  send(op, 0, firing.operands[*firing.liveInput], *firing.place);
  send(op, 1, {rt::Tensor::scalar(static_cast<int32_t>(*firing.liveInput))}, *firing.place);
  send(op, 2, {}, *firing.place);
}

void Call::fireSwitch(const Node &op, const Firing &firing) {
  rt::Result<bool> taken = truthOf(firing.operands[1].value);
  if (!taken.ok())
    return fail(taken.status().atNode(op.name));
  send(op, *taken ? 1 : 0, firing.operands[0], *firing.place);
  send(op, *taken ? 0 : 1, {rt::Tensor(), true}, *firing.place);
  send(op, 2, {}, *firing.place);
}

void Call::fireEnter(const Node &op, const Firing &firing, bool dead) {
  Frame &frame = childFrame(op, *firing.place);
  Token token = dead ? Token{rt::Tensor(), true} : firing.operands[0];
  if (cast<flow::EnterOp>(op.op).getConstant()) {
    frame.constants[firing.node] = token;
    for (auto &[number, iteration] : frame.iterations)
      send(op, 0, token, *iteration);
  } else {
    send(op, 0, token, frame.first());
  }
  ++frame.entersArrived;
  settle(&frame);
}

void Call::fireExit(const Node &op, const Firing &firing, bool dead) {
  Frame &frame = *firing.place->frame;
  if (!dead) {
    if (!frame.liveExits.insert(firing.node).second)
      return fail(rt::invalidArgument("expected one live value to leave the loop but got a second "
                                      "one in iteration " +
                                      std::to_string(firing.place->number))
                      .atNode(op.name));
    return send(op, 0, firing.operands[0], *frame.around);
  }
  // An exit is dead in every iteration but the last; only the newest may turn out to be that.
  bool isNewest = firing.place->number + 1 == frame.next && frame.deferred.empty();
  if (isNewest)
    frame.deadExits.push_back(firing.node);
}

void Call::fireNextIteration(const Node &op, const Firing &firing, bool dead) {
  if (dead)
    stayDead(op.uses[0], *firing.place);
  else
    goRound(op.uses[0], firing.operands[0], *firing.place);
}

void Call::fireFetch(const Node &op, const Firing &firing, bool dead) {
  if (dead)
    return fail(
        rt::invalidArgument("the fetched tensor is dead: it lies on a branch that was not taken")
            .atNode(op.name));
  fetches_[op.port] = firing.operands[0].value;
  reached_.insert(firing.node);
}

// The values among an op's operands, as the tape knows them.
static std::vector<TapeValue> tapeValuesOf(Operation *op, const std::vector<Token> &operands) {
  std::vector<TapeValue> values;
  for (auto [operand, token] : llvm::zip_equal(op->getOperands(), operands))
    if (!isToken(operand))
      values.push_back({token.value, token.number});
  return values;
}

void Call::fireKernel(const Node &op, Firing &firing) {
  std::vector<const rt::Tensor *> inputs;
  for (auto [operand, token] : llvm::zip_equal(op.op->getOperands(), firing.operands))
    if (!isToken(operand))
      inputs.push_back(&token.value);
  // Kernels change what nobody else holds, so the tape holds it first.
  std::vector<TapeValue> kept;
  if (tape_)
    kept = tapeValuesOf(op.op, firing.operands);
  environment_.firing = firing.place->firing;
  running_ = &firing;
  counters_.kernels += op.kernel != nullptr;
  rt::Result<std::vector<rt::Tensor>> outputs = std::vector<rt::Tensor>();
  if (op.kernel)
    outputs = op.kernel->run(inputs, environment_);
  else if (tape_ && isa<flow::CompositeOp>(op.op))
    outputs = runOnTape(op, kept);
  else if (op.strict)
    outputs = op.strict->run(inputs, environment_, counters_.kernels);
  else // the first operands are the values
    for (unsigned i = 0; i < op.op->getNumResults(); ++i)
      outputs->push_back(*inputs[i]);
  if (!outputs.ok())
    return fail(outputs.status());
  if (hasParked_)
    return;
  if (rt::Status status = op.kernel ? op.kernel->check(*outputs) : rt::okStatus(); !status.ok())
    return fail(std::move(status));
  firing.operands.clear(); // users may then be the only holders of what they get
  sendResults(op, firing, *outputs, kept);
}

// As `flow.known_as` has them, what the results were made of stands before the inputs then.
rt::Result<std::vector<rt::Tensor>> Call::runOnTape(const Node &composite,
                                                    std::vector<TapeValue> &inputs) {
  SLUICE_ASSIGN_OR_RETURN(
      std::vector<TapeValue> made,
      composite.strict->runOnTape(inputs, environment_, counters_.kernels, *tape_));
  std::vector<rt::Tensor> outputs;
  for (const TapeValue &value : made)
    outputs.push_back(value.value);
  inputs.insert(inputs.begin(), made.begin(), made.end());
  return outputs;
}

void Call::fireGradient(const Node &op, const Firing &firing) {
  std::vector<TapeValue> operands = tapeValuesOf(op.op, firing.operands);
  auto found = tape_->answer(cast<flow::GradientOp>(op.op), operands);
  if (!found.ok())
    return fail(found.status());
  sendResults(op, firing, *found, operands);
}

void Call::sendResults(const Node &op, const Firing &firing, std::vector<rt::Tensor> &values,
                       const std::vector<TapeValue> &inputs) {
  uint64_t number = tape_ ? tape_->record(op.op, op.kernel.get(), inputs, values) : 0;
  size_t next = 0;
  for (OpResult result : op.op->getResults()) {
    Token token;
    if (!isToken(result)) {
      token.value = std::move(values[next++]);
      token.number = tape_ ? number++ : 0;
    }
    send(op, result.getResultNumber(), token, *firing.place);
  }
}

} // namespace sluice::interpret
