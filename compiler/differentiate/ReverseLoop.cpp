// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mirror of a loop: a loop of as many iterations, which begins with the last one.
//
// The loop runs `before` once more than `body`: before(0) body(0) … body(n-1) before(n). So
// before(n) is reversed outside of the mirror, whose iteration k reverses body(k) and then
// before(k), for k from n-1 down to 0. The mirror carries how many iterations are left, the
// derivatives of what the loop carries, and the sums of those of what the loop captures.
#include "compiler/differentiate/LoopSums.h"
#include "compiler/differentiate/Reverse.h"
#include "compiler/differentiate/Segments.h"

#include "dialects/nd/Nd.h"
#include "dialects/wire/Restructure.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace sluice::differentiate {

static flow::ConditionOp conditionOf(flow::WhileOp loop) {
  return cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
}

static Value int32(OpBuilder &b, Location loc, int32_t number) {
  auto type = RankedTensorType::get({}, b.getI32Type());
  return nd::ConstantOp::create(b, loc, type, DenseElementsAttr::get(type, number));
}

// How often the body has run. A counter that the loop has anyway will do.
static flow::WhileOp countIterations(flow::WhileOp loop, Mirror &mirror, Value &count) {
  for (const Counter &counter : countersOf(loop))
    if (counter.start == 0 && counter.step == 1) {
      count = loop.getResult(counter.forwarded);
      return loop;
    }
  OpBuilder b(loop);
  Value given; // the loop's inits are dead all or none
  for (Value init : loop.getInits())
    if (!init.getDefiningOp() || !init.getDefiningOp()->hasTrait<IsConstant>())
      given = init;
  Value zero = mirror.alongWith(given, int32(b, loop.getLoc(), 0), b);
  loop = mirror.carryMore(loop, zero);
  Value carried = loop.getBefore().getArgument(static_cast<unsigned>(loop.getInits().size()) - 1);
  conditionOf(loop).getForwardedMutable().append(carried);
  Operation *yield = loop.getBody().front().getTerminator();
  b.setInsertionPoint(yield);
  Value number = loop.getBody().getArgument(loop.getNumResults() - 1);
  Value next =
      nd::AddOp::create(b, loop.getLoc(), carried.getType(), number, int32(b, loop.getLoc(), 1));
  yield->insertOperands(yield->getNumOperands(), next);
  count = loop->getResults().back();
  return loop;
}

// Puts ops, which see `before` as it was at last, behind the loop.
static flow::WhileOp placeBehind(flow::WhileOp loop, Block &ops, OpBuilder &b, Mirror &mirror) {
  llvm::SetVector<Value> used;
  for (Operation &op : ops)
    for (Value operand : op.getOperands())
      if (operand.getParentRegion() == &loop.getBefore())
        used.insert(operand);
  unsigned inits = static_cast<unsigned>(loop.getInits().size());
  SmallVector<Value> more;
  IRMapping outside;
  OpBuilder inside(b.getContext());
  inside.setInsertionPointToStart(&ops);
  for (Value value : used) {
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *op = value.getDefiningOp();
    if (argument && argument.getArgNumber() >= inits)
      outside.map(value, loop.getCaptures()[argument.getArgNumber() - inits]);
    else if (op && op->hasTrait<IsConstant>())
      outside.map(value, inside.clone(*op)->getResult(0));
    else if (!llvm::is_contained(conditionOf(loop).getForwarded(), value))
      more.push_back(value);
  }
  if (!more.empty())
    loop = mirror.forwardMore(loop, more);
  for (auto [result, value] : llvm::zip_equal(loop.getResults(), conditionOf(loop).getForwarded()))
    if (used.contains(value) && !outside.contains(value))
      outside.map(value, underType(inside, result, value.getType()));
  for (Operation &op : ops)
    for (OpOperand &operand : op.getOpOperands())
      if (Value found = outside.lookupOrNull(operand.get()))
        operand.set(found);
  b.getInsertionBlock()->getOperations().splice(b.getInsertionPoint(), ops.getOperations());
  return loop;
}

// Reverses before(n): from the results to what the loop carried at last. The loop may become
// another.
FailureOr<flow::WhileOp> Reverser::reverseHead(flow::WhileOp loop, ArrayRef<Value> ofResults,
                                               ArrayRef<unsigned> arguments, OpBuilder &b,
                                               Adjoints &head) {
  Location loc = loop.getLoc();
  Block ops;
  OpBuilder inside(b.getContext());
  inside.setInsertionPointToStart(&ops);
  for (auto [part, value] : llvm::zip(ofResults, conditionOf(loop).getForwarded()))
    if (part && activity_.isActive(value))
      head.add(inside, loc, value, part);
  if (failed(reverse(loop.getBefore().front(), inside, head)))
    return failure();
  for (unsigned number : arguments)
    if (Value argument = loop.getBefore().getArgument(number); !head.of(argument))
      head.add(inside, loc, argument, zeroDerivative(inside, loc, argument));
  return placeBehind(loop, ops, b, mirror_);
}

// Goes on as long as iterations are left.
static void buildCountdown(flow::WhileOp mirror, TypeRange types) {
  Location loc = mirror.getLoc();
  SmallVector<Location> locs(types.size(), loc);
  OpBuilder b(mirror.getContext());
  Block *before = b.createBlock(&mirror.getBefore(), {}, types, locs);
  Value isLeft = nd::GreaterOp::create(b, loc, RankedTensorType::get({}, b.getI1Type()),
                                       before->getArgument(0), int32(b, loc, 0));
  flow::ConditionOp::create(b, loc, isLeft, before->getArguments());
  b.createBlock(&mirror.getBody(), {}, types, locs);
}

