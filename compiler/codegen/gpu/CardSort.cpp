// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting on a card, and top_k.
#include "compiler/codegen/gpu/CardSort.h"

#include "compiler/codegen/elements/ElementTypes.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/FlatBuffers.h"
#include "compiler/codegen/gpu/PositionKernel.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// Neighbouring runs of `width` numbers become one: a thread for each number finds out how many of
// the other run come before it.
class MergePass {
public:
  MergePass(ImplicitLocOpBuilder &b, Value rows, Value length, ArrayRef<Value> used,
            ComesBefore before)
      : b_(b), rows_(rows), length_(length), used_(used), before_(before) {}

  void launch(Value from, Value to, Value width) {
    SmallVector<Value> used{from, to, width, length_};
    llvm::append_range(used, used_);
    forEachPositionOnCard(b_, {rows_, length_}, used,
                          [&](ArrayRef<Value> position, IRMapping &inside) {
                            from_ = inside.lookup(from);
                            move(position[0], position[1], inside.lookup(to), inside.lookup(width),
                                 inside.lookup(length_), inside);
                          });
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  Value number(Value row, Value at) {
    Value stored = memref::LoadOp::create(b_, from_, ValueRange{row, at});
    return arith::IndexCastOp::create(b_, b_.getIndexType(), stored);
  }

  void move(Value row, Value at, Value to, Value width, Value length, IRMapping &inside) {
    Value run = arith::DivUIOp::create(b_, at, width);
    Value isRight = arith::CmpIOp::create(b_, arith::CmpIPredicate::ne,
                                          arith::RemUIOp::create(b_, run, index(2)), index(0));
    Value begin = arith::MulIOp::create(b_, run, width);
    Value left = arith::SubIOp::create(b_, begin, width);
    Value right = arith::AddIOp::create(b_, begin, width);
    Value first =
        arith::MinUIOp::create(b_, arith::SelectOp::create(b_, isRight, left, right), length);
    Value end = arith::MinUIOp::create(b_, arith::AddIOp::create(b_, first, width), length);
    Value own = number(row, at);
    Value bound = searched(row, own, isRight, first, end, inside);
    Value offset = arith::AddIOp::create(b_, arith::SubIOp::create(b_, at, begin),
                                         arith::SubIOp::create(b_, bound, first));
    Value base = arith::SelectOp::create(b_, isRight, left, begin);
    Value stored = arith::IndexCastOp::create(b_, b_.getI64Type(), own);
    memref::StoreOp::create(b_, stored, to,
                            ValueRange{row, arith::AddIOp::create(b_, base, offset)});
  }

  // The first position between `first` and `end` whose number does not come before `own`. One of
  // the right run comes behind equals of the left one.
  Value searched(Value row, Value own, Value isRight, Value first, Value end, IRMapping &inside) {
    Type type = b_.getIndexType();
    auto loop = scf::WhileOp::create(b_, TypeRange{type, type}, ValueRange{first, end});
    OpBuilder::InsertionGuard guard(b_);
    Block *test = b_.createBlock(&loop.getBefore(), {}, {type, type}, {b_.getLoc(), b_.getLoc()});
    Value goesOn = arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, test->getArgument(0),
                                         test->getArgument(1));
    scf::ConditionOp::create(b_, goesOn, test->getArguments());
    Block *body = b_.createBlock(&loop.getAfter(), {}, {type, type}, {b_.getLoc(), b_.getLoc()});
    Value low = body->getArgument(0), high = body->getArgument(1);
    Value middle = arith::DivUIOp::create(b_, arith::AddIOp::create(b_, low, high), index(2));
    Value other = number(row, middle);
    Value isBefore = before_(row, other, own, inside);
    Value isNotBehind = arith::XOrIOp::create(b_, before_(row, own, other, inside),
                                              arith::ConstantIntOp::create(b_, 1, 1));
    Value goesRight = arith::SelectOp::create(b_, isRight, isNotBehind, isBefore);
    Value next = arith::AddIOp::create(b_, middle, index(1));
    scf::YieldOp::create(b_, ValueRange{arith::SelectOp::create(b_, goesRight, next, low),
                                        arith::SelectOp::create(b_, goesRight, high, middle)});
    return loop.getResult(0);
  }

  ImplicitLocOpBuilder &b_;
  Value rows_, length_;
  ArrayRef<Value> used_;
  ComesBefore before_;
  Value from_; // within the kernel
};

