// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop carries and captures for the results that somebody uses.
#include "compiler/differentiate/Segments.h"

#include "dialects/wire/Restructure.h"

using namespace mlir;

namespace sluice::differentiate {

namespace {

// Goes back from what is used; an op within that has regions needs all that it is given.
class Uses {
public:
  explicit Uses(flow::WhileOp loop)
      : loop_(loop), before_(loop.getBefore().front()), body_(loop.getBody().front()),
        condition_(cast<flow::ConditionOp>(before_.getTerminator())), kept_(loop, /*all=*/false) {
    need(condition_.getPredicate());
    for (OpResult result : loop->getResults())
      if (!result.use_empty())
        needResult(result.getResultNumber());
    while (!open_.empty())
      spread(open_.pop_back_val());
  }
  const wire::Kept &kept() const { return kept_; }

private:
  void need(Value value) {
    if (known_.insert(value).second)
      open_.push_back(value);
  }
  void needResult(unsigned number) {
    if (kept_.results[number])
      return;
    kept_.results[number] = true;
    need(condition_.getForwarded()[number]);
  }
  void spread(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument) {
      for (Value operand : value.getDefiningOp()->getOperands())
        need(operand);
      return;
    }
    unsigned number = argument.getArgNumber();
    bool isBefore = argument.getOwner() == &before_;
    unsigned own = isBefore ? kept_.inits.size() : kept_.results.size();
    if (number >= own) {
      kept_.captures[number - own] = true;
    } else if (!isBefore) {
      needResult(number);
    } else {
      kept_.inits[number] = true;
      need(body_.getTerminator()->getOperand(number));
    }
  }

  flow::WhileOp loop_;
  Block &before_, &body_;
  flow::ConditionOp condition_;
  wire::Kept kept_;
  DenseSet<Value> known_;
  SmallVector<Value> open_;
};

// Ops of a block whose results nobody uses.
void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && op.getNumResults() > 0 && !op.hasTrait<HasEffect>())
      op.erase();
}

} // namespace

flow::WhileOp narrowToUsed(flow::WhileOp loop) {
  Uses uses(loop);
  loop = cast<flow::WhileOp>(wire::keepOnly(loop, uses.kept()));
  eraseUnused(loop.getBody().front());
  eraseUnused(loop.getBefore().front());
  return loop;
}

} // namespace sluice::differentiate