FailureOr<flow::WhileOp> Reverser::mirrorOf(flow::WhileOp loop, Value count,
                                            ArrayRef<unsigned> carried, ArrayRef<unsigned> captured,
                                            OpBuilder &b, Adjoints &head) {
  Location loc = loop.getLoc();
  Block &before = loop.getBefore().front(), &body = loop.getBody().front();
  auto inits = static_cast<unsigned>(loop.getInits().size()), results = loop.getNumResults();
  SmallVector<Value> start{count};
  SmallVector<Type> types{count.getType()};
  auto begin = [&](unsigned number) {
    start.push_back(mirror_.alongWith(count, head.of(before.getArgument(number)), b));
    types.push_back(derivativeType(before.getArgument(number).getType()));
  };
  for (unsigned i : carried)
    begin(i);
  for (unsigned c : captured)
    begin(inits + c);
  auto mirror = flow::WhileOp::create(b, loc, types, start, ValueRange(),
                                      b.getStringAttr(loop.getFrame() + "/mirror"),
                                      loop.getParallelIterationsAttr());
  buildCountdown(mirror, types);

  Block &block = mirror.getBody().front();
  OpBuilder inside = OpBuilder::atBlockBegin(&block);
  Adjoints ofBody, ofBefore;
  for (auto [number, i] : llvm::enumerate(carried))
    if (Value next = body.getTerminator()->getOperand(i); activity_.isActive(next))
      ofBody.add(inside, loc, next, block.getArgument(static_cast<unsigned>(1 + number)));
  if (failed(reverse(body, inside, ofBody)))
    return failure();
  for (auto [argument, value] :
       llvm::zip(body.getArguments().take_front(results), conditionOf(loop).getForwarded()))
    if (activity_.isActive(argument) && activity_.isActive(value) && ofBody.of(argument))
      ofBefore.add(inside, loc, value, ofBody.of(argument));
  if (failed(reverse(before, inside, ofBefore)))
    return failure();
  SmallVector<Value> next{
      nd::SubOp::create(inside, loc, count.getType(), block.getArgument(0), int32(inside, loc, 1))};
  for (unsigned i : carried) {
    Value found = ofBefore.of(before.getArgument(i));
    next.push_back(found ? found : zeroDerivative(inside, loc, before.getArgument(i)));
  }
  auto partsOf = [&](unsigned c) {
    return std::array{ofBody.of(body.getArgument(results + c)),
                      ofBefore.of(before.getArgument(inits + c))};
  };
  SmallVector<Value> parts(next);
  for (unsigned c : captured)
    llvm::append_range(parts, partsOf(c));
  LoopSums sums(mirror_.choices().products, parts);
  for (auto [number, c] : llvm::enumerate(captured)) {
    Value sum = block.getArgument(static_cast<unsigned>(1 + carried.size() + number));
    for (Value part : partsOf(c))
      if (part)
        sum = sums.add(inside, loc, sum, part);
    next.push_back(sum);
  }
  flow::YieldOp::create(inside, loc, next);
  for (Value product : sums.joined()) {
    mirror_.noteJoined(loop, product);
    product.getDefiningOp()->erase();
  }
  return mirror;
}

LogicalResult Reverser::reverseLoop(flow::WhileOp loop, OpBuilder &b, Adjoints &adjoints) {
  SmallVector<Value> ofResults; // read before the loop becomes another one
  for (Value result : loop.getResults())
    ofResults.push_back(activity_.isActive(result) ? adjoints.of(result) : Value());
  if (mirror_.choices().memoryOf(loop.getFrame()) == Memory::kSegments && !isSegment(loop) &&
      canRunAgain(loop)) {
    loop = splitIntoSegments(loop, mirror_, activity_);
    ofResults.resize(loop.getNumResults());
  }
  Value count;
  loop = countIterations(loop, mirror_, count);
  unsigned counted = cast<OpResult>(count).getResultNumber();
  auto inits = static_cast<unsigned>(loop.getInits().size());
  SmallVector<unsigned> active, carried, captured; // arguments of `before`
  for (BlockArgument argument : loop.getBefore().getArguments()) {
    unsigned number = argument.getArgNumber(), capture = number - inits;
    bool isCapture = number >= inits;
    bool isActive = activity_.isActive(argument) ||
                    (isCapture && activity_.isActive(
                                      loop.getBody().getArgument(loop.getNumResults() + capture)));
    if (!isActive)
      continue;
    active.push_back(number);
    (isCapture ? captured : carried).push_back(isCapture ? capture : number);
  }
  Adjoints head;
  auto placed = reverseHead(loop, ofResults, active, b, head);
  if (failed(placed))
    return failure();
  loop = *placed;
  auto mirror = mirrorOf(loop, loop.getResult(counted), carried, captured, b, head);
  if (failed(mirror))
    return failure();
  if (isSegment(loop))
    markAsSegmentMirror(*mirror);
  mirror_.connect(loop, *mirror);
  unsigned number = 1;
  auto give = [&](Value value) {
    if (activity_.isActive(value))
      adjoints.add(b, loop.getLoc(), value, mirror->getResult(number));
    ++number;
  };
  for (unsigned i : carried)
    give(loop.getInits()[i]);
  for (unsigned c : captured)
    give(loop.getCaptures()[c]);
  return success();
}

} // namespace sluice::differentiate
