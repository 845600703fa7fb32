// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of segments, and the segment as a loop in it.
#include "compiler/differentiate/Segments.h"

#include "compiler/differentiate/Trips.h"

#include "dialects/nd/Nd.h"
#include "dialects/wire/Restructure.h"

#include "mlir/IR/IRMapping.h"

#include <cmath>

using namespace mlir;

namespace sluice::differentiate {

static constexpr llvm::StringLiteral kSegment = "differentiate.segment";
static constexpr llvm::StringLiteral kSegmentMirror = "differentiate.segment_mirror";

bool isSegment(Operation *op) { return op && op->hasAttr(kSegment); }
bool isSegmentMirror(Operation *op) { return op && op->hasAttr(kSegmentMirror); }
void markAsSegmentMirror(flow::WhileOp mirror) {
  mirror->setAttr(kSegmentMirror, UnitAttr::get(mirror.getContext()));
}
void forgetSegments(Operation *module) {
  module->walk([](flow::WhileOp loop) {
    loop->removeAttr(kSegment);
    loop->removeAttr(kSegmentMirror);
  });
}

bool canRunAgain(flow::WhileOp loop) {
  WalkResult result = loop->walk([](Operation *op) {
    bool isPure = op->hasTrait<Computes>() || op->hasTrait<OpTrait::IsTerminator>() ||
                  isa<flow::WhileOp, flow::CondOp, flow::KnownAsOp, flow::IndependentOp>(op);
    return isPure && !op->hasTrait<HasEffect>() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

// ---- Splitting ----------------------------------------------------------------------------------

static RankedTensorType scalarOf(Type element) { return RankedTensorType::get({}, element); }
static Value int32(OpBuilder &b, Location loc, int32_t number) {
  RankedTensorType type = scalarOf(b.getI32Type());
  return nd::ConstantOp::create(b, loc, type, DenseElementsAttr::get(type, number));
}
static Value sum(OpBuilder &b, Location loc, Value x, Value y) {
  return nd::AddOp::create(b, loc, scalarOf(b.getI32Type()), x, y);
}

namespace {

class Splitter {
public:
  Splitter(flow::WhileOp loop, Mirror &mirror, Activity &activity)
      : loop_(loop), mirror_(mirror), activity_(activity), b_(loop), loc_(loop.getLoc()),
        before_(loop.getBefore().front()), body_(loop.getBody().front()),
        condition_(cast<flow::ConditionOp>(before_.getTerminator())), counters_(countersOf(loop)),
        numCarried_(static_cast<unsigned>(loop.getInits().size())),
        numResults_(loop.getNumResults()) {}

  flow::WhileOp run() {
    // Of n iterations there are s segments with s (s + 1) / 2 at least.
    int64_t trips = knownTrips(loop_).value_or(kUnknownTrips);
    auto segments = static_cast<int64_t>(std::ceil(std::sqrt(2.0 * static_cast<double>(trips))));
    flow::WhileOp outer = makeOuter();
    noteTrips(outer, segments);
    noteTrips(makeInner(outer), segments);
    activity_.replace(loop_.getResults(), outer.getResults().take_front(numResults_));
    loop_.replaceAllUsesWith(outer.getResults().take_front(numResults_));
    activity_.forget(loop_);
    loop_.erase();
    return outer;
  }

private:
  ValueRange carried() { return before_.getArguments().take_front(numCarried_); }
  ValueRange capturesBefore() { return before_.getArguments().drop_front(numCarried_); }
  ValueRange capturesInBody() { return body_.getArguments().drop_front(numResults_); }

  SmallVector<Type> typesOf(std::initializer_list<ValueRange> values, unsigned counts) {
    SmallVector<Type> types;
    for (ValueRange some : values)
      llvm::append_range(types, some.getTypes());
    types.append(counts, scalarOf(b_.getI32Type()));
    return types;
  }
  Block *addBlock(Region &region, TypeRange types) {
    SmallVector<Location> locs(types.size(), loc_);
    OpBuilder::InsertionGuard guard(b_);
    return b_.createBlock(&region, region.end(), types, locs);
  }
  // The copy of a value is as active as the value.
  void map(IRMapping &mapping, Value from, Value to) {
    mapping.map(from, to);
    activity_.copy(from, to);
  }
  void mapAll(IRMapping &mapping, ValueRange from, ValueRange to) {
    for (auto [one, other] : llvm::zip_equal(from, to))
      map(mapping, one, other);
  }
  void copyOps(Block &block, IRMapping &mapping) {
    for (Operation &op : block.without_terminator())
      b_.clone(op, mapping);
    for (auto [from, to] : mapping.getValueMap())
      activity_.copy(from, to);
  }

  // Carries what the loop carries, and the number of the segment.
  flow::WhileOp makeOuter() {
    Value given;
    for (Value init : loop_.getInits())
      if (!init.getDefiningOp() || !init.getDefiningOp()->hasTrait<IsConstant>())
        given = init;
    SmallVector<Value> inits(loop_.getInits());
    inits.push_back(mirror_.alongWith(given, int32(b_, loc_, 0), b_));
    SmallVector<Type> forwarded = typesOf({condition_.getForwarded(), carried()}, 1);
    auto outer = flow::WhileOp::create(b_, loc_, forwarded, inits, loop_.getCaptures(),
                                       loop_.getFrameAttr(), loop_.getParallelIterationsAttr());
    SmallVector<Type> types = typesOf({carried()}, 1);
    llvm::append_range(types, capturesBefore().getTypes());
    Block *block = addBlock(outer.getBefore(), types);
    llvm::append_range(forwarded, capturesInBody().getTypes());
    addBlock(outer.getBody(), forwarded);

    IRMapping mapping;
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToEnd(block);
    mapAll(mapping, carried(), block->getArguments().take_front(numCarried_));
    mapAll(mapping, capturesBefore(), block->getArguments().drop_front(numCarried_ + 1));
    copyOps(before_, mapping);
    SmallVector<Value> values;
    for (Value value : condition_.getForwarded())
      values.push_back(mapping.lookup(value));
    llvm::append_range(values, block->getArguments().take_front(numCarried_ + 1));
    flow::ConditionOp::create(b_, loc_, mapping.lookup(condition_.getPredicate()), values);
    return outer;
  }

  // The argument of `before` that a counter is.
  unsigned argumentOf(const Counter &counter) {
    return cast<BlockArgument>(condition_.getForwarded()[counter.forwarded]).getArgNumber();
  }
  // Counters are those at the segment's begin and its iteration, so that nobody saves them.
  void mapCounters(IRMapping &mapping, Value iteration, ValueRange begins) {
    for (auto [counter, begin] : llvm::zip_equal(counters_, begins)) {
      Value passed = iteration;
      if (counter.step != 1)
        passed = nd::MulOp::create(b_, loc_, iteration.getType(), iteration,
                                   int32(b_, loc_, counter.step));
      mapping.map(carried()[argumentOf(counter)], sum(b_, loc_, begin, passed));
    }
  }

  flow::WhileOp makeInner(flow::WhileOp outer) {
    Block &block = outer.getBody().front();
    b_.setInsertionPointToEnd(&block);
    ValueRange begin = block.getArguments().slice(numResults_, numCarried_);
    Value number = block.getArgument(numResults_ + numCarried_);
    for (auto [from, to] : llvm::zip_equal(carried(), begin))
      activity_.copy(from, to);
    for (auto [from, to] : llvm::zip_equal(
             capturesInBody(), block.getArguments().drop_front(numResults_ + numCarried_ + 1)))
      activity_.copy(from, to);

    for (Value value : condition_.getForwarded())
      if (value.getParentBlock() != &before_ || !isa<BlockArgument>(value))
        computed_.insert(value);
    SmallVector<Value> inits(begin),
        captures(block.getArguments().drop_front(numResults_ + numCarried_ + 1));
    inits.push_back(int32(b_, loc_, 0));
    captures.push_back(number);
    for (const Counter &counter : counters_)
      captures.push_back(begin[argumentOf(counter)]);
    SmallVector<Type> types = typesOf({carried()}, 1);
    llvm::append_range(types, ValueRange(computed_.getArrayRef()).getTypes());
    auto inner = flow::WhileOp::create(b_, loc_, types, inits, captures,
                                       b_.getStringAttr(loop_.getFrame() + "/segment"),
                                       loop_.getParallelIterationsAttr());
    inner->setAttr(kSegment, b_.getUnitAttr());
    SmallVector<Type> captured(ValueRange(captures).getTypes());
    SmallVector<Type> ofBefore = typesOf({carried()}, 1);
    llvm::append_range(ofBefore, captured);
    llvm::append_range(types, captured);
    addBlock(inner.getBefore(), ofBefore);
    addBlock(inner.getBody(), types);
    for (auto [from, to] : llvm::zip(carried(), inner.getResults()))
      activity_.copy(from, to);
    {
      OpBuilder::InsertionGuard guard(b_);
      fillBefore(inner);
      fillBody(inner);
    }
    SmallVector<Value> next(inner.getResults().take_front(numCarried_));
    next.push_back(sum(b_, loc_, number, int32(b_, loc_, 1)));
    flow::YieldOp::create(b_, loc_, next);
    return inner;
  }

  // Ends with the segment, too.
  void fillBefore(flow::WhileOp inner) {
    Block &block = inner.getBefore().front();
    b_.setInsertionPointToEnd(&block);
    IRMapping mapping;
    ValueRange captures = block.getArguments().drop_front(numCarried_ + 1);
    auto numCaptures = capturesBefore().size();
    Value iteration = block.getArgument(numCarried_);
    mapAll(mapping, carried(), block.getArguments().take_front(numCarried_));
    mapAll(mapping, capturesBefore(), captures.take_front(numCaptures));
    mapCounters(mapping, iteration, captures.drop_front(numCaptures + 1));
    copyOps(before_, mapping);
    auto isTrue = scalarOf(b_.getI1Type());
    Value length = sum(b_, loc_, captures[numCaptures], int32(b_, loc_, 1));
    Value isInside = nd::LessOp::create(b_, loc_, isTrue, iteration, length);
    Value goesOn = nd::LogicalAndOp::create(b_, loc_, isTrue,
                                            mapping.lookup(condition_.getPredicate()), isInside);
    SmallVector<Value> forwarded(block.getArguments().take_front(numCarried_ + 1));
    for (Value value : computed_)
      forwarded.push_back(mapping.lookup(value));
    flow::ConditionOp::create(b_, loc_, goesOn, forwarded);
  }

  void fillBody(flow::WhileOp inner) {
    Block &block = inner.getBody().front();
    b_.setInsertionPointToEnd(&block);
    IRMapping mapping, ofCarried;
    auto numComputed = computed_.size();
    auto numCaptures = capturesInBody().size();
    ValueRange captures = block.getArguments().drop_front(numCarried_ + 1 + numComputed);
    Value iteration = block.getArgument(numCarried_);
    mapAll(ofCarried, carried(), block.getArguments().take_front(numCarried_));
    mapCounters(ofCarried, iteration, captures.drop_front(numCaptures + 1));
    mapAll(mapping, capturesInBody(), captures.take_front(numCaptures));
    for (auto [forwarded, argument] :
         llvm::zip(condition_.getForwarded(), body_.getArguments().take_front(numResults_))) {
      auto known = dyn_cast<BlockArgument>(forwarded);
      const auto *computed = llvm::find(computed_, forwarded);
      if (computed != computed_.end())
        map(mapping, argument,
            block.getArgument(numCarried_ + 1 +
                              static_cast<unsigned>(computed - computed_.begin())));
      else if (known.getArgNumber() >= numCarried_)
        map(mapping, argument, captures[known.getArgNumber() - numCarried_]);
      else
        map(mapping, argument, ofCarried.lookup(forwarded));
    }
    copyOps(body_, mapping);
    SmallVector<Value> next;
    for (Value value : body_.getTerminator()->getOperands())
      next.push_back(mapping.lookup(value));
    next.push_back(sum(b_, loc_, iteration, int32(b_, loc_, 1)));
    flow::YieldOp::create(b_, loc_, next);
  }

  flow::WhileOp loop_;
  Mirror &mirror_;
  Activity &activity_;
  OpBuilder b_;
  Location loc_;
  Block &before_, &body_;
  flow::ConditionOp condition_;
  SmallVector<Counter> counters_;
  unsigned numCarried_, numResults_;
  llvm::SmallSetVector<Value, 4> computed_; // what `before` computes for the body
};

} // namespace

flow::WhileOp splitIntoSegments(flow::WhileOp loop, Mirror &mirror, Activity &activity) {
  return Splitter(loop, mirror, activity).run();
}

} // namespace sluice::differentiate
