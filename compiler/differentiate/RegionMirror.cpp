// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is saved of a region, what is found again, and how it comes into the mirror's region.
#include "compiler/differentiate/RegionMirror.h"

#include "compiler/differentiate/SavePlan.h"
#include "compiler/differentiate/Segments.h"

#include "dialects/nd/Nd.h"
#include "dialects/wire/Restructure.h"
#include "dialects/wire/Wire.h"

using namespace mlir;

namespace sluice::differentiate {

RegionMirror::RegionMirror(Mirror &mirror, Block &forward, Block &backward, Value countdown)
    : mirror_(mirror), forward_(forward), backward_(backward), countdown_(countdown),
      first_(&backward.front()) {
  if (auto loop = dyn_cast<flow::WhileOp>(forward.getParentOp()))
    counters_ = countersOf(loop);
}

RegionMirror::RegionMirror(Mirror &mirror, flow::FuncOp forward, flow::FuncOp backward,
                           Mirror::ArgumentOf argumentOf)
    : RegionMirror(mirror, forward.getBody().front(), backward.getBody().front()) {
  argumentOf_ = argumentOf;
  while (isa<flow::ArgumentOp>(first_))
    first_ = first_->getNextNode();
}

// ---- Deciding -----------------------------------------------------------------------------------

// What a result of the loop is from the beginning to the end; null where iterations change it.
static Value unchanged(flow::WhileOp loop, unsigned result) {
  auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  auto carried = dyn_cast<BlockArgument>(condition.getForwarded()[result]);
  if (!carried || carried.getOwner() != &loop.getBefore().front() ||
      carried.getArgNumber() >= loop.getInits().size())
    return {};
  Value argument = loop.getBody().getArgument(result),
        init = loop.getInits()[carried.getArgNumber()];
  bool goesOn =
      loop.getBody().front().getTerminator()->getOperand(carried.getArgNumber()) == argument;
  return goesOn && init.getType() == argument.getType() ? init : Value();
}

// What an argument of the forward region captures, or might as well; null for other values.
Value RegionMirror::capturedValue(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !isForward(value))
    return {};
  auto loop = dyn_cast<flow::WhileOp>(forwardOp());
  unsigned first = loop ? loop.getNumResults() : 0, number = argument.getArgNumber();
  if (number < first)
    return unchanged(loop, number);
  return loop ? loop.getCaptures()[number - first]
              : cast<flow::CondOp>(forwardOp()).getCaptures()[number];
}

const Counter *RegionMirror::counterOf(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && isForward(value))
    for (const Counter &counter : counters_)
      if (counter.forwarded == argument.getArgNumber())
        return &counter;
  return nullptr;
}

