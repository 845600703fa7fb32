// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-hoist-invariants: what is the same in every iteration is computed before the loop.
//
// Of what could be hoisted, only what lies in memory anyway is wanted: products and reductions, and
// what these take. The ops from which that follows go along, as copies where the loop needs them,
// too. Loops within loops come first, so that a value gets out of as many as it can.
#include "compiler/optimize/FirstTurn.h"
#include "compiler/optimize/Passes.h"
#include "compiler/optimize/Recomputation.h"
#include "dialects/flow/DeadnessAnalysis.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/wire/Restructure.h"
#include "dialects/wire/Steering.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEHOISTINVARIANTS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

// When values of a graph are live. In a graph with switches a loop may be dead while what it
// captures is not.
class Liveness {
public:
  explicit Liveness(flow::TokenGraph graph) {
    auto switches = graph.getBody().getOps<flow::SwitchOp>();
    if (!switches.empty() && (frames_ = flow::FrameAnalysis::run(graph)))
      deadness_ = flow::DeadnessAnalysis::run(graph, *frames_);
  }
  // Null where it does not matter: ops of a region run when that does.
  const flow::DeadnessAnalysis *around(flow::WhileOp loop) const {
    return deadness_ && isa<flow::TokenGraph>(loop->getParentOp()) ? &*deadness_ : nullptr;
  }

private:
  std::optional<flow::FrameAnalysis> frames_;
  std::optional<flow::DeadnessAnalysis> deadness_;
};

// Whether ops on what a loop captures run only if the loop does.
class Entry {
public:
  Entry(flow::WhileOp loop, const Liveness &liveness) : deadness_(liveness.around(loop)) {
    if (deadness_)
      for (Value init : loop.getInits())
        inits_.insert(deadness_->conditionOf(init));
  }
  bool isLiveOnlyWithLoop(Value capture) {
    if (!deadness_)
      return true;
    unsigned condition = deadness_->conditionOf(capture);
    auto [known, isNew] = known_.try_emplace(condition, false);
    if (isNew)
      known->second =
          llvm::all_of(inits_, [&](unsigned init) { return deadness_->implies(condition, init); });
    return known->second;
  }

private:
  const flow::DeadnessAnalysis *deadness_;
  llvm::SmallSetVector<unsigned, 4> inits_;
  DenseMap<unsigned, bool> known_; // by the condition of a capture
};

// The invariant ops of one region of a loop.
class Invariants {
public:
  Invariants(flow::WhileOp loop, Region &region, Entry &entry)
      : loop_(loop), region_(region), entry_(entry) {}

  unsigned hoist() {
    find();
    choose();
    if (wanted_.empty())
      return 0;
    copyOut();
    return bringIn();
  }

private:
  // Operands that come from outside in every iteration.
  void find() {
    unsigned carried = region_.getNumArguments() - loop_.getCaptures().size();
    for (BlockArgument argument : region_.getArguments().drop_front(carried)) {
      Value capture = optimize::operandOf(loop_, argument).get();
      outside_.map(argument, capture);
      if (!flow::isConstantLike(capture) && entry_.isLiveOnlyWithLoop(capture))
        bound_.insert(argument);
    }
    for (Operation &op : region_.front().without_terminator())
      if (optimize::cannotFail(&op) &&
          llvm::all_of(op.getOperands(), [&](Value operand) { return isInvariant(operand); })) {
        bool isBound =
            llvm::any_of(op.getOperands(), [&](Value operand) { return bound_.contains(operand); });
        if (!isBound)
          continue; // nothing would keep it from running without the loop
        invariant_.insert(&op);
        bound_.insert(op.result_begin(), op.result_end());
      }
  }

  bool isInvariant(Value value) const {
    Operation *op = value.getDefiningOp();
    return op ? invariant_.contains(op) || flow::isConstantLike(value) : outside_.contains(value);
  }

