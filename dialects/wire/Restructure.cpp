// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other inits, captures and results.
#include "dialects/wire/Restructure.h"

#include "dialects/wire/Steering.h"

using namespace mlir;

namespace sluice::wire {

// ---- More
// -----------------------------------------------------------------------------------------

// Takes over the regions and what is noted of the op, and its results.
static void replaceWith(Operation *op, Operation *copy, ArrayRef<StringRef> widened, size_t more) {
  for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions()))
    to.takeBody(from);
  copy->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  Steering steering(copy);
  for (StringRef role : widened)
    steering.widen(role, more);
  steering.attachTo(copy);
  op->replaceAllUsesWith(copy->getResults().take_front(op->getNumResults()));
  op->erase();
}

static SmallVector<Type> resultTypes(Operation *op, ValueRange more) {
  SmallVector<Type> types(op->getResultTypes());
  llvm::append_range(types, more.getTypes());
  return types;
}

flow::WhileOp carryMore(flow::WhileOp loop, ValueRange values) {
  OpBuilder b(loop);
  SmallVector<Value> inits(loop.getInits());
  auto carried = static_cast<unsigned>(inits.size()), results = loop.getNumResults();
  llvm::append_range(inits, values);
  auto copy =
      flow::WhileOp::create(b, loop.getLoc(), resultTypes(loop, values), inits, loop.getCaptures(),
                            loop.getFrame(), loop.getParallelIterations());
  replaceWith(loop, copy, {kEnters, kHeaders, kBacks, kSwitches, kExits}, values.size());
  for (auto [i, value] : llvm::enumerate(values)) {
    auto offset = static_cast<unsigned>(i);
    copy.getBefore().insertArgument(carried + offset, value.getType(), value.getLoc());
    copy.getBody().insertArgument(results + offset, value.getType(), value.getLoc());
  }
  return copy;
}

flow::CondOp carryMore(flow::CondOp branch, ValueRange values) {
  OpBuilder b(branch);
  SmallVector<Value> captures(branch.getCaptures());
  llvm::append_range(captures, values);
  auto copy = flow::CondOp::create(b, branch.getLoc(), resultTypes(branch, values),
                                   branch.getPredicate(), captures);
  replaceWith(branch, copy, {kOnTrue, kOnFalse, kMerges}, values.size());
  for (Value value : values)
    for (Region &region : copy->getRegions())
      region.addArgument(value.getType(), value.getLoc());
  return copy;
}

flow::WhileOp forwardMore(flow::WhileOp loop, ValueRange values) {
  OpBuilder b(loop);
  unsigned results = loop.getNumResults();
  auto copy =
      flow::WhileOp::create(b, loop.getLoc(), resultTypes(loop, values), loop.getInits(),
                            loop.getCaptures(), loop.getFrame(), loop.getParallelIterations());
  replaceWith(loop, copy, {kSwitches, kExits}, values.size());
  for (auto [i, value] : llvm::enumerate(values))
    copy.getBody().insertArgument(results + static_cast<unsigned>(i), value.getType(),
                                  value.getLoc());
  cast<flow::ConditionOp>(copy.getBefore().front().getTerminator())
      .getForwardedMutable()
      .append(values);
  return copy;
}

Value captureIn(Operation *structured, Region &region, Value value) {
  return captureIn(structured, region, ValueRange(value)).front();
}

SmallVector<Value> captureIn(Operation *structured, Region &region, ValueRange values) {
  Steering steering(structured);
  if (auto loop = dyn_cast<flow::WhileOp>(structured)) {
    loop.getCapturesMutable().append(values);
    steering.widen(kInvariants, values.size());
  } else {
    cast<flow::CondOp>(structured).getCapturesMutable().append(values);
    steering.widen(kOnTrue, values.size());
    steering.widen(kOnFalse, values.size());
  }
  steering.attachTo(structured);
  SmallVector<Value> inside;
  for (Region &each : structured->getRegions())
    for (Value value : values) {
      Value argument = each.addArgument(value.getType(), value.getLoc());
      if (&each == &region)
        inside.push_back(argument);
    }
  return inside;
}

