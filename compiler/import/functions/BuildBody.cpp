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
    values.push_back(afterEffects(loc));
    types.push_back(tokenType_);
  }
  flow::ReturnOp::create(builder_, loc, values);
  cast<flow::FuncOp>(body_->getParentOp())
      .setFunctionType(builder_.getFunctionType(function_->arguments, types));
}

// A live token when all that the function changes is changed. What lies behind a Switch may not
// have run; a call that waits for its effects is live all the same.
Value GraphBuilder::afterEffects(Location loc) {
  auto choices = body_->getOps<flow::SwitchOp>();
  if (choices.begin() == choices.end())
    return joined(effects_, loc);
  auto frames = flow::FrameAnalysis::run(cast<flow::TokenGraph>(body_->getParentOp()));
  return frames ? afterAny(effectsOutsideLoops(*frames), loc)
                : startToken(); // the analysis has said why
}

// One token after all of them, dead or not.
Value GraphBuilder::afterAny(ValueRange values, Location loc) {
  if (values.empty())
    return startToken();
  SmallVector<Value> tokens;
  for (Value value : values)
    tokens.push_back(joined(value, loc));
  return flow::TriggerOp::create(builder_, loc, tokenType_, tokens);
}

void GraphBuilder::makeWait(flow::NextIterationOp op, ValueRange effects) {
  Location loc = op.getLoc();
  Value done = afterAny(effects, loc);
  Value data = flow::GateOp::create(builder_, loc, op.getData().getType(), op.getData(), done);
  op.getDataMutable().assign(data);
  op->moveAfter(data.getDefiningOp());
}

// The effects in the function's own frame, and the ends of the loops that have effects. In these an
// iteration waits for those of the one before: when the loop ends, none is left.
SmallVector<Value> GraphBuilder::effectsOutsideLoops(const flow::FrameAnalysis &frames) {
  std::vector<SmallVector<Value>> effects(frames.frames().size());
  for (Value effect : effects_)
    effects[frames.resultFrameOf(effect.getDefiningOp())].push_back(effect);
  DenseMap<unsigned, flow::NextIterationOp> next;
  for (auto op : body_->getOps<flow::NextIterationOp>())
    next.try_emplace(frames.frameOf(op), op);
  for (unsigned i = effects.size() - 1; i != flow::FrameAnalysis::kRoot; --i) {
    if (effects[i].empty())
      continue;
    if (flow::NextIterationOp op = next.lookup(i))
      makeWait(op, effects[i]);
    const flow::Frame &frame = frames.frames()[i];
    for (flow::ExitOp exit : frame.exits)
      effects[frame.parent].push_back(exit.getResult());
  }
  return std::move(effects[flow::FrameAnalysis::kRoot]);
}

// The functions that the node calls, if it does. Returns one that has to be built first.
Function *GraphBuilder::findCallees(uint32_t index, ValueRange inputs) {
  callees_.clear();
  auto found = calleesOf_.find(index);
  if (found == calleesOf_.end())
    return nullptr;
  SmallVector<Type> arguments;
  for (unsigned input : argumentsOf(graph_.node(index)))
    arguments.push_back(typeAsArgument(inputs[input].getType()));
  for (const FunctionBody *body : found->second) {
    bool isNew = false;
    Function &function = parts_.functions.get(*body, arguments, isNew);
    if (isNew)
      return &function;
    callees_.push_back(&function);
  }
  return nullptr;
}

// Ops with effects that were built after `last`. Calls tell their effects themselves, and random
// numbers depend on no order.
void GraphBuilder::collectEffects(Operation *last) {
  auto first = last ? std::next(last->getIterator()) : body_->begin();
  for (Operation &op : llvm::make_range(first, body_->end())) {
    bool changes = op.hasTrait<HasEffect>() && !op.hasTrait<OnlyReads>() &&
                   !op.hasTrait<UsesContainers>() && !op.hasAttr("generator");
    if (changes &&
        !isa<flow::CallOp, state::ReferenceOp, state::HandleOp, state::TableHandleOp>(op))
      addEffect(op.getResults().back());
  }
}

} // namespace sluice::import