  // From the last to the first, so that it is known of users whether they go.
  void choose() {
    for (Operation &op : llvm::reverse(region_.front().without_terminator())) {
      if (!invariant_.contains(&op))
        continue;
      bool isNeeded =
          llvm::any_of(op.getUsers(), [&](Operation *user) { return goes_.contains(user); });
      if (isWanted(&op))
        wanted_.push_back(&op);
      else if (!isNeeded)
        continue;
      goes_.insert(&op);
    }
  }

  // Somebody stays who takes it, from memory. Views are none of its own.
  bool isWanted(Operation *op) const {
    bool isStored = optimize::worksInMemory(op);
    bool isMade = op->hasTrait<OfElements>() && !isScalar(op);
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !goes_.contains(user) && (isStored || (isMade && optimize::worksInMemory(user)));
    });
  }

  static bool isScalar(Operation *op) {
    return cast<RankedTensorType>(op->getResult(0).getType()).getRank() == 0;
  }

  // Constants have copies in each region.
  void copyOut() {
    OpBuilder builder(loop_);
    for (Operation &op : region_.front().without_terminator()) {
      if (!goes_.contains(&op))
        continue;
      for (Value operand : op.getOperands())
        if (flow::isConstantLike(operand) && !outside_.contains(operand))
          builder.clone(*operand.getDefiningOp(), outside_);
      builder.clone(op, outside_);
    }
  }

  unsigned bringIn() {
    SmallVector<Value> results, values;
    for (Operation *op : wanted_)
      for (Value result : op->getResults())
        if (!result.use_empty()) {
          results.push_back(result);
          values.push_back(outside_.lookup(result));
        }
    for (auto [result, argument] :
         llvm::zip_equal(results, wire::captureIn(loop_, region_, values)))
      result.replaceAllUsesWith(argument);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(region_.front())))
      if (goes_.contains(&op) && op.use_empty())
        op.erase();
    return static_cast<unsigned>(wanted_.size());
  }

  flow::WhileOp loop_;
  Region &region_;
  Entry &entry_;
  IRMapping outside_;     // what is invariant, as it is called outside
  DenseSet<Value> bound_; // live only if the loop is
  DenseSet<Operation *> invariant_, goes_;
  SmallVector<Operation *> wanted_;
};

// What a condition forwards of a capture, or of what has become one, the body has as a capture
// itself. Where somebody asks for a place of the switch in between, it stays.
void takeForwardedCaptures(flow::WhileOp loop) {
  Block &before = loop.getBefore().front(), &body = loop.getBody().front();
  auto inits = static_cast<unsigned>(loop.getInits().size());
  wire::Steering steering(loop);
  auto condition = cast<flow::ConditionOp>(before.getTerminator());
  for (auto [i, value] : llvm::enumerate(condition.getForwarded())) {
    auto number = static_cast<unsigned>(i);
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getArgNumber() >= inits && !steering.wishes(wire::kSwitches, number))
      body.getArgument(number).replaceAllUsesWith(
          body.getArgument(loop.getNumResults() + argument.getArgNumber() - inits));
  }
}

struct HoistInvariants
    : flow::GraphPass<optimize::impl::OptimizeHoistInvariantsBase<HoistInvariants>> {
  void runOnGraph(flow::TokenGraph graph) override {
    SmallVector<flow::WhileOp> loops;
    graph.walk([&](flow::WhileOp loop) { loops.push_back(loop); }); // inner ones first
    if (loops.empty())
      return markAllAnalysesPreserved();
    Liveness liveness(graph);
    for (flow::WhileOp loop : loops) {
      Entry entry(loop, liveness);
      numHoisted += Invariants(loop, loop.getBefore(), entry).hoist();
      takeForwardedCaptures(loop);
      if (optimize::surelyRuns(loop)) // else it would be work for nothing
        numHoisted += Invariants(loop, loop.getBody(), entry).hoist();
    }
  }
};

} // namespace
