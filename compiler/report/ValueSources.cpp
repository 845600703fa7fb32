// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows block arguments outwards and results inwards.
#include "compiler/report/ValueSources.h"

#include "dialects/flow/Flow.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace sluice::report {

namespace {

class Search {
public:
  explicit Search(OpOperand &operand) : user_(operand.getOwner()) { follow(operand.get(), false); }

  SmallVector<Source> run() {
    while (!open_.empty()) {
      auto [next, isBack] = open_.pop_back_val();
      visit(next, isBack);
    }
    return std::move(found_);
  }

private:
  void follow(Value value, bool isBack) {
    if (seen_.insert(value).second)
      open_.push_back({value, isBack});
  }

  void visit(Value value, bool isBack) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return visitArgument(argument, isBack);
    auto result = cast<OpResult>(value);
    unsigned number = result.getResultNumber();
    Operation *op = result.getOwner();
    if (auto codelet = dyn_cast<flow::CodeletOp>(op))
      return follow(codelet.getBody().front().getTerminator()->getOperand(number), isBack);
    if (auto branch = dyn_cast<flow::CondOp>(op)) {
      follow(branch.getOnFalse().front().getTerminator()->getOperand(number), isBack);
      return follow(branch.getOnTrue().front().getTerminator()->getOperand(number), isBack);
    }
    if (auto loop = dyn_cast<flow::WhileOp>(op))
      return follow(conditionOf(loop).getForwarded()[number], isBack);
    found_.push_back({op, isBack});
  }

  void visitArgument(BlockArgument argument, bool isBack) {
    unsigned number = argument.getArgNumber();
    Operation *op = argument.getOwner()->getParentOp();
    if (auto codelet = dyn_cast<flow::CodeletOp>(op))
      return follow(codelet.getInputs()[number], isBack);
    if (auto branch = dyn_cast<flow::CondOp>(op))
      return follow(branch.getCaptures()[number], isBack);
    if (auto loop = dyn_cast<flow::WhileOp>(op))
      visitArgument(loop, argument, isBack);
  }

  // `before` has what is carried and then the captures, `body` what the condition forwards.
  void visitArgument(flow::WhileOp loop, BlockArgument argument, bool isBack) {
    unsigned number = argument.getArgNumber();
    bool inBefore = argument.getParentRegion() == &loop.getBefore();
    auto own = static_cast<unsigned>(inBefore ? loop.getInits().size()
                                              : conditionOf(loop).getForwarded().size());
    if (number >= own)
      return follow(loop.getCaptures()[number - own], isBack);
    if (!inBefore)
      return follow(conditionOf(loop).getForwarded()[number], isBack);
    // What leaves the loop was carried, too, but closes no circle.
    bool staysInside = loop->isAncestor(user_);
    follow(loop.getBody().front().getTerminator()->getOperand(number), isBack || staysInside);
    follow(loop.getInits()[number], isBack);
  }

  static flow::ConditionOp conditionOf(flow::WhileOp loop) {
    return cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  }

  Operation *user_;
  SmallVector<Source> found_;
  SmallVector<std::pair<Value, bool>> open_;
  llvm::DenseSet<Value> seen_;
};

} // namespace

SmallVector<Source> sourcesOf(OpOperand &operand) { return Search(operand).run(); }

} // namespace sluice::report
