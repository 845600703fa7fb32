// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Token machine: firings on a card.
//
// A codelet is done once it is enqueued, and so is a copy to the card: tokens go on at once, and
// with them the window of iterations that may be ahead of the card. A copy to the host comes back
// through the inbox, as what workers do.
#include "runtime/executor/loop_firing.h"
#include "runtime/executor/token_machine.h"

namespace sluice::rt {

// It ends when the card has told the host that the loop is over.
bool TokenMachine::startLoop(const Node &node, Iteration &iteration) {
  Card &card = *cards_[node.codelet->memory - 1];
  auto firing = std::make_unique<LoopFiring>(node, iteration, cancellation_, card, firstStream_);
  Result<Moment> end = firing->begin();
  if (!end.ok()) {
    fail(end.status().atNode(node.name));
    return false;
  }
  noteEnqueued(*firing);
  card.device().tell(*end, std::move(firing), inbox_);
  return false;
}

// Whether the work goes on elsewhere.
bool TokenMachine::goOn(Completion &completion) {
  auto &firing = static_cast<Firing &>(*completion.work);
  if (!completion.status.ok() || !firing.node().codelet || !firing.node().codelet->code->loop)
    return false;
  Result<std::optional<Moment>> end = static_cast<LoopFiring &>(firing).goOn();
  if (!end.ok())
    completion.status = end.status();
  if (!end.ok() || !*end)
    return false;
  enqueuedSince_ = systemClock().now();
  Card &card = *cards_[firing.node().codelet->memory - 1];
  card.device().tell(**end, std::move(completion.work), inbox_);
  return true;
}

bool TokenMachine::fireOnCard(const Node &node, Iteration &iteration) {
  if (node.codelet->code->loop)
    return startLoop(node, iteration);
  CardFiring firing(node, iteration, cancellation_, *cards_[node.codelet->memory - 1],
                    firstStream_);
  if (Status status = firing.run(); !status.ok()) {
    fail(std::move(status).atNode(node.name));
    return false;
  }
  finishFiring(firing);
  return true;
}

void TokenMachine::fireCopy(const Node &node, Iteration &iteration) {
  if (node.memory == kHostMemory)
    return copyToHost(node, iteration);
  const Tensor &value = operandOf(node.inputs[0], iteration);
  Card &card = *cards_[node.memory - 1];
  Result<Tensor> copy =
      value.holder() ? card.copyFromCard(value, node.name) : card.copyIn(value, node.name);
  if (!copy.ok())
    return fail(copy.status().atNode(node.name));
  if (!node.inputs[0].constant)
    iteration.slots[node.inputs[0].slot].reset();
  for (size_t port = 0; port < node.ports.size(); ++port)
    deliver(node, port, port == 0 ? &*copy : nullptr, false, iteration);
  --iteration.outstanding;
  settle(iteration);
}

void TokenMachine::copyToHost(const Node &node, Iteration &iteration) {
  auto firing = std::make_unique<CopyFiring>(node, iteration, cancellation_);
  Card &card = Card::of(operandOf(node.inputs[0], iteration));
  Result<Moment> end = firing->begin(card);
  if (!end.ok())
    return fail(end.status().atNode(node.name));
  noteEnqueued(*firing);
  card.device().tell(*end, std::move(firing), inbox_);
}

} // namespace sluice::rt
