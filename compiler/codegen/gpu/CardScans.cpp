// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Along an axis on a card: running sums and products, and where the largest or smallest element is.
// A thread goes along a line; a long line is cut into parts, each a thread's.
#include "compiler/codegen/elements/ElementTypes.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/ChooseBySize.h"
#include "compiler/codegen/gpu/FlatBuffers.h"
#include "compiler/codegen/gpu/PositionKernel.h"
#include "compiler/codegen/shapes/ConstantOperands.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// From so many elements on a line is cut into so many parts.
constexpr int64_t kLongLine = 4096, kParts = 256;

Value index(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

// Both kinds of op have the tensor as operand 0 and the axis as operand 1.
class AlongAxis {
public:
  AlongAxis(Operation *op, Emitter &emitter)
      : op_(op), emitter_(emitter), b_(emitter.builder()),
        element_(elementTypeOf(op->getOperand(0))),
        compute_(registerElementType(computeType(element_))) {
    ArrayRef<AffineExpr> dims = emitter.shapes().dims(op->getOperand(0));
    auto axis = static_cast<size_t>(*constantAxis(op->getOperand(1), int64_t(dims.size())));
    around_ = dimsAround(dims, axis, op->getContext());
    from_ = flatOperand(emitter, op->getOperand(0), {around_.outer, around_.length, around_.inner});
    outer_ = emitter.dim(around_.outer);
    length_ = emitter.dim(around_.length);
    inner_ = emitter.dim(around_.inner);
  }

protected:
  Value load(IRMapping &inside, Value outer, Value at, Value inner) {
    return loadNumber(b_, inside.lookup(from_), {outer, at, inner}, element_);
  }
  AffineExpr parts() const { return getAffineConstantExpr(kParts, op_->getContext()); }

  Operation *op_;
  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  Type element_, compute_;
  AxisDims around_;
  Value from_, outer_, length_, inner_;
};

// ---- Running sums and products ------------------------------------------------------------------

class Scan : AlongAxis {
public:
  Scan(Operation *op, Emitter &emitter)
      : AlongAxis(op, emitter), isProduct_(isa<nd::CumprodOp>(op)),
        isExclusive_(op->getAttrOfType<BoolAttr>("exclusive").getValue()),
        isReverse_(op->getAttrOfType<BoolAttr>("reverse").getValue()),
        to_(flatResult(emitter, op->getResult(0), {around_.outer, around_.length, around_.inner})) {
  }

  void emit() {
    ifAtLeast(b_, length_, kLongLine, [&] { emitInParts(); }, [&] { emitLines(); });
  }

private:
  Value identity() {
    return arith::ConstantOp::create(b_, isa<FloatType>(compute_)
                                             ? TypedAttr(b_.getFloatAttr(compute_, isProduct_))
                                             : TypedAttr(b_.getIntegerAttr(compute_, isProduct_)));
  }
  Value combined(Value x, Value y) {
    if (isa<FloatType>(compute_))
      return isProduct_ ? Value(arith::MulFOp::create(b_, x, y))
                        : Value(arith::AddFOp::create(b_, x, y));
    return isProduct_ ? Value(arith::MulIOp::create(b_, x, y))
                      : Value(arith::AddIOp::create(b_, x, y));
  }

  // What elements `begin` to `end` come to, behind what is before them. The first is the last one
  // where it goes in reverse. Stores what is between, if it is to.
  Value run(IRMapping &inside, ArrayRef<Value> line, Value begin, Value end, Value before,
            bool stores) {
    auto loop = scf::ForOp::create(b_, begin, end, index(b_, 1), before);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    Value at = loop.getInductionVar(), sum = loop.getRegionIterArg(0);
    if (isReverse_)
      at = arith::SubIOp::create(
          b_, arith::SubIOp::create(b_, inside.lookup(length_), index(b_, 1)), at);
    Value next = combined(sum, load(inside, line[0], at, line[1]));
    if (stores)
      storeNumber(b_, isExclusive_ ? sum : next, inside.lookup(to_), {line[0], at, line[1]},
                  element_);
    scf::YieldOp::create(b_, next);
    return loop.getResult(0);
  }

  void emitLines() {
    forEachPositionOnCard(b_, {outer_, inner_}, {from_, to_, length_},
                          [&](ArrayRef<Value> line, IRMapping &inside) {
                            run(inside, line, index(b_, 0), inside.lookup(length_), identity(),
                                /*stores=*/true);
                          });
  }

  // The sums of parts, then what is before each, then all elements.
  void emitInParts() {
    Value sums = flatScratch(emitter_, {around_.outer, around_.inner, parts()}, compute_);
    Value each = arith::CeilDivUIOp::create(b_, length_, index(b_, kParts));
    auto ofPart = [&](IRMapping &inside, Value part) {
      Value size = inside.lookup(each), length = inside.lookup(length_);
      Value begin = arith::MinUIOp::create(b_, arith::MulIOp::create(b_, part, size), length);
      Value end = arith::MinUIOp::create(b_, arith::AddIOp::create(b_, begin, size), length);
      return std::pair(begin, end);
    };
    Value used[] = {from_, to_, length_, each, sums};
    forEachPositionOnCard(b_, {outer_, inner_, index(b_, kParts)}, used,
                          [&](ArrayRef<Value> position, IRMapping &inside) {
                            auto [begin, end] = ofPart(inside, position[2]);
                            Value sum = run(inside, position, begin, end, identity(), false);
                            memref::StoreOp::create(b_, sum, inside.lookup(sums), position);
                          });
    forEachPositionOnCard(b_, {outer_, inner_}, used, [&](ArrayRef<Value> line, IRMapping &inside) {
      auto loop = scf::ForOp::create(b_, index(b_, 0), index(b_, kParts), index(b_, 1), identity());
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(loop.getBody());
      Value at[] = {line[0], line[1], loop.getInductionVar()};
      Value sum = memref::LoadOp::create(b_, inside.lookup(sums), at);
      memref::StoreOp::create(b_, loop.getRegionIterArg(0), inside.lookup(sums), at);
      scf::YieldOp::create(b_, combined(loop.getRegionIterArg(0), sum));
    });
    forEachPositionOnCard(b_, {outer_, inner_, index(b_, kParts)}, used,
                          [&](ArrayRef<Value> position, IRMapping &inside) {
                            auto [begin, end] = ofPart(inside, position[2]);
                            Value before =
                                memref::LoadOp::create(b_, inside.lookup(sums), position);
                            run(inside, position, begin, end, before, /*stores=*/true);
                          });
  }

  bool isProduct_, isExclusive_, isReverse_;
  Value to_;
};

// ---- Where the largest or smallest element is ---------------------------------------------------

class ArgSearch : AlongAxis {
public:
  ArgSearch(Operation *op, Emitter &emitter)
      : AlongAxis(op, emitter), isMax_(isa<nd::ArgMaxOp>(op)),
        to_(flatResult(emitter, op->getResult(0), {around_.outer, around_.inner})) {}

  void emit() {
    ifAtLeast(b_, length_, kLongLine, [&] { emitInParts(); }, [&] { emitLines(); });
  }

private:
  // Whether x, which is at `i`, comes before the best one so far, `y` at `j`: any number before
  // NaN, else the first of equals.
  Value isBetter(Value x, Value i, Value y, Value j) {
    Value isFirst = arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, i, j);
    Value beats, same;
    if (isa<FloatType>(compute_)) {
      auto compare = [&](arith::CmpFPredicate how, Value a, Value b) -> Value {
        return arith::CmpFOp::create(b_, how, a, b);
      };
      Value xIsNumber = compare(arith::CmpFPredicate::ORD, x, x);
      Value yIsNan = compare(arith::CmpFPredicate::UNO, y, y);
      beats = compare(isMax_ ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, x, y);
      beats = arith::OrIOp::create(b_, beats, arith::AndIOp::create(b_, xIsNumber, yIsNan));
      Value xIsNan = compare(arith::CmpFPredicate::UNO, x, x);
      same = arith::OrIOp::create(b_, compare(arith::CmpFPredicate::OEQ, x, y),
                                  arith::AndIOp::create(b_, xIsNan, yIsNan));
    } else {
      arith::CmpIPredicate how =
          isUnsigned(element_) ? isMax_ ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::ult
          : isMax_             ? arith::CmpIPredicate::sgt
                               : arith::CmpIPredicate::slt;
      beats = arith::CmpIOp::create(b_, how, x, y);
      same = arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, x, y);
    }
    return arith::OrIOp::create(b_, beats, arith::AndIOp::create(b_, same, isFirst));
  }

  // The best of the candidates that `positionOf` numbers from 0 on.
  Value best(IRMapping &inside, ArrayRef<Value> line, Value count,
             function_ref<Value(Value number)> positionOf) {
    Value start = positionOf(index(b_, 0));
    Value first = load(inside, line[0], start, line[1]);
    auto loop = scf::ForOp::create(b_, index(b_, 1), count, index(b_, 1), ValueRange{first, start});
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    Value at = positionOf(loop.getInductionVar());
    Value value = load(inside, line[0], at, line[1]);
    Value better = isBetter(value, at, loop.getRegionIterArg(0), loop.getRegionIterArg(1));
    scf::YieldOp::create(
        b_, ValueRange{arith::SelectOp::create(b_, better, value, loop.getRegionIterArg(0)),
                       arith::SelectOp::create(b_, better, at, loop.getRegionIterArg(1))});
    return loop.getResult(1);
  }

  void store(IRMapping &inside, ArrayRef<Value> line, Value position) {
    Type type = registerElementType(elementTypeOf(op_->getResult(0)));
    memref::StoreOp::create(b_, arith::IndexCastOp::create(b_, type, position), inside.lookup(to_),
                            line);
  }

  void emitLines() {
    forEachPositionOnCard(
        b_, {outer_, inner_}, {from_, to_, length_}, [&](ArrayRef<Value> line, IRMapping &inside) {
          store(inside, line,
                best(inside, line, inside.lookup(length_), [](Value number) { return number; }));
        });
  }

  // A thread looks at elements that lie so far apart as there are parts.
  void emitInParts() {
    Value found = flatScratch(emitter_, {around_.outer, around_.inner, parts()}, b_.getI64Type());
    Value used[] = {from_, to_, length_, found};
    forEachPositionOnCard(
        b_, {outer_, inner_, index(b_, kParts)}, used,
        [&](ArrayRef<Value> position, IRMapping &inside) {
          Value rest = arith::SubIOp::create(b_, inside.lookup(length_), position[2]);
          Value count = arith::CeilDivUIOp::create(b_, rest, index(b_, kParts));
          Value at = best(inside, position, count, [&](Value number) -> Value {
            return arith::AddIOp::create(b_, position[2],
                                         arith::MulIOp::create(b_, number, index(b_, kParts)));
          });
          memref::StoreOp::create(b_, arith::IndexCastOp::create(b_, b_.getI64Type(), at),
                                  inside.lookup(found), position);
        });
    forEachPositionOnCard(b_, {outer_, inner_}, used, [&](ArrayRef<Value> line, IRMapping &inside) {
      store(inside, line, best(inside, line, index(b_, kParts), [&](Value part) -> Value {
              Value stored = memref::LoadOp::create(b_, inside.lookup(found),
                                                    ValueRange{line[0], line[1], part});
              return arith::IndexCastOp::create(b_, b_.getIndexType(), stored);
            }));
    });
  }

  bool isMax_;
  Value to_;
};

} // namespace

LogicalResult lowerScanOnCard(Operation *op, Emitter &emitter) {
  Scan(op, emitter).emit();
  return success();
}

LogicalResult lowerArgOnCard(Operation *op, Emitter &emitter) {
  ArgSearch(op, emitter).emit();
  return success();
}

} // namespace sluice::codegen
