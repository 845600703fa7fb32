// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cards of a rank that has some.
#pragma once

#include "runtime/executor/card.h"
#include "runtime/executor/cards.h"

namespace sluice::rt {

class OpenedCards final : public Cards {
public:
  // Also where it fails: it may hold by then what the program has put there.
  Status add(std::unique_ptr<Card> card, Program &program);

  size_t count() const override { return cards_.size(); }
  VariableMemory &memory(MemoryNumber number) override { return card(number); }
  Tensor tryAllocatePinned(MemoryNumber number, DType dtype, const Shape &shape) override;
  void addFigures(Stats &stats) const override;
  bool fireCodelet(TokenMachine &machine, const Node &node, Iteration &iteration) override;
  void fireCopy(TokenMachine &machine, const Node &node, Iteration &iteration) override;
  bool goOn(TokenMachine &machine, Completion &completion) override;

private:
  Card &card(MemoryNumber number) { return *cards_[number - 1]; }
  bool startLoop(TokenMachine &machine, const Node &node, Iteration &iteration);
  void copyToHost(TokenMachine &machine, const Node &node, Iteration &iteration);

  std::vector<std::unique_ptr<Card>> cards_; // in the order of their numbers
};

} // namespace sluice::rt
