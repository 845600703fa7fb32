// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies ops, and says with fewer waits what they wait for.
#include "compiler/raise/RegionBuilder.h"

#include "compiler/raise/GraphFacts.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::raise {

RegionBuilder::RegionBuilder(Block &block, Location location)
    : block_(block), location_(location), builder_(location.getContext()) {
  builder_.setInsertionPointToEnd(&block);
}

// For what depends on nothing.
OpBuilder RegionBuilder::front() {
  OpBuilder builder(location_.getContext());
  builder.setInsertionPointToStart(&block_);
  return builder;
}

Value RegionBuilder::start() {
  if (!start_) {
    OpBuilder builder = front();
    start_ = flow::StartOp::create(builder, location_, builder.getType<flow::TokenType>());
  }
  return start_;
}

bool RegionBuilder::isThereAtStart(Value inside) const {
  return flow::isConstantLike(inside) || beginning_.contains(inside);
}

Value RegionBuilder::after(Value inside) {
  if (isThereAtStart(inside))
    return start();
  return flow::AfterOp::create(builder_, location_, builder_.getType<flow::TokenType>(), inside);
}

Value RegionBuilder::constant(Type type, ElementsAttr value) {
  OpBuilder builder = front();
  return nd::ConstantOp::create(builder, location_, type, value);
}

Value RegionBuilder::get(Value value) {
  if (Value known = mapping_.lookupOrNull(value))
    return known;
  Value here = resolve_ ? resolve_(value) : Value();
  if (!here && flow::isConstantLike(value))
    here = front().clone(*value.getDefiningOp())->getResult(0);
  if (!here && value.getDefiningOp<flow::StartOp>())
    here = start();
  assert(here && "expected a value that is known in the region");
  mapping_.map(value, here);
  return here;
}

SmallVector<Value> RegionBuilder::get(ValueRange values) {
  SmallVector<Value> here;
  for (Value value : values)
    here.push_back(get(value));
  return here;
}

SmallVector<Value> RegionBuilder::withoutStarts(ValueRange tokens) {
  SmallVector<Value> rest = get(tokens);
  llvm::erase_if(rest, [&](Value token) { return token == start_; });
  return rest;
}

// Null if the op does not become simpler.
Value RegionBuilder::copyPlumbing(Operation *op) {
  if (auto after = dyn_cast<flow::AfterOp>(op))
    return isThereAtStart(get(after.getValue())) ? start() : Value();
  auto gate = dyn_cast<flow::GateOp>(op);
  ValueRange tokens = gate ? ValueRange(gate.getTokens()) : ValueRange(op->getOperands());
  SmallVector<Value> rest = withoutStarts(tokens);
  if (rest.size() == tokens.size())
    return Value();
  if (rest.empty())
    return gate ? get(gate.getValue()) : start();
  Location location = op->getLoc();
  if (gate)
    return flow::GateOp::create(builder_, location, gate.getType(), get(gate.getValue()), rest);
  if (isa<flow::TriggerOp>(op))
    return flow::TriggerOp::create(builder_, location, start().getType(), rest);
  return rest.size() == 1
             ? rest.front()
             : flow::JoinOp::create(builder_, location, start().getType(), rest).getResult();
}

void RegionBuilder::copy(Operation *op) {
  if (isTokenPlumbing(op))
    if (Value simpler = copyPlumbing(op))
      return mapping_.map(op->getResult(0), simpler);
  for (Value operand : op->getOperands())
    mapping_.map(operand, get(operand));
  builder_.clone(*op, mapping_);
}

} // namespace sluice::raise
