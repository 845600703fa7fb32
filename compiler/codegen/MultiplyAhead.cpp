// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-multiply-ahead: products of loops that are computed for several iterations at once.
#include "compiler/codegen/KnownAhead.h"
#include "compiler/codegen/Passes.h"
#include "compiler/codegen/plan/Cards.h"
#include "dialects/list/List.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::codegen {

#define GEN_PASS_DEF_CODEGENMULTIPLYAHEAD
#include "compiler/codegen/Passes.h.inc"

namespace {

RankedTensorType scalarOf(Type element) { return RankedTensorType::get({}, element); }

Value constantLike(OpBuilder &b, Location loc, Value scalar, int64_t number) {
  auto type = cast<RankedTensorType>(scalar.getType());
  return nd::ConstantOp::create(
      b, loc, type, DenseElementsAttr::get(type, b.getIntegerAttr(type.getElementType(), number)));
}

template <typename Op> Value combine(OpBuilder &b, Location loc, Value x, Value y) {
  return Op::create(b, loc, x.getType(), x, y);
}

Value reshape(OpBuilder &b, Location loc, Value value, ArrayRef<int64_t> dims) {
  auto type = RankedTensorType::get({static_cast<int64_t>(dims.size())}, b.getI64Type());
  Value shape = nd::ConstantOp::create(b, loc, type, DenseElementsAttr::get(type, dims));
  auto result =
      RankedTensorType::get(dims, cast<RankedTensorType>(value.getType()).getElementType());
  return nd::ReshapeOp::create(b, loc, result, value, shape);
}

// A `flow.while` that carries a number which counts up from 0 to `count`, and more.
class CountedLoop {
public:
  CountedLoop(OpBuilder &b, Location loc, flow::WhileOp like, int64_t count, ValueRange inits,
              ValueRange captures)
      : loc_(loc) {
    Value zero =
        nd::ConstantOp::create(b, loc, scalarOf(b.getI32Type()),
                               DenseElementsAttr::get(scalarOf(b.getI32Type()), int32_t{0}));
    SmallVector<Value> carried{zero};
    llvm::append_range(carried, inits);
    SmallVector<Type> types = llvm::to_vector(ValueRange(carried).getTypes());
    loop = flow::WhileOp::create(b, loc, types, carried, captures, like.getFrameAttr(),
                                 like.getParallelIterationsAttr());
    llvm::append_range(types, captures.getTypes());
    SmallVector<Location> locs(types.size(), loc);
    OpBuilder::InsertionGuard guard(b);
    Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
    Value counter = before->getArgument(0);
    Value goesOn = nd::LessOp::create(b, loc, scalarOf(b.getI1Type()), counter,
                                      constantLike(b, loc, counter, count));
    flow::ConditionOp::create(b, loc, goesOn, before->getArguments().take_front(carried.size()));
    b.createBlock(&loop.getBody(), {}, types, locs);
  }
  Value counter() { return body().getArgument(0); }
  ValueRange carried() { return body().getArguments().slice(1, loop.getInits().size() - 1); }
  ValueRange captures() { return body().getArguments().drop_front(loop.getInits().size()); }
  ValueRange results() { return loop.getResults().drop_front(1); }
  Block &body() { return loop.getBody().front(); }

  void yield(OpBuilder &b, ValueRange next) {
    SmallVector<Value> values{
        combine<nd::AddOp>(b, loc_, counter(), constantLike(b, loc_, counter(), 1))};
    llvm::append_range(values, next);
    flow::YieldOp::create(b, loc_, values);
  }

  flow::WhileOp loop;

private:
  Location loc_;
};

// Puts a loop of blocks in front of a loop, which is left with the iterations that fill no block.
class BlockLoop {
public:
  BlockLoop(flow::WhileOp loop, const KnownAhead &known)
      : loop_(loop), known_(known), b_(loop), loc_(loop.getLoc()), body_(loop.getBody().front()) {}

