// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the builder of a graph does for functions: their ends, their effects, and those that nodes
// call.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/functions/CallRules.h"
#include "dialects/flow/FrameAnalysis.h"

using namespace mlir;

namespace sluice::import {

void GraphBuilder::addArguments() {
  if (!function_)
    return;
  for (auto [index, type] : llvm::enumerate(function_->arguments))
    arguments_.push_back(flow::ArgumentOp::create(builder_,
                                                  locationOf(function_->body->arguments[index]),
                                                  type, static_cast<int64_t>(index)));
  returns_.resize(function_->body->returns.size());
}

void GraphBuilder::setReturn(uint32_t index, Value value) { returns_[index] = value; }

void GraphBuilder::addReturn() {
  SmallVector<Value> values;
  for (Value value : returns_) {
    if (!value)
      return; // its node failed
    values.push_back(readReference(value, value.getLoc(), {}));
  }
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(typeAsArgument(value.getType()));
  function_->results = types;
  function_->hasEffects = !effects_.empty();
  function_->isBuilt = true;
  Location loc = body_->getParentOp()->getLoc();
  if (!effects_.empty()) {
    values.push_back(effectsDone(loc));
    types.push_back(tokenType_);
  }
  flow::ReturnOp::create(builder_, loc, values);
  cast<flow::FuncOp>(body_->getParentOp())
      .setFunctionType(builder_.getFunctionType(function_->arguments, types));
}

// What is alive in the last iteration: what leaves the loop, or would if somebody needed it.
static SmallVector<Value> leavingLoop(const flow::Frame &loop) {
  SmallVector<Value> values;
  for (flow::ExitOp exit : loop.exits)
    values.push_back(exit->getOperand(0));
  if (!values.empty() || !loop.pivot)
    return values;
  flow::LoopCondOp pivot = loop.pivot;
  for (OpOperand &use : pivot->getUses())
    if (auto decided = dyn_cast<flow::SwitchOp>(use.getOwner()))
      values.push_back(decided.getOnFalse());
  return values;
}

// The token of a function whose effects have happened. Those of primitive branches may be dead,
// which the call is not; those of loops happen in each iteration, and the loop waits for them.
Value GraphBuilder::effectsDone(Location loc) {
  bool hasPrimitives = llvm::any_of(
      *body_, [](Operation &op) { return isa<flow::SwitchOp, flow::MergeOp, flow::EnterOp>(op); });
  auto frames = hasPrimitives
                    ? flow::FrameAnalysis::run(cast<flow::TokenGraph>(body_->getParentOp()))
                    : std::nullopt;
  if (!frames)
    return joined(effects_, loc);
  SmallVector<SmallVector<Value>> tokens(frames->frames().size()); // by frame
  for (Value effect : effects_)
    tokens[frames->resultFrameOf(effect.getDefiningOp())].push_back(effect);
  SmallVector<SmallVector<flow::NextIterationOp>> nexts(tokens.size()); // by frame
  for (auto next : body_->getOps<flow::NextIterationOp>())
    nexts[frames->frameOf(next)].push_back(next);
  for (unsigned frame = tokens.size() - 1; frame > 0; --frame) { // inner ones first
    if (tokens[frame].empty())
      continue;
    const flow::Frame &loop = frames->frames()[frame];
    Value all = flow::TriggerOp::create(builder_, loc, tokenType_, tokens[frame]);
    auto after = [&](Value value) {
      return flow::GateOp::create(builder_, loc, value.getType(), value, all);
    };
    for (flow::NextIterationOp next : nexts[frame]) {
      next->setOperand(0, after(next->getOperand(0)));
      next->moveBefore(body_, body_->end()); // ops stand in topological order
    }
    for (Value leaving : leavingLoop(loop)) { // what it leads to may stand further up
      Value value = after(leaving);
      Value last = flow::ExitOp::create(builder_, loc, value.getType(), value);
      tokens[loop.parent].push_back(flow::AfterOp::create(builder_, loc, tokenType_, last));
    }
  }
  // The call is alive if its arguments are.
  SmallVector<Value> alive(arguments_.begin(), arguments_.end());
  alive.push_back(startToken());
  if (!tokens.front().empty())
    alive.push_back(flow::TriggerOp::create(builder_, loc, tokenType_, tokens.front()));
  return joined(alive, loc);
}

// The functions that the node calls, if it does. Returns one that has to be built first.
Function *GraphBuilder::findCallees(uint32_t index, ValueRange inputs) {
  callees_.clear();
  ownGradient_ = {};
  auto found = calleesOf_.find(index);
  if (found == calleesOf_.end())
    return nullptr;
  SmallVector<Type> arguments;
  for (unsigned input : argumentsOf(graph_.node(index)))
    arguments.push_back(typeAsArgument(inputs[input].getType()));
  bool isNew = false;
  for (const FunctionBody *body : found->second.functions) {
    // A node that differentiates a function has inputs behind the function's arguments.
    Function &function = parts_.functions.get(
        *body, ArrayRef<Type>(arguments).take_front(body->arguments.size()), isNew);
    if (isNew)
      return &function;
    callees_.push_back(&function);
  }
  const FunctionBody *gradient = found->second.gradient;
  if (!gradient || llvm::is_contained(callees_.front()->results, Type()))
    return nullptr;
  llvm::append_range(arguments, callees_.front()->results);
  Function &function = parts_.functions.get(*gradient, arguments, isNew);
  if (isNew)
    return &function;
  ownGradient_ = function.symbol;
  return nullptr;
}

// Ops with effects that were built after `last`. Calls tell their effects themselves, and random
// numbers depend on no order.
void GraphBuilder::collectEffects(Operation *last) {
  auto first = last ? std::next(last->getIterator()) : body_->begin();
  for (Operation &op : llvm::make_range(first, body_->end())) {
    bool changes = op.hasTrait<HasEffect>() && !op.hasTrait<OnlyReads>() &&
                   !op.hasTrait<UsesContainers>() && !op.hasAttr("generator") &&
                   !op.hasAttr("object");
    if (changes && !isa<flow::CallOp, state::ReferenceOp, state::HandleOp>(op))
      addEffect(op.getResults().back());
  }
}

} // namespace sluice::import