void countUp(ImplicitLocOpBuilder &b, Value rows, Value length, Value to) {
  forEachPositionOnCard(b, {rows, length}, {to}, [&](ArrayRef<Value> position, IRMapping &inside) {
    Value number = arith::IndexCastOp::create(b, b.getI64Type(), position[1]);
    memref::StoreOp::create(b, number, inside.lookup(to), position);
  });
}

// Largest first, NaN before all; which zero it is does not matter.
Value isLarger(ImplicitLocOpBuilder &b, Value x, Value y, Type element) {
  if (!isa<FloatType>(x.getType()))
    return arith::CmpIOp::create(
        b, isUnsigned(element) ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt, x, y);
  Value larger = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, y);
  Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  Value isNumber = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, y, y);
  return arith::OrIOp::create(b, larger, arith::AndIOp::create(b, isNan, isNumber));
}

} // namespace

Value sortedOnCard(Emitter &emitter, AffineExpr rows, AffineExpr length, ArrayRef<Value> used,
                   ComesBefore before) {
  ImplicitLocOpBuilder &b = emitter.builder();
  Value one = flatScratch(emitter, {rows, length}, b.getI64Type());
  Value other = flatScratch(emitter, {rows, length}, b.getI64Type());
  Value numRows = emitter.dim(rows), size = emitter.dim(length);
  countUp(b, numRows, size, one);
  // Two passes at a time, so that the last result is where the first was: widths 1 and 2, 4 and 8.
  Value last = arith::IndexCastOp::create(
      b, b.getI64Type(),
      arith::SubIOp::create(b, size, arith::ConstantIndexOp::create(b, 1)).getResult());
  auto word = [&](int64_t value) -> Value { return arith::ConstantIntOp::create(b, value, 64); };
  Value bits =
      arith::SubIOp::create(b, word(64), math::CountLeadingZerosOp::create(b, last).getResult());
  Value pairs = arith::IndexCastOp::create(
      b, b.getIndexType(),
      arith::DivUIOp::create(b, arith::AddIOp::create(b, bits, word(1)), word(2)).getResult());
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  auto loop = scf::ForOp::create(b, index(0), pairs, index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value shift = arith::MulIOp::create(b, loop.getInductionVar(), index(2));
  Value width = arith::ShLIOp::create(b, index(1), shift);
  MergePass pass(b, numRows, size, used, before);
  pass.launch(one, other, width);
  pass.launch(other, one, arith::MulIOp::create(b, width, index(2)));
  return one;
}

LogicalResult lowerTopKOnCard(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto topK = cast<nd::TopKOp>(op);
  Type element = elementTypeOf(topK.getInput());
  ArrayRef<AffineExpr> dims = emitter.shapes().dims(topK.getInput());
  ArrayRef<AffineExpr> kept = emitter.shapes().dims(topK.getValues());
  AffineExpr rows = productOf(dims.drop_back(), op->getContext());
  Value from = flatOperand(emitter, topK.getInput(), {rows, dims.back()});
  Value sorted = sortedOnCard(emitter, rows, dims.back(), {from},
                              [&](Value row, Value x, Value y, IRMapping &inside) {
                                Value memory = inside.lookup(from);
                                return isLarger(b, loadNumber(b, memory, {row, x}, element),
                                                loadNumber(b, memory, {row, y}, element), element);
                              });
  Value values = flatResult(emitter, topK.getValues(), {rows, kept.back()});
  Value indices = flatResult(emitter, topK.getIndices(), {rows, kept.back()});
  Value used[] = {from, sorted, values, indices};
  forEachPositionOnCard(b, {emitter.dim(rows), emitter.dim(kept.back())}, used,
                        [&](ArrayRef<Value> position, IRMapping &inside) {
                          Value number = memref::LoadOp::create(b, inside.lookup(sorted), position);
                          Value at = arith::IndexCastOp::create(b, b.getIndexType(), number);
                          Value value = memref::LoadOp::create(b, inside.lookup(from),
                                                               ValueRange{position[0], at});
                          memref::StoreOp::create(b, value, inside.lookup(values), position);
                          Value stored = arith::TruncIOp::create(
                              b, registerElementType(elementTypeOf(topK.getIndices())), number);
                          memref::StoreOp::create(b, stored, inside.lookup(indices), position);
                        });
  return success();
}

} // namespace sluice::codegen
