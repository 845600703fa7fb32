// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens that are always there.
#include "compiler/optimize/TokenSimplifier.h"

#include "dialects/array/Array.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/state/State.h"

using namespace mlir;

namespace sluice::optimize {

bool mustArrive(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<flow::MergeOp, flow::ExitOp, flow::NextIterationOp>(user);
  });
}

static bool isStart(Value value) { return isa_and_nonnull<flow::StartOp>(value.getDefiningOp()); }

Value TokenSimplifier::start() {
  if (start_)
    return start_;
  Block &body = graph_.getBody().front();
  auto existing = body.getOps<flow::StartOp>();
  if (!existing.empty())
    return start_ = (*existing.begin()).getToken();
  OpBuilder b = OpBuilder::atBlockBegin(&body);
  auto made = flow::StartOp::create(b, graph_.getLoc(), b.getType<flow::TokenType>());
  return start_ = made.getToken();
}

bool TokenSimplifier::replace(Operation *op, Value by) {
  op->getResult(0).replaceAllUsesWith(by);
  op->erase();
  ++removed_;
  return true;
}

void TokenSimplifier::dropStarts(Operation *op, unsigned keep) {
  llvm::BitVector starts(op->getNumOperands());
  for (unsigned i = keep; i < op->getNumOperands(); ++i)
    starts[i] = isStart(op->getOperand(i));
  removed_ += starts.count();
  op->eraseOperands(starts);
}

bool TokenSimplifier::simplify(Operation *op) {
  if (auto after = dyn_cast<flow::AfterOp>(op)) {
    bool always =
        flow::isConstantLike(after.getValue()) || after.getValue().getDefiningOp<flow::FeedOp>();
    return always && replace(op, start());
  }
  if (isa<flow::JoinOp, flow::TriggerOp>(op)) {
    if (llvm::all_of(op->getOperands(), isStart))
      return replace(op, start());
    dropStarts(op, 0);
    return false;
  }
  if (auto gate = dyn_cast<flow::GateOp>(op)) {
    if (!llvm::all_of(gate.getTokens(), isStart)) {
      dropStarts(op, 1);
      return false;
    }
    bool mayGo = !flow::isConstantLike(gate.getValue()) || !mustArrive(gate.getResult());
    return mayGo && replace(op, gate.getValue());
  }
  if (op->hasTrait<HasEffect>())
    dropStarts(op, 0);
  return false;
}

} // namespace sluice::optimize