  void build() {
    IRMapping none;
    auto blocks = cast<flow::WhileOp>(b_.clone(*loop_, none));
    // Goes on while there is a whole block.
    Block &before = blocks.getBefore().front();
    auto ends = cast<flow::ConditionOp>(before.getTerminator())
                    .getPredicate()
                    .getDefiningOp<nd::GreaterOp>();
    b_.setInsertionPoint(ends);
    ends.setOperand(1, constantLike(b_, loc_, ends.getLhs(), known_.iterations() - 1));
    // A block in place of an iteration.
    Block &block = blocks.getBody().front();
    while (!block.empty())
      block.back().erase();
    b_.setInsertionPointToEnd(&block);
    llvm::append_range(arguments_, block.getArguments());
    for (nd::MatmulOp product : known_.products())
      multiply(product);
    SmallVector<Value> last = iterate();
    flow::YieldOp::create(b_, loc_, inOrderOfInits(last));
    SmallVector<Value> rest = inOrderOfInits(blocks.getResults());
    loop_.getInitsMutable().assign(rest);
  }

private:
  // What an iteration begins with, and products that were computed, as they are in a block.
  Value inBlock(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return arguments_[argument.getArgNumber()];
    return products_[numberOf(value.getDefiningOp())];
  }
  size_t numberOf(Operation *product) {
    return static_cast<size_t>(llvm::find(known_.products(), product) - known_.products().begin());
  }
  bool isAhead(Operation *op) { return numberOf(op) < known_.products().size(); }
  size_t numCarried() { return loop_.getInits().size(); }

  // What is forwarded, in the order of what is carried.
  SmallVector<Value> inOrderOfInits(ValueRange forwarded) {
    SmallVector<Value> values(numCarried());
    for (auto [i, value] : llvm::enumerate(forwarded))
      values[known_.initOf(static_cast<unsigned>(i))] = value;
    return values;
  }

  // The left operands of all iterations of a block, in one matrix, and its product.
  void multiply(nd::MatmulOp product) {
    ArrayRef<int64_t> left = cast<RankedTensorType>(product.getLhs().getType()).getShape();
    auto result = cast<RankedTensorType>(product.getType());
    int64_t count = known_.iterations(), rows = count * left[0];
    Value all =
        reshape(b_, loc_, leftOperands(product, {count, left[0], left[1]}), {rows, left[1]});
    auto type = RankedTensorType::get({rows, result.getDimSize(1)}, result.getElementType());
    auto joined = cast<nd::MatmulOp>(b_.clone(*product));
    joined.getResult().setType(type);
    joined.setOperand(0, all);
    joined.setOperand(1, inBlock(product.getRhs()));
    products_.push_back(
        reshape(b_, loc_, joined.getResult(), {count, result.getDimSize(0), result.getDimSize(1)}));
  }

  Value leftOperands(nd::MatmulOp product, ArrayRef<int64_t> dims) {
    auto type = RankedTensorType::get(
        dims, cast<RankedTensorType>(product.getLhs().getType()).getElementType());
    RankedTensorType element = scalarOf(type.getElementType());
    auto list = RankedTensorType::get({static_cast<int64_t>(dims.size())}, b_.getI64Type());
    Value zero = nd::ConstantOp::create(
        b_, loc_, element, DenseElementsAttr::get(element, b_.getZeroAttr(type.getElementType())));
    Value shape = nd::ConstantOp::create(b_, loc_, list, DenseElementsAttr::get(list, dims));
    Value room = nd::FillOp::create(b_, loc_, type, shape, zero);
    // No more than that: others may be changed in place.
    SmallVector<Operation *> needed = known_.neededFor(product);
    llvm::SetVector<Value> uses; // in the loop's body
    uses.insert(body_.getArgument(known_.counter()));
    for (Operation *op : needed) {
      if (isAhead(op))
        uses.insert(op->getResult(0));
      else
        for (Value operand : op->getOperands())
          if (isa<BlockArgument>(operand))
            uses.insert(operand);
    }
    SmallVector<Value> captures =
        llvm::map_to_vector(uses, [&](Value use) { return inBlock(use); });
    CountedLoop rows(b_, product.getLoc(), loop_, dims[0], room, captures);
    IRMapping mapping;
    mapping.map(uses.getArrayRef(), rows.captures());
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToEnd(&rows.body());
    Value left = ahead(product, needed, rows.counter(), mapping);
    rows.yield(
        b_,
        nd::SetRowOp::create(b_, loc_, type, rows.carried()[0], rows.counter(), left).getResult());
    return rows.results()[0];
  }

