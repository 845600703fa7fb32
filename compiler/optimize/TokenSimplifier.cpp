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

static bool holds(state::AssertOp assertion) {
  Value condition = assertion->getOperand(0);
  while (auto gate = condition.getDefiningOp<flow::GateOp>())
    condition = gate.getValue();
  auto constant = condition.getDefiningOp<nd::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : nullptr;
  return elements && llvm::all_of(elements, [](const APInt &value) { return !value.isZero(); });
}

// Constants and feeds are always there.
static bool isAlwaysThere(Value value) {
  return flow::isConstantLike(value) || value.getDefiningOp<flow::FeedOp>();
}

// All that is left is to wait for what would have been shown.
bool TokenSimplifier::dropAssertion(state::AssertOp assertion) {
  OpBuilder b(assertion);
  Type type = b.getType<flow::TokenType>();
  SmallVector<Value> tokens;
  for (Value operand : assertion->getOperands())
    if (isa<flow::TokenType>(operand.getType()))
      tokens.push_back(operand);
    else if (!isAlwaysThere(operand))
      tokens.push_back(flow::AfterOp::create(b, assertion.getLoc(), type, operand));
  llvm::erase_if(tokens, isStart);
  if (tokens.size() < 2)
    return replace(assertion, tokens.empty() ? start() : tokens.front());
  return replace(assertion, flow::JoinOp::create(b, assertion.getLoc(), type, tokens));
}

static bool joins(Operation *op) { return isa<flow::JoinOp, flow::TriggerOp>(op); }

// For those that join tokens, of which there may be many: all ops of a region run, so one that is
// there anyway will do where the assertion waits for none.
void TokenSimplifier::standInFor(state::AssertOp assertion) {
  SmallVector<OpOperand *> joined;
  for (OpOperand &use : assertion.getDone().getUses())
    if (joins(use.getOwner()))
      joined.push_back(&use);
  if (joined.empty())
    return;
  auto tokens = llvm::to_vector(llvm::make_filter_range(
      assertion->getOperands(), [](Value value) { return isa<flow::TokenType>(value.getType()); }));
  OpBuilder b(assertion);
  Type type = b.getType<flow::TokenType>();
  Value instead = tokens.size() == 1 ? tokens.front() : Value();
  if (tokens.empty())
    instead = flow::StartOp::create(b, assertion.getLoc(), type);
  else if (!instead)
    instead = flow::JoinOp::create(b, assertion.getLoc(), type, tokens);
  for (OpOperand *use : joined)
    use->set(instead);
}

void TokenSimplifier::dropStartsInRegion(Operation *join) {
  if (!joins(join))
    return;
  if (llvm::all_of(join->getOperands(), isStart))
    replace(join, join->getOperand(0));
  else
    dropStarts(join, 0);
}

void TokenSimplifier::simplifyInRegion(state::AssertOp assertion) {
  // Those that can do without it.
  auto isFit = [](Operation *user) {
    return isa<flow::GateOp, state::AssertOp>(user) || joins(user);
  };
  if (!holds(assertion) || !llvm::all_of(assertion->getUsers(), isFit))
    return;
  standInFor(assertion);
  llvm::SmallSetVector<Operation *, 4> users(assertion->user_begin(), assertion->user_end());
  for (Operation *user : users) {
    llvm::SmallSetVector<Value, 8> awaited;
    for (Value operand : llvm::concat<Value>(user->getOperands(), assertion->getOperands()))
      if (isa<flow::TokenType>(operand.getType()) && operand != assertion.getDone())
        awaited.insert(operand);
    SmallVector<Value> operands;
    for (Value operand : user->getOperands())
      if (!isa<flow::TokenType>(operand.getType()))
        operands.push_back(operand);
    llvm::append_range(operands, awaited);
    user->setOperands(operands);
    if (isa<flow::GateOp>(user) && operands.size() == 1)
      replace(user, operands.front());
  }
  assertion.erase();
  ++removed_;
}

bool TokenSimplifier::simplify(Operation *op) {
  if (auto assertion = dyn_cast<state::AssertOp>(op); assertion && holds(assertion))
    return dropAssertion(assertion);
  if (auto after = dyn_cast<flow::AfterOp>(op)) {
    return isAlwaysThere(after.getValue()) && replace(op, start());
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