// Whether the mirror knows the value anyway.
bool RegionMirror::isFree(Value value) {
  if (!isForward(value) || capturedValue(value) || counterOf(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op &&
         (op->hasTrait<IsConstant>() || isa<flow::ArgumentOp>(op) || mirror_.canReadAgain(op));
}

// Asks something of a value that is small beside it.
static bool asksLittle(Operation &op) {
  return op.hasTrait<AsksShape>() || isa<list::LengthOp, list::ElementShapeOp>(op);
}

// Of a value that nobody needs but for its shape, the shape is saved.
void RegionMirror::askForShapesForward() {
  llvm::DenseSet<Value> wanted;
  for (Operation &op : backward_)
    if (!asksLittle(op))
      wanted.insert(op.operand_begin(), op.operand_end());
  for (Operation &op : llvm::make_early_inc_range(backward_)) {
    Value of = asksLittle(op) ? op.getOperand(0) : Value();
    if (!of || !isForward(of) || wanted.contains(of) || isFree(of))
      continue;
    if (&op == first_)
      first_ = op.getNextNode();
    if (Operation *made = of.getDefiningOp())
      op.moveAfter(made);
    else
      op.moveBefore(&forward_, forward_.begin());
  }
}

// Puts a copy of each segment beside it, for what the mirror uses of the segment's results: the
// copy alone saves what it computes, and will be run again in place of the segment.
void RegionMirror::copySegments() {
  llvm::SetVector<Operation *> segments;
  for (Operation &op : backward_)
    for (Value operand : op.getOperands())
      if (Operation *made = operand.getDefiningOp(); isForward(operand) && isSegment(made))
        segments.insert(made);
  for (Operation *segment : segments) {
    OpBuilder b(segment);
    b.setInsertionPointAfter(segment);
    auto copy = cast<flow::WhileOp>(b.clone(*segment));
    for (auto [from, to] : llvm::zip_equal(segment->getResults(), copy.getResults())) {
      from.replaceUsesWithIf(
          to, [&](OpOperand &use) { return use.getOwner()->getBlock() == &backward_; });
      mirror_.tapes_.erase(from);
    }
    mirror_.activity_.forget(segment); // it has been mirrored
    narrowToUsed(copy);
    narrowToUsed(cast<flow::WhileOp>(segment));
  }
}

void RegionMirror::decide() {
  copySegments();
  askForShapesForward();
  SmallVector<Value> needed;
  for (Operation &op : backward_)
    for (Value operand : op.getOperands()) {
      if (operand.getParentBlock() == &backward_ || !uses_.insert(operand) || isFree(operand))
        continue;
      if (auto tape = mirror_.tapes_.find(operand); tape != mirror_.tapes_.end() && !argumentOf_)
        inner_.push_back(tape->second);
      else
        needed.push_back(operand);
    }
  SavePlan plan(forward_, needed, mirror_.memoryIn(forwardOp()),
                [&](Value value) { return isFree(value); });
  saved_.assign(plan.saved().begin(), plan.saved().end());
  again_.assign(plan.again().begin(), plan.again().end());
  mirror_.explain(forwardOp(), saved_, needed);
}

// ---- Tapes --------------------------------------------------------------------------------------

static list::PushOp pushTo(Value tape, Value value, OpBuilder &b) {
  return list::PushOp::create(b, value.getLoc(), tape.getType(), tape, value,
                              b.getI64IntegerAttr(-1));
}
// What is like `value`.
static list::PopOp popFrom(Value tape, Value value, OpBuilder &b) {
  return list::PopOp::create(b, value.getLoc(), TypeRange{value.getType(), tape.getType()},
                             ValueRange{tape},
                             b.getNamedAttr("element_shape", TypeAttr::get(value.getType())));
}

// A tape is on the device where its value is made, whoever uses that in the mirror.
static void standWith(Value value, Operation *op) {
  Operation *maker = value.getDefiningOp();
  for (StringRef wish : {StringRef(wire::kRequested), StringRef(wire::kColocate)})
    if (Attribute asked = maker ? maker->getDiscardableAttr(wish) : Attribute())
      op->setDiscardableAttr(wish, asked);
}

SmallVector<Value> RegionMirror::push(ValueRange tapes) {
  OpBuilder b(forward_.getTerminator());
  SmallVector<Value> leaving;
  for (auto [value, tape] : llvm::zip(saved_, tapes)) {
    list::PushOp push = pushTo(tape, value, b);
    standWith(value, push);
    leaving.push_back(push);
  }
  for (auto [open, tape] : llvm::zip_equal(inner_, tapes.drop_front(saved_.size()))) {
    open.opening.getResult().replaceAllUsesWith(tape);
    open.opening.erase();
    leaving.push_back(open.saved);
  }
  return leaving;
}

SmallVector<Value> RegionMirror::pop(ValueRange tapes) {
  OpBuilder b(first_);
  SmallVector<Value> leaving;
  for (auto [value, tape] : llvm::zip(saved_, tapes)) {
    list::PopOp pop = popFrom(tape, value, b);
    standWith(value, pop);
    inside_.map(value, pop.getValue());
    leaving.push_back(pop.getResult());
  }
  for (auto [open, tape] : llvm::zip_equal(inner_, tapes.drop_front(saved_.size()))) {
    inside_.map(open.saved, tape);
    leaving.push_back(open.left);
  }
  return leaving;
}

// ---- Functions ----------------------------------------------------------------------------------

Value RegionMirror::pack() {
  OpBuilder b(cast<flow::FuncOp>(forwardOp()).getReturn());
  Location loc = forwardOp()->getLoc();
  auto number = RankedTensorType::get({}, b.getI32Type());
  auto any = list::AnyType::get(b.getContext());
  auto type = list::OfType::get(b.getContext(), any);
  Value zero = nd::ConstantOp::create(b, loc, number, DenseElementsAttr::get(number, int32_t{0}));
  Value list = list::MakeOp::create(b, loc, TypeRange(type), ValueRange(zero),
                                    {b.getNamedAttr("element_shape", TypeAttr::get(any)),
                                     b.getNamedAttr("identical", b.getBoolAttr(false))});
  for (Value value : saved_)
    list = pushTo(list, value, b);
  return list;
}

void RegionMirror::unpack(Value list) {
  OpBuilder b(first_);
  for (Value value : llvm::reverse(saved_)) {
    list::PopOp pop = popFrom(list, value, b);
    inside_.map(value, pop.getValue());
    list = pop.getResult();
  }
}

// ---- Bringing in --------------------------------------------------------------------------------

// start + step · (countdown − 1), of the type that the loop gives its counter.
Value RegionMirror::count(const Counter &counter, Value value, OpBuilder &b) {
  Location loc = value.getLoc();
  auto type = RankedTensorType::get({}, b.getI32Type());
  auto constant = [&](int32_t number) -> Value {
    return nd::ConstantOp::create(b, loc, type, DenseElementsAttr::get(type, number));
  };
  Value index = nd::SubOp::create(b, loc, type, countdown_, constant(1));
  if (counter.step != 1)
    index = nd::MulOp::create(b, loc, type, index, constant(counter.step));
  if (counter.start != 0)
    index = nd::AddOp::create(b, loc, type, index, constant(counter.start));
  index.setType(value.getType());
  return index;
}

Value RegionMirror::bringFree(Value value, OpBuilder &b) {
  if (value.getParentBlock() == &backward_)
    return value;
  if (Value known = inside_.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  Value brought;
  if (op && op->hasTrait<IsConstant>()) {
    brought = b.clone(*op)->getResult(0);
  } else if (const Counter *counter = counterOf(value)) {
    brought = count(*counter, value, b);
  } else if (auto argument = dyn_cast_or_null<flow::ArgumentOp>(op); argument && isForward(value)) {
    brought = argumentOf_(argument);
  } else {
    Value outside = !isForward(value)      ? value
                    : capturedValue(value) ? capturedValue(value)
                                           : mirror_.readAgain(op);
    brought = wire::captureIn(backward_.getParentOp(), *backward_.getParent(), outside);
  }
  inside_.map(value, brought);
  return brought;
}

void RegionMirror::bringIn() {
  OpBuilder b(first_);
  for (Operation *op : again_) {
    for (Value operand : op->getOperands())
      if (!inside_.contains(operand))
        bringFree(operand, b);
    b.clone(*op, inside_);
  }
  for (Value value : uses_) {
    Value inside = inside_.contains(value) ? inside_.lookup(value) : bringFree(value, b);
    value.replaceUsesWithIf(
        inside, [&](OpOperand &use) { return use.getOwner()->getBlock() == &backward_; });
  }
  for (Operation *op : llvm::reverse(again_)) {
    if (!isSegment(op) || !op->use_empty())
      continue;
    SmallVector<Value> given(
        op->getOperands()); // it was copied for this, and its tapes are in vain
    op->erase();
    for (Value value : given)
      if (auto tape = value.getDefiningOp<list::MakeOp>(); tape && tape->use_empty())
        tape.erase();
  }
}

} // namespace sluice::differentiate
