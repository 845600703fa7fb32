// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What branches and loops have in common on their way into the graph.
#include "compiler/lower/RegionsToGraph.h"

#include "dialects/array/Array.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"

using namespace mlir;

namespace sluice::lower {

static bool isStructured(Operation *op) {
  return isa<flow::CondOp, flow::WhileOp>(op) && !flow::isCollapsed(op);
}

// Ops that take control tokens after their other operands.
static bool takesTokens(Operation *op) {
  return isa<flow::GateOp, flow::JoinOp>(op) || op->hasTrait<HasEffect>();
}

RegionsToGraph::RegionsToGraph(flow::TokenGraph graph, const flow::FrameAnalysis &frames)
    : builder_(graph.getContext()), tokenType_(flow::TokenType::get(graph.getContext())),
      indexType_(RankedTensorType::get({}, builder_.getI32Type())), graph_(graph),
      analysis_(frames), numFrames_(frames.frames().size()) {
  for (const flow::Frame &frame : frames.frames().drop_front())
    frameNames_.insert({frame.parent, builder_.getStringAttr(frame.name)});
}

void RegionsToGraph::run() {
  for (Operation &op : graph_.getBody().front())
    if (isa<nd::ConstantOp>(op))
      constants_.try_emplace(op.getAttrDictionary(), &op);
    else if (isStructured(&op))
      open_.push_back({&op, analysis_.frameOf(&op)});
  for (const Work &work : open_) {
    // In the root frame constants may well start at the start of the call.
    auto first = llvm::find_if_not(work.op->getOperands(), flow::isConstantLike);
    if (work.frame == flow::FrameAnalysis::kRoot || first == work.op->operand_end())
      continue;
    Value value = *first;
    builder_.setInsertionPoint(work.op);
    Scope scope{work.frame, [&]() -> Value {
                  if (isa<flow::TokenType>(value.getType()))
                    return value;
                  return after(value, work.op->getLoc());
                }};
    tie(work.op, scope);
  }
  while (!open_.empty()) {
    Work work = open_.back();
    open_.pop_back();
    builder_.setInsertionPoint(work.op);
    if (auto cond = dyn_cast<flow::CondOp>(work.op))
      lowerBranch(cond, work.frame);
    else
      lowerLoop(cast<flow::WhileOp>(work.op), work.frame);
  }
}

bool RegionsToGraph::isLoose(Value value) const {
  return flow::isConstantLike(value) || loose_.contains(value);
}

Value RegionsToGraph::after(Value value, Location location) {
  return flow::AfterOp::create(builder_, location, tokenType_, value);
}

Value RegionsToGraph::join(Value token, Value other, Location location) {
  return flow::JoinOp::create(builder_, location, tokenType_, ValueRange{token, other});
}

Value RegionsToGraph::gate(Value value, Value token, Location location) {
  return flow::GateOp::create(builder_, location, value.getType(), value, token);
}

Value RegionsToGraph::startOf(Scope &scope) {
  if (!scope.token)
    scope.token = scope.start();
  return scope.token;
}

// The value, gated by the start of the region if it is loose.
Value RegionsToGraph::tied(Value value, Scope &scope) {
  if (!isLoose(value))
    return value;
  Value &result = scope.gated[value];
  if (!result) {
    Value token = startOf(scope);
    Location location = value.getLoc();
    result = isa<flow::TokenType>(value.getType()) ? join(value, token, location)
                                                   : gate(value, token, location);
    ++numGates_;
  }
  return result;
}

// Makes sure that the op fires only if the region is run.
void RegionsToGraph::tie(Operation *op, Scope &scope) {
  if (isStructured(op)) {
    // What happens inside depends on the predicate, or on what enters.
    unsigned numTied = 1;
    if (auto loop = dyn_cast<flow::WhileOp>(op)) {
      ensureVariable(loop);
      numTied = loop.getInits().size();
    }
    for (unsigned i = 0; i < numTied; ++i)
      op->setOperand(i, tied(op->getOperand(i), scope));
    return;
  }
  if (isa<flow::TriggerOp>(op)) {
    loose_.insert(op->getResult(0));
    return;
  }
  if (!llvm::all_of(op->getOperands(), [&](Value operand) { return isLoose(operand); }))
    return;
  if (takesTokens(op)) {
    op->insertOperands(op->getNumOperands(), startOf(scope));
    ++numGates_;
  } else if (op->getNumOperands()) {
    // Rather a loop invariant than a constant, about which users may want to know.
    auto operands = op->getOpOperands();
    auto chosen = llvm::find_if(
        operands, [](OpOperand &operand) { return !flow::isConstantLike(operand.get()); });
    OpOperand &operand = chosen == operands.end() ? operands.back() : *chosen;
    operand.set(tied(operand.get(), scope));
  }
}

void RegionsToGraph::replaceBySharedConstant(Operation *constant) {
  auto [it, isNew] = constants_.try_emplace(constant->getAttrDictionary(), constant);
  if (isNew) {
    constant->moveBefore(builder_.getInsertionBlock(), builder_.getInsertionPoint());
    return;
  }
  constant->replaceAllUsesWith(it->second);
  constant->erase();
}

// All ops but the terminator, to the insertion point.
void RegionsToGraph::moveOut(Block &block, Scope &scope) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (isa<nd::ConstantOp>(op)) {
      replaceBySharedConstant(&op);
    } else if (isa<flow::StartOp>(op)) {
      if (!op.use_empty())
        op.replaceAllUsesWith(ValueRange(startOf(scope)));
      op.erase();
    } else {
      tie(&op, scope);
      op.moveBefore(builder_.getInsertionBlock(), builder_.getInsertionPoint());
      if (isStructured(&op))
        open_.push_back({&op, scope.frame});
    }
  }
}

// What the value is when the predicate has decided for one way, and dead otherwise.
Value RegionsToGraph::steer(Switches &switches, Value value, bool way, Location location,
                            DictionaryAttr wishes) {
  flow::SwitchOp &op = switches.made[{value, wishes}];
  if (!op) {
    op = flow::SwitchOp::create(builder_, location, value.getType(), value.getType(), tokenType_,
                                value, switches.predicate);
    wire::giveWishes(op, wishes);
  }
  return way ? op.getOnTrue() : op.getOnFalse();
}

} // namespace sluice::lower