  // The left operand in the iteration that comes so many turns later. `mapping` has what it is made
  // of as it is in the block's first iteration, and products of all.
  Value ahead(nd::MatmulOp product, ArrayRef<Operation *> needed, Value turn, IRMapping &mapping) {
    Value argument = body_.getArgument(known_.counter()), counter = mapping.lookup(argument);
    Value turns = nd::CastOp::create(b_, loc_, counter.getType(), turn);
    mapping.map(argument, combine<nd::SubOp>(b_, loc_, counter, turns));
    for (Operation *op : needed) {
      Value result = op->getResult(0);
      if (isAhead(op))
        mapping.map(result, rowOf(mapping.lookup(result), turn, result.getType()));
      else if (auto pop = dyn_cast<list::CellPopOp>(op))
        mapping.map(result, peek(pop, turn));
      else
        b_.clone(*op, mapping);
    }
    return mapping.lookup(product.getLhs());
  }

  Value rowOf(Value block, Value turn, Type type) {
    return nd::RowOp::create(b_, loc_, type, block, turn);
  }

  // What the pop that comes so many turns later will give.
  Value peek(list::CellPopOp pop, Value turn) {
    Value length =
        list::CellLengthOp::create(b_, pop.getLoc(), scalarOf(b_.getI32Type()), pop.getCellAttr());
    Value last = combine<nd::SubOp>(b_, loc_, length, constantLike(b_, loc_, length, 1));
    return list::CellPeekOp::create(b_, pop.getLoc(), pop.getType(),
                                    combine<nd::SubOp>(b_, loc_, last, turn), pop.getCellAttr(),
                                    pop.getZerosAttr());
  }

  // The iterations of a block, which find their products.
  SmallVector<Value> iterate() {
    ValueRange forwarded = ValueRange(arguments_).take_front(numCarried());
    SmallVector<Value> captures(ValueRange(arguments_).drop_front(numCarried()));
    llvm::append_range(captures, products_);
    CountedLoop turns(b_, loc_, loop_, known_.iterations(), forwarded, captures);
    IRMapping mapping;
    mapping.map(body_.getArguments().take_front(numCarried()), turns.carried());
    size_t numCaptures = arguments_.size() - numCarried();
    mapping.map(body_.getArguments().drop_front(numCarried()),
                turns.captures().take_front(numCaptures));
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToEnd(&turns.body());
    for (Operation &op : body_.without_terminator()) {
      if (!isAhead(&op)) {
        b_.clone(op, mapping);
        continue;
      }
      Value block = turns.captures()[numCaptures + numberOf(&op)];
      mapping.map(op.getResult(0), rowOf(block, turns.counter(), op.getResult(0).getType()));
    }
    SmallVector<Value> next;
    for (size_t i = 0; i < numCarried(); ++i)
      next.push_back(mapping.lookup(
          body_.getTerminator()->getOperand(known_.initOf(static_cast<unsigned>(i)))));
    turns.yield(b_, next);
    return SmallVector<Value>(turns.results());
  }

  flow::WhileOp loop_;
  const KnownAhead &known_;
  OpBuilder b_;
  Location loc_;
  Block &body_;
  SmallVector<Value> arguments_; // of a block
  SmallVector<Value> products_;  // of a block, by iteration
};

struct MultiplyAhead : impl::CodegenMultiplyAheadBase<MultiplyAhead> {
  void runOnOperation() override {
    SmallVector<flow::WhileOp> loops;
    getOperation()->walk([&](flow::CodeletOp codelet) {
      if (!cardOf(codelet))
        codelet.walk([&](flow::WhileOp loop) { loops.push_back(loop); });
    });
    for (flow::WhileOp loop : loops) {
      KnownAhead known(loop);
      if (known.products().empty())
        continue;
      BlockLoop(loop, known).build();
      ++numLoops;
      numProducts += known.products().size();
    }
  }
};

} // namespace
} // namespace sluice::codegen
