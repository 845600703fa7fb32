// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One bit for each of 64 questions goes from the ops that were asked about to all that wait for
// them.
#include "compiler/raise/WaitQuestions.h"

#include "dialects/flow/GraphOrder.h"

using namespace mlir;

namespace sluice::raise {

// Over the ops of one block, by their positions in an order that has operands first.
class WaitQuestions::Walk {
public:
  explicit Walk(Block *block) {
    auto graph = dyn_cast<flow::TokenGraph>(block->getParentOp());
    std::vector<Operation *> order;
    if (graph)
      order = flow::operandsFirst(graph);
    else
      for (Operation &op : *block)
        order.push_back(&op);
    for (Operation *op : order)
      position_.try_emplace(op, position_.size());
    for (Operation *op : order) {
      goesRound_.push_back(isa<flow::NextIterationOp>(op));
      hasCycles_ |= goesRound_.back();
      for (Value operand : op->getOperands())
        if (auto it = position_.find(operand.getDefiningOp()); it != position_.end())
          producers_.push_back(it->second);
      ends_.push_back(producers_.size());
    }
  }

  // Whether the order alone says no: nothing waits for what comes after it, unless it goes round.
  bool isInOrder(const Question &question) const {
    unsigned first = ends_.size(), last = 0;
    for (Operation *op : question.first)
      first = std::min(first, position_.lookup(op));
    for (Operation *op : question.later)
      last = std::max(last, position_.lookup(op));
    return !hasCycles_ && last <= first;
  }

  // Of at most 64 questions.
  void answer(ArrayRef<const Question *> questions,
              std::vector<std::optional<unsigned>> &answers) const {
    std::vector<uint64_t> asked(ends_.size()), waits(ends_.size());
    for (auto [bit, question] : llvm::enumerate(questions))
      for (Operation *op : question->first)
        asked[position_.lookup(op)] |= uint64_t(1) << bit;
    uint64_t round = walk(asked, waits, 0);
    if (round) // what waits for an earlier iteration of one loop is taken to do so in all
      walk(asked, waits, round);
    for (auto [bit, question] : llvm::enumerate(questions))
      for (auto [i, op] : llvm::enumerate(question->later))
        if (!answers[question->number] && waits[position_.lookup(op)] >> bit & 1)
          answers[question->number] = i;
  }

private:
  // Gives the bits that go into an op that goes round; `round` come out of all of those.
  uint64_t walk(ArrayRef<uint64_t> asked, std::vector<uint64_t> &waits, uint64_t round) const {
    uint64_t goes = 0;
    for (size_t i = 0; i < ends_.size(); ++i)
      waits[i] = goesRound_[i] ? round : 0;
    for (size_t i = 0, at = 0; i < ends_.size(); ++i) {
      uint64_t bits = waits[i];
      for (; at < ends_[i]; ++at)
        bits |= waits[producers_[at]] | asked[producers_[at]];
      waits[i] = bits;
      if (goesRound_[i])
        goes |= bits | asked[i];
    }
    return goes;
  }

  llvm::DenseMap<Operation *, unsigned> position_;
  std::vector<unsigned> producers_, ends_; // of each op, one after the other
  std::vector<bool> goesRound_;
  bool hasCycles_ = false;
};

void WaitQuestions::ask(Block *block, ArrayRef<Operation *> first, ArrayRef<Operation *> later) {
  byBlock_[block].push_back(
      {SmallVector<Operation *>(first), SmallVector<Operation *>(later), numQuestions_++});
}

std::vector<std::optional<unsigned>> WaitQuestions::answer() const {
  std::vector<std::optional<unsigned>> answers(numQuestions_);
  for (const auto &[block, questions] : byBlock_) {
    Walk walk(block);
    SmallVector<const Question *, 64> together;
    for (const Question &question : questions) {
      if (!walk.isInOrder(question))
        together.push_back(&question);
      if (together.size() == 64 || (&question == &questions.back() && !together.empty())) {
        walk.answer(together, answers);
        together.clear();
      }
    }
  }
  return answers;
}

} // namespace sluice::raise
