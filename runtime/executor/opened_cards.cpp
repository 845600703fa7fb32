// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings on a card.
//
// A codelet is done once it is enqueued, and so is a copy to the card: tokens go on at once, and
// with them the window of iterations that may be ahead of the card. A copy to the host comes back
// through the inbox, as what workers do.
#include "runtime/executor/opened_cards.h"

#include "runtime/executor/loop_firing.h"
#include "runtime/executor/token_machine.h"

namespace sluice::rt {

Status OpenedCards::add(std::unique_ptr<Card> card, Program &program) {
  cards_.push_back(std::move(card));
  return cards_.back()->prepare(program, static_cast<MemoryNumber>(cards_.size()));
}

Tensor OpenedCards::tryAllocatePinned(MemoryNumber number, DType dtype, const Shape &shape) {
  return card(number).tryAllocatePinned(dtype, shape);
}

// It ends when the card has told the host that the loop is over.
bool OpenedCards::startLoop(TokenMachine &machine, const Node &node, Iteration &iteration) {
  Card &card = this->card(node.codelet->memory);
  auto firing = std::make_unique<LoopFiring>(node, iteration, machine.cancellation_, card,
                                             machine.firstStream_);
  Result<Moment> end = firing->begin();
  if (!end.ok()) {
    machine.fail(end.status().atNode(node.name));
    return false;
  }
  machine.noteEnqueued(*firing);
  card.device().tell(*end, std::move(firing), machine.inbox_);
  return false;
}

bool OpenedCards::goOn(TokenMachine &machine, Completion &completion) {
  auto &firing = static_cast<Firing &>(*completion.work);
  if (!completion.status.ok() || !firing.node().codelet || !firing.node().codelet->code->loop)
    return false;
  Result<std::optional<Moment>> end = static_cast<LoopFiring &>(firing).goOn();
  if (!end.ok())
    completion.status = end.status();
  if (!end.ok() || !*end)
    return false;
  machine.enqueuedSince_ = systemClock().now();
  Card &card = this->card(firing.node().codelet->memory);
  card.device().tell(**end, std::move(completion.work), machine.inbox_);
  return true;
}

bool OpenedCards::fireCodelet(TokenMachine &machine, const Node &node, Iteration &iteration) {
  if (node.codelet->code->loop)
    return startLoop(machine, node, iteration);
  CardFiring firing(node, iteration, machine.cancellation_, card(node.codelet->memory),
                    machine.firstStream_);
  if (Status status = firing.run(); !status.ok()) {
    machine.fail(std::move(status).atNode(node.name));
    return false;
  }
  machine.finishFiring(firing);
  return true;
}

void OpenedCards::fireCopy(TokenMachine &machine, const Node &node, Iteration &iteration) {
  if (node.memory == kHostMemory)
    return copyToHost(machine, node, iteration);
  const Tensor &value = operandOf(node.inputs[0], iteration);
  Card &card = this->card(node.memory);
  Result<Tensor> copy =
      value.holder() ? card.copyFromCard(value, node.name) : card.copyIn(value, node.name);
  if (!copy.ok())
    return machine.fail(copy.status().atNode(node.name));
  if (!node.inputs[0].constant)
    iteration.slots[node.inputs[0].slot].reset();
  for (size_t port = 0; port < node.ports.size(); ++port)
    machine.deliver(node, port, port == 0 ? &*copy : nullptr, false, iteration);
  --iteration.outstanding;
  machine.settle(iteration);
}

void OpenedCards::copyToHost(TokenMachine &machine, const Node &node, Iteration &iteration) {
  auto firing = std::make_unique<CopyFiring>(node, iteration, machine.cancellation_);
  Card &card = Card::of(operandOf(node.inputs[0], iteration));
  Result<Moment> end = firing->begin(card);
  if (!end.ok())
    return machine.fail(end.status().atNode(node.name));
  machine.noteEnqueued(*firing);
  card.device().tell(*end, std::move(firing), machine.inbox_);
}

void OpenedCards::addFigures(Stats &stats) const {
  auto number = [](uint64_t n) { return static_cast<double>(n); };
  for (size_t i = 0; i < cards_.size(); ++i) {
    std::string name = "gpu_" + std::to_string(i);
    Card &card = *cards_[i];
    Card::Products products = card.products();
    stats.emplace_back(name + "_library_products", number(products.byLibrary));
    stats.emplace_back(name + "_kernel_products", number(products.byKernels));
    Device::CopiedBytes copied = card.device().copiedBytes();
    stats.emplace_back(name + "_bytes_copied_pinned", number(copied.pinned));
    stats.emplace_back(name + "_bytes_copied_staged", number(copied.staged));
    if (cards_.size() > 1)
      stats.emplace_back(name + "_bytes_from_cards", number(copied.fromPeers));
    stats.emplace_back(name + "_pinned_bytes", number(card.pinned().counters().held));
    if (auto memory = card.device().memoryInfo(); memory.ok()) {
      stats.emplace_back(name + "_peak_bytes", number(memory->pool.peak));
      stats.emplace_back(name + "_held_bytes", number(memory->pool.held));
      stats.emplace_back(name + "_free_bytes", number(memory->free));
      SavedValues::Counters saved = card.saved().counters();
      stats.emplace_back(name + "_values_moved_out", number(saved.movedOut));
      stats.emplace_back(name + "_bytes_moved_out", number(saved.bytesOut));
      stats.emplace_back(name + "_values_brought_back", number(saved.broughtBack));
      stats.emplace_back(name + "_bytes_brought_back", number(saved.bytesBack));
    }
  }
}

} // namespace sluice::rt
