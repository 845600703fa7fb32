// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-drop-waits: in branches and loops without effects, what waits for values only.
//
// Functions wait for all that they compute before they give any of it, einsums for checks of their
// operands. Where no effect is there to be ordered, that says nothing, and hides from others that
// what a loop carries on is what it has just computed.
#include "compiler/optimize/Passes.h"
#include "dialects/flow/FrameAnalysis.cpp"
#include "dialects/flow/GraphPass.h"
#include "dialects/interfaces/KernelOps.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEDROPWAITS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

bool isPlumbing(Operation *op) {
  return isa<flow::StartOp, flow::AfterOp, flow::JoinOp, flow::GateOp>(op);
}

bool handlesTokens(Operation *op) {
  return llvm::any_of(op->getOperands(), isToken) || llvm::any_of(op->getResults(), isToken);
}

bool hasEffects(Operation *structured) {
  return structured
      ->walk([](Operation *op) {
        bool hasEffect = op->hasTrait<HasEffect>() || (handlesTokens(op) && !isPlumbing(op));
        return hasEffect ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

class WaitDropper {
public:
  explicit WaitDropper(Operation *structured) {
    structured->walk([&](Operation *op) {
      if (isPlumbing(op))
        plumbing_.push_back(op);
    });
  }

  unsigned run() {
    unsigned dropped = 0;
    for (Operation *op : plumbing_)
      if (isa<flow::JoinOp, flow::GateOp>(op))
        dropped += drop(op);
    for (Operation *&op : plumbing_)
      if (auto gate = dyn_cast<flow::GateOp>(op); gate && gate.getTokens().empty()) {
        gate.getResult().replaceAllUsesWith(gate.getValue());
        gate.erase();
        op = nullptr;
      }
    eraseUnused();
    return dropped;
  }

private:
  unsigned drop(Operation *op) {
    llvm::BitVector vain(op->getNumOperands());
    for (OpOperand &operand : op->getOpOperands())
      vain[operand.getOperandNumber()] = isToken(operand.get()) && isVain(operand.get());
    // A join that is not used any more may as well wait for all.
    if (isa<flow::JoinOp>(op) && vain.all())
      return 0;
    op->eraseOperands(vain);
    return vain.count();
  }

  // Whether nobody has to wait for it.
  bool isVain(Value token) {
    auto known = vain_.find(token);
    if (known != vain_.end())
      return known->second;
    Operation *op = token.getDefiningOp();
    bool isVain = false;
    if (auto after = dyn_cast_or_null<flow::AfterOp>(op))
      isVain = isNeededAnyway(after.getValue());
    else if (isa_and_nonnull<flow::JoinOp>(op))
      isVain =
          llvm::all_of(op->getOperands(), [&](Value operand) { return this->isVain(operand); });
    else
      isVain = isa_and_nonnull<flow::StartOp>(op);
    return vain_[token] = isVain;
  }

  // What nobody else needs runs only because it is waited for, and may fail.
  static bool isNeededAnyway(Value value) {
    if (Operation *op = value.getDefiningOp())
      return llvm::any_of(op->getResults(), [](Value result) { return hasUseBeside(result); });
    if (hasUseBeside(value))
      return true;
    OpOperand *capture = captureOf(cast<BlockArgument>(value));
    return capture && (flow::isConstantLike(capture->get()) ||
                       hasUseBeside(capture->get(), capture->getOwner()) ||
                       llvm::any_of(argumentsOf(*capture),
                                    [](Value argument) { return hasUseBeside(argument); }));
  }
  // A use that is no wait.
  static bool hasUseBeside(Value value, Operation *user = nullptr) {
    return llvm::any_of(value.getUsers(), [&](Operation *other) {
      return other != user && !isa<flow::AfterOp>(other);
    });
  }
  // What stays the same in a region and comes from around it.
  static OpOperand *captureOf(BlockArgument argument) {
    Operation *parent = argument.getOwner()->getParentOp();
    unsigned position = argument.getArgNumber();
    if (auto branch = dyn_cast<flow::CondOp>(parent))
      return &branch.getCapturesMutable()[position];
    auto loop = cast<flow::WhileOp>(parent);
    bool isBefore = argument.getOwner() == &loop.getBefore().front();
    unsigned carried = isBefore ? loop.getInits().size() : loop.getNumResults();
    return position < carried ? nullptr : &loop.getCapturesMutable()[position - carried];
  }

  static SmallVector<Value, 2> argumentsOf(OpOperand &capture) {
    Operation *parent = capture.getOwner();
    SmallVector<Value, 2> arguments;
    for (Region &region : parent->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (captureOf(argument) == &capture)
          arguments.push_back(argument);
    return arguments;
  }

  // Users come behind what they use.
  void eraseUnused() {
    for (Operation *op : llvm::reverse(plumbing_))
      if (op && !isa<flow::GateOp>(op) && op->use_empty())
        op->erase();
  }

  SmallVector<Operation *> plumbing_;
  DenseMap<Value, bool> vain_;
};

struct DropWaits : flow::GraphPass<optimize::impl::OptimizeDropWaitsBase<DropWaits>> {
  void runOnGraph(flow::TokenGraph graph) override {
    for (Operation &op : graph.getBody().getOps())
      if (isa<flow::WhileOp, flow::CondOp>(op) && !hasEffects(&op))
        numDropped += WaitDropper(&op).run();
  }
};

} // namespace
