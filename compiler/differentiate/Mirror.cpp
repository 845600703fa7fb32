// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tapes through branches and loops and their mirrors.
#include "compiler/differentiate/Mirror.h"

#include "compiler/differentiate/RegionMirror.h"
#include "compiler/differentiate/Segments.h"

#include "dialects/nd/Nd.h"
#include "dialects/wire/Restructure.h"

using namespace mlir;

namespace sluice::differentiate {

// ---- Ops that become other ones -----------------------------------------------------------------

void Mirror::replace(ArrayRef<Value> from, ValueRange to) {
  activity_.replace(from, to);
  SmallVector<std::pair<Value, Tape>> moved;
  for (auto [old, renewed] : llvm::zip(from, to))
    if (auto tape = tapes_.find(old); tape != tapes_.end()) {
      moved.emplace_back(renewed, tape->second);
      moved.back().second.saved = renewed;
      tapes_.erase(tape);
    }
  for (auto &[value, tape] : moved)
    tapes_[value] = tape;
}

flow::WhileOp Mirror::carryMore(flow::WhileOp loop, ValueRange values) {
  SmallVector<Value> results(loop.getResults());
  loop = wire::carryMore(loop, values);
  replace(results, loop.getResults());
  return loop;
}
flow::WhileOp Mirror::forwardMore(flow::WhileOp loop, ValueRange values) {
  SmallVector<Value> results(loop.getResults());
  loop = wire::forwardMore(loop, values);
  replace(results, loop.getResults());
  return loop;
}
flow::CondOp Mirror::carryMore(flow::CondOp branch, ValueRange values) {
  SmallVector<Value> results(branch.getResults());
  branch = wire::carryMore(branch, values);
  replace(results, branch.getResults());
  return branch;
}

Value Mirror::alongWith(Value reference, Value constant, OpBuilder &b) const {
  Operation *made = constant.getDefiningOp();
  bool isConstant = made && made->hasTrait<IsConstant>();
  if (!hasSwitches_ || !reference || !isConstant ||
      !isa<flow::TokenGraph>(reference.getParentBlock()->getParentOp()))
    return constant;
  Location loc = constant.getLoc();
  Value arrived = flow::AfterOp::create(b, loc, flow::TokenType::get(b.getContext()), reference);
  return flow::GateOp::create(b, loc, constant.getType(), constant, arrived);
}

// ---- Tapes --------------------------------------------------------------------------------------

namespace {

// A value that a loop or branch is given, and that may be dead; null if there is none.
Value givenTo(Operation *op) {
  for (Value operand : op->getOperands())
    if (!operand.getDefiningOp() || !operand.getDefiningOp()->hasTrait<IsConstant>())
      return operand;
  return {};
}

// Empty lists for what is saved of a region, in front of the op.
SmallVector<list::MakeOp> openings(Operation *op, ArrayRef<Value> saved, ArrayRef<Tape> inner,
                                   const Mirror &mirror) {
  OpBuilder b(op);
  SmallVector<list::MakeOp> made;
  auto open = [&](Location loc, list::OfType type, Type element) {
    auto number = RankedTensorType::get({}, b.getI32Type());
    Value zero = nd::ConstantOp::create(b, loc, number, DenseElementsAttr::get(number, int32_t{0}));
    zero = mirror.alongWith(givenTo(op), zero, b);
    made.push_back(list::MakeOp::create(b, loc, TypeRange(type), ValueRange(zero),
                                        {b.getNamedAttr("element_shape", TypeAttr::get(element)),
                                         b.getNamedAttr("identical", b.getBoolAttr(false))}));
  };
  for (Value value : saved)
    open(value.getLoc(), list::OfType::get(op->getContext(), value.getType()), value.getType());
  for (const Tape &tape : inner) {
    list::MakeOp opening = tape.opening;
    open(opening.getLoc(), cast<list::OfType>(opening.getResult().getType()),
         opening.getElementShape());
  }
  return made;
}

SmallVector<Value> resultsOf(ArrayRef<list::MakeOp> made) {
  SmallVector<Value> values;
  for (list::MakeOp op : made)
    values.push_back(op.getResult());
  return values;
}

void append(Operation *terminator, ValueRange values) {
  terminator->insertOperands(terminator->getNumOperands(), values);
}

// Lets the condition forward the last `count` of what the loop carries.
void forwardCarried(flow::WhileOp loop, size_t count) {
  auto inits = loop.getInits().size();
  auto condition = loop.getBefore().front().getTerminator();
  append(condition, ValueRange(loop.getBefore().getArguments().slice(inits - count, count)));
}
ValueRange carriedInBody(flow::WhileOp loop, size_t count) {
  return loop.getBody().getArguments().slice(loop.getNumResults() - count, count);
}

} // namespace

Memory Mirror::memoryIn(Operation *forward) const {
  auto loop = dyn_cast<flow::WhileOp>(forward);
  loop = loop ? loop : forward->getParentOfType<flow::WhileOp>();
  Memory memory = loop ? choices_.memoryOf(loop.getFrame()) : choices_.memory;
  // Segments run again whole, so there is nothing else to compute again.
  return memory == Memory::kSegments || isSegment(loop) ? Memory::kFast : memory;
}

void Mirror::connect(flow::WhileOp &loop, flow::WhileOp &mirror) {
  // Values of `before` are forwarded, so that they are arguments of the body.
  SmallVector<Value> headValues;
  auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  llvm::SetVector<Value> used;
  for (Operation &op : mirror.getBody().front())
    for (Value operand : op.getOperands())
      if (operand.getParentRegion() == &loop.getBefore())
        used.insert(operand);
  for (Value value : used)
    if (!llvm::is_contained(condition.getForwarded(), value))
      headValues.push_back(value);
  if (!headValues.empty())
    loop = forwardMore(loop, headValues);
  condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  Block &mirrored = mirror.getBody().front();
  for (Value value : used) {
    auto at = llvm::find(condition.getForwarded(), value) - condition.getForwarded().begin();
    OpBuilder b = OpBuilder::atBlockBegin(&mirrored);
    Value forwarded =
        underType(b, loop.getBody().getArgument(static_cast<unsigned>(at)), value.getType());
    value.replaceUsesWithIf(
        forwarded, [&](OpOperand &use) { return use.getOwner()->getBlock() == &mirrored; });
  }

  RegionMirror region(*this, loop.getBody().front(), mirror.getBody().front(),
                      mirror.getBody().getArgument(0));
  region.decide();
  size_t tapes = region.saved().size() + region.inner().size();
  if (tapes) {
    SmallVector<list::MakeOp> made = openings(loop, region.saved(), region.inner(), *this);
    loop = carryMore(loop, resultsOf(made));
    forwardCarried(loop, tapes);
    append(loop.getBody().front().getTerminator(), region.push(carriedInBody(loop, tapes)));
    ValueRange saved = loop.getResults().take_back(tapes);
    mirror = wire::carryMore(mirror, saved);
    forwardCarried(mirror, tapes);
    append(mirror.getBody().front().getTerminator(), region.pop(carriedInBody(mirror, tapes)));
    for (auto [opening, value, left] :
         llvm::zip_equal(made, saved, mirror.getResults().take_back(tapes)))
      tapes_[value] = {opening, value, left};
  }
  region.bringIn();
}

void Mirror::connect(flow::CondOp &branch, flow::CondOp &mirror) {
  SmallVector<std::unique_ptr<RegionMirror>, 2> regions;
  SmallVector<list::MakeOp> made;
  for (unsigned way : {0u, 1u}) {
    regions.push_back(std::make_unique<RegionMirror>(*this, branch->getRegion(way).front(),
                                                     mirror->getRegion(way).front()));
    regions[way]->decide();
    llvm::append_range(made, openings(branch, regions[way]->saved(), regions[way]->inner(), *this));
  }
  size_t tapes = made.size(), first = regions[0]->saved().size() + regions[0]->inner().size();
  if (tapes) {
    branch = carryMore(branch, resultsOf(made));
    ValueRange saved = branch.getResults().take_back(tapes);
    mirror = wire::carryMore(mirror, saved);
    for (unsigned way : {0u, 1u}) {
      // The other way's tapes pass.
      size_t begin = way ? first : 0, count = way ? tapes - first : first;
      auto leave = [&](Region &region, auto act) {
        SmallVector<Value> ends(region.getArguments().take_back(tapes));
        SmallVector<Value> changed = act(ArrayRef<Value>(ends).slice(begin, count));
        llvm::copy(changed, ends.begin() + begin);
        append(region.front().getTerminator(), ends);
      };
      leave(branch->getRegion(way), [&](ArrayRef<Value> in) { return regions[way]->push(in); });
      leave(mirror->getRegion(way), [&](ArrayRef<Value> in) { return regions[way]->pop(in); });
    }
    for (auto [opening, value, left] :
         llvm::zip_equal(made, saved, mirror.getResults().take_back(tapes)))
      tapes_[value] = {opening, value, left};
  }
  for (auto &region : regions)
    region->bringIn();
}

Value underType(OpBuilder &b, Value value, Type type) {
  return value.getType() == type
             ? value
             : nd::AssumeShapeOp::create(b, value.getLoc(), type, value).getResult();
}

// ---- Counters -----------------------------------------------------------------------------------

static std::optional<int32_t> scalarConstant(Value value) {
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  auto type = elements ? dyn_cast<RankedTensorType>(elements.getType()) : nullptr;
  if (!type || type.getRank() != 0 || !type.getElementType().isInteger(32))
    return std::nullopt;
  return elements.getSplatValue<int32_t>();
}

SmallVector<Counter> countersOf(flow::WhileOp loop) {
  SmallVector<Counter> counters;
  auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  Operation *yield = loop.getBody().front().getTerminator();
  for (auto [j, forwarded] : llvm::enumerate(condition.getForwarded())) {
    auto argument = dyn_cast<BlockArgument>(forwarded);
    if (!argument || argument.getOwner() != &loop.getBefore().front() ||
        argument.getArgNumber() >= loop.getInits().size())
      continue;
    auto start = scalarConstant(loop.getInits()[argument.getArgNumber()]);
    auto add = yield->getOperand(argument.getArgNumber()).getDefiningOp<nd::AddOp>();
    if (!start || !add)
      continue;
    Value self = loop.getBody().getArgument(static_cast<unsigned>(j));
    auto step = add.getLhs() == self   ? scalarConstant(add.getRhs())
                : add.getRhs() == self ? scalarConstant(add.getLhs())
                                       : std::nullopt;
    if (step)
      counters.push_back({static_cast<unsigned>(j), *start, *step});
  }
  return counters;
}

} // namespace sluice::differentiate
