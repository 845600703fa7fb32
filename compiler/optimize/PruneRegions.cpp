// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-prune-regions: what branches and loops carry for nobody.
//
// A value is needed if it leads to an effect, a fetch or a target: out of regions by their ends,
// into them by operands, round loops. So a variable of a loop that only its own next value looks at
// is not.
#include "compiler/optimize/Passes.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/wire/Restructure.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEPRUNEREGIONS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

bool isStructured(Operation *op) { return isa<flow::WhileOp, flow::CondOp>(op); }

// Whether the op is there for its results alone.
bool onlyGivesResults(Operation *op) {
  return op->hasTrait<Computes>() || isStructured(op) || op->hasTrait<OpTrait::IsTerminator>() ||
         isa<flow::StartOp, flow::GateOp, flow::AfterOp, flow::JoinOp, flow::TriggerOp>(op);
}

class Needs {
public:
  explicit Needs(flow::TokenGraph graph) {
    graph.walk([&](Operation *op) {
      if (op != graph && !onlyGivesResults(op))
        need(op);
    });
    while (!open_.empty())
      spread(open_.pop_back_val());
  }
  bool isNeeded(Value value) const { return values_.contains(value); }
  bool isNeeded(Operation *op) const { return ops_.contains(op); }

  wire::Kept keptOf(Operation *structured) const {
    wire::Kept kept(structured, /*all=*/false);
    if (auto loop = dyn_cast<flow::WhileOp>(structured)) {
      Block &before = loop.getBefore().front(), &body = loop.getBody().front();
      for (unsigned i = 0; i < kept.inits.size(); ++i)
        kept.inits[i] = isNeeded(before.getArgument(i));
      for (unsigned i = 0; i < kept.results.size(); ++i)
        kept.results[i] = isNeeded(loop.getResult(i)) || isNeeded(body.getArgument(i));
      for (unsigned i = 0; i < kept.captures.size(); ++i)
        kept.captures[i] = isNeeded(before.getArgument(kept.inits.size() + i)) ||
                           isNeeded(body.getArgument(kept.results.size() + i));
      return kept;
    }
    auto branch = cast<flow::CondOp>(structured);
    for (unsigned i = 0; i < kept.results.size(); ++i)
      kept.results[i] = isNeeded(branch.getResult(i));
    for (unsigned i = 0; i < kept.captures.size(); ++i)
      kept.captures[i] = llvm::any_of(
          branch->getRegions(), [&](Region &region) { return isNeeded(region.getArgument(i)); });
    return kept;
  }

private:
  void need(Value value) {
    if (value && values_.insert(value).second)
      open_.push_back(value);
  }
  void need(Operation *op) {
    if (isa<flow::TokenGraph>(op) || !ops_.insert(op).second)
      return;
    need(op->getParentOp());
    if (auto loop = dyn_cast<flow::WhileOp>(op))
      need(cast<flow::ConditionOp>(loop.getBefore().front().getTerminator()).getPredicate());
    else if (auto branch = dyn_cast<flow::CondOp>(op))
      need(branch.getPredicate());
    else if (!op->hasTrait<OpTrait::IsTerminator>())
      for (Value operand : op->getOperands())
        need(operand);
  }

  void spread(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *op = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
    need(op);
    if (auto loop = dyn_cast<flow::WhileOp>(op))
      spreadLoop(loop, value, argument);
    else if (auto branch = dyn_cast<flow::CondOp>(op))
      spreadBranch(branch, value, argument);
  }
  void spreadLoop(flow::WhileOp loop, Value value, BlockArgument argument) {
    auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
    auto inits = static_cast<unsigned>(loop.getInits().size()), results = loop.getNumResults();
    if (!argument)
      return need(condition.getForwarded()[cast<OpResult>(value).getResultNumber()]);
    unsigned number = argument.getArgNumber();
    bool isBefore = argument.getOwner()->getParent() == &loop.getBefore();
    if (number >= (isBefore ? inits : results))
      return need(loop.getCaptures()[number - (isBefore ? inits : results)]);
    if (!isBefore)
      return need(condition.getForwarded()[number]);
    need(loop.getInits()[number]);
    need(loop.getBody().front().getTerminator()->getOperand(number));
  }
  void spreadBranch(flow::CondOp branch, Value value, BlockArgument argument) {
    if (argument)
      return need(branch.getCaptures()[argument.getArgNumber()]);
    for (Region &region : branch->getRegions())
      need(region.front().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber()));
  }

  DenseSet<Value> values_;
  DenseSet<Operation *> ops_;
  SmallVector<Value> open_;
};

struct PruneRegions : flow::GraphPass<optimize::impl::OptimizePruneRegionsBase<PruneRegions>> {
  void runOnGraph(flow::TokenGraph graph) override {
    Needs needs(graph);
    SmallVector<Operation *> dead;
    SmallVector<std::pair<Operation *, wire::Kept>> narrowed;
    graph.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == graph || op->hasTrait<OpTrait::IsTerminator>())
        return WalkResult::advance();
      bool isDead = !needs.isNeeded(op);
      if (isDead)
        dead.push_back(op);
      else if (isStructured(op))
        if (wire::Kept kept = needs.keptOf(op); !kept.isAll())
          narrowed.emplace_back(op, std::move(kept));
      return isDead ? WalkResult::skip() : WalkResult::advance();
    });
    if (dead.empty() && narrowed.empty())
      return markAllAnalysesPreserved();
    for (auto &[op, kept] : narrowed) {
      numValues += kept.inits.size() - kept.inits.count() + kept.captures.size() -
                   kept.captures.count() + kept.results.size() - kept.results.count();
      wire::keepOnly(op, kept);
    }
    for (Operation *op : dead) { // they use each other in any order
      op->dropAllReferences();
      op->dropAllUses();
    }
    for (Operation *op : dead)
      op->erase();
    numOps += dead.size();
  }
};

} // namespace