// ---- Fewer
// ----------------------------------------------------------------------------------------

Kept::Kept(Operation *structured, bool all) {
  auto loop = dyn_cast<flow::WhileOp>(structured);
  inits.resize(loop ? static_cast<unsigned>(loop.getInits().size()) : 0, all);
  captures.resize(static_cast<unsigned>(loop ? loop.getCaptures().size()
                                             : cast<flow::CondOp>(structured).getCaptures().size()),
                  all);
  results.resize(structured->getNumResults(), all);
}

static void eraseArguments(Region &region, const llvm::BitVector &kept, unsigned first) {
  for (unsigned i = kept.size(); i-- > 0;)
    if (!kept[i]) {
      region.getArgument(first + i).dropAllUses();
      region.eraseArgument(first + i);
    }
}

static void eraseOperands(Operation *op, const llvm::BitVector &kept, unsigned first) {
  for (unsigned i = kept.size(); i-- > 0;)
    if (!kept[i])
      op->eraseOperand(first + i);
}

static void eraseFrom(Steering &steering, ArrayRef<StringRef> roles, const llvm::BitVector &kept) {
  for (unsigned i = kept.size(); i-- > 0;)
    if (!kept[i])
      for (StringRef role : roles)
        steering.erase(role, i);
}

static void erase(MutableOperandRange operands, const llvm::BitVector &kept) {
  for (unsigned i = kept.size(); i-- > 0;)
    if (!kept[i])
      operands.erase(i);
}

static void narrow(flow::WhileOp loop, const Kept &kept) {
  Steering steering(loop);
  eraseFrom(steering, {kEnters, kHeaders, kBacks}, kept.inits);
  eraseFrom(steering, {kInvariants}, kept.captures);
  eraseFrom(steering, {kSwitches, kExits}, kept.results);
  steering.attachTo(loop);
  eraseOperands(loop.getBefore().front().getTerminator(), kept.results, 1);
  eraseOperands(loop.getBody().front().getTerminator(), kept.inits, 0);
  eraseArguments(loop.getBefore(), kept.captures, kept.inits.size());
  eraseArguments(loop.getBefore(), kept.inits, 0);
  eraseArguments(loop.getBody(), kept.captures, kept.results.size());
  eraseArguments(loop.getBody(), kept.results, 0);
  erase(loop.getCapturesMutable(), kept.captures);
  erase(loop.getInitsMutable(), kept.inits);
}

static void narrow(flow::CondOp branch, const Kept &kept) {
  Steering steering(branch);
  eraseFrom(steering, {kOnTrue, kOnFalse}, kept.captures);
  eraseFrom(steering, {kMerges}, kept.results);
  steering.attachTo(branch);
  for (Region &region : branch->getRegions()) {
    eraseOperands(region.front().getTerminator(), kept.results, 0);
    eraseArguments(region, kept.captures, 0);
  }
  erase(branch.getCapturesMutable(), kept.captures);
}

Operation *keepOnly(Operation *structured, const Kept &kept) {
  if (auto loop = dyn_cast<flow::WhileOp>(structured))
    narrow(loop, kept);
  else
    narrow(cast<flow::CondOp>(structured), kept);
  if (kept.results.all())
    return structured;
  SmallVector<Value> results;
  for (Value result : structured->getResults())
    if (kept.results[cast<OpResult>(result).getResultNumber()])
      results.push_back(result);
    else
      result.dropAllUses();
  OperationState state(structured->getLoc(), structured->getName());
  state.addOperands(structured->getOperands());
  state.addTypes(ValueRange(results).getTypes());
  state.attributes = structured->getDiscardableAttrDictionary();
  state.propertiesAttr = structured->getPropertiesAsAttribute();
  for (unsigned i = 0; i < structured->getNumRegions(); ++i)
    state.addRegion();
  OpBuilder b(structured);
  Operation *copy = b.create(state);
  for (auto [from, to] : llvm::zip(structured->getRegions(), copy->getRegions()))
    to.takeBody(from);
  for (auto [from, to] : llvm::zip(results, copy->getResults()))
    from.replaceAllUsesWith(to);
  structured->erase();
  return copy;
}

} // namespace sluice::wire
