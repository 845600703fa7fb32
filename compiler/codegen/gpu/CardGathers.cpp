// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows by index on a card: gathers, and sums of rows by segment.
//
// Nobody can be told of a bad index while kernels run: the host looks at indices by itself
// (state.check_range), and what they would read or change is not touched.
#include "compiler/codegen/cpu/ElementPositions.h"
#include "compiler/codegen/elements/ElementTypes.h"
#include "compiler/codegen/elements/EmittedNumbers.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/CardSort.h"
#include "compiler/codegen/gpu/FlatBuffers.h"
#include "compiler/codegen/gpu/PositionKernel.h"
#include "compiler/codegen/shapes/ConstantOperands.h"
#include "dialects/nd/Nd.h"
#include "runtime/elements/reductions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

LogicalResult lowerGatherOnCard(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto gather = cast<nd::GatherOp>(op);
  ArrayRef<AffineExpr> params = emitter.shapes().dims(gather.getParams());
  ArrayRef<AffineExpr> indices = emitter.shapes().dims(gather.getIndices());
  auto axis = static_cast<size_t>(*constantAxis(gather.getAxis(), int64_t(params.size())));
  AxisDims around = dimsAround(params, axis, op->getContext());
  AffineExpr count = productOf(indices, op->getContext());
  Type indexType = elementTypeOf(gather.getIndices());
  Value from =
      flatOperand(emitter, gather.getParams(), {around.outer, around.length, around.inner});
  Value at = flatOperand(emitter, gather.getIndices(), {count});
  Value to = flatResult(emitter, gather.getResult(), {around.outer, count, around.inner});
  Value length = emitter.dim(around.length);
  Value used[] = {from, at, to, length};
  Value sizes[] = {emitter.dim(around.outer), emitter.dim(count), emitter.dim(around.inner)};
  forEachPositionOnCard(b, sizes, used, [&](ArrayRef<Value> position, IRMapping &inside) {
    Value row = toIndex(b, memref::LoadOp::create(b, inside.lookup(at), position[1]), indexType);
    Type stored = cast<MemRefType>(from.getType()).getElementType();
    auto read = scf::IfOp::create(b, stored, isOutside(b, row, inside.lookup(length)),
                                  /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(read.thenBlock());
      scf::YieldOp::create(b, arith::ConstantOp::create(b, b.getZeroAttr(stored)).getResult());
      b.setInsertionPointToStart(read.elseBlock());
      Value element =
          memref::LoadOp::create(b, inside.lookup(from), ValueRange{position[0], row, position[2]});
      scf::YieldOp::create(b, element);
    }
    memref::StoreOp::create(b, read.getResult(0), inside.lookup(to), position);
  });
  return success();
}

namespace {

// Rows of a segment are combined in their order, by one thread for each column: ids are sorted, and
// who has the first row of a segment goes on to its last one.
class Segments {
public:
  Segments(Operation *op, Emitter &emitter)
      : op_(op), emitter_(emitter), b_(emitter.builder()),
        element_(elementTypeOf(op->getOperand(0))), idType_(elementTypeOf(op->getOperand(1))),
        compute_(registerElementType(computeType(element_))) {
    ArrayRef<AffineExpr> data = emitter.shapes().dims(op->getOperand(0));
    ArrayRef<AffineExpr> ids = emitter.shapes().dims(op->getOperand(1));
    ArrayRef<AffineExpr> result = emitter.shapes().dims(op->getResult(0));
    rows_ = productOf(ids, op->getContext());
    AffineExpr inner = productOf(data.drop_front(ids.size()), op->getContext());
    from_ = flatOperand(emitter, op->getOperand(0), {rows_, inner});
    ids_ = flatOperand(emitter, op->getOperand(1), {rows_});
    to_ = flatResult(emitter, op->getResult(0), {result.front(), inner});
    columns_ = emitter.dim(inner);
    segments_ = emitter.dim(result.front());
  }

  void emit() {
    forEachPositionOnCard(b_, {segments_, columns_}, {to_},
                          [&](ArrayRef<Value> position, IRMapping &inside) {
                            storeNumber(b_, identity(), inside.lookup(to_), position, element_);
                          });
    sorted_ = sortedOnCard(emitter_, getAffineConstantExpr(1, op_->getContext()), rows_, {ids_},
                           [&](Value, Value x, Value y, IRMapping &inside) -> Value {
                             return arith::CmpIOp::create(b_, arith::CmpIPredicate::slt,
                                                          idOf(inside, x), idOf(inside, y));
                           });
    Value rows = emitter_.dim(rows_);
    Value used[] = {from_, ids_, to_, sorted_, segments_, rows};
    forEachPositionOnCard(b_, {rows, columns_}, used,
                          [&](ArrayRef<Value> position, IRMapping &inside) {
                            emitSegment(position[0], position[1], inside.lookup(rows), inside);
                          });
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  Value idOf(IRMapping &inside, Value row) {
    return toIndex(b_, memref::LoadOp::create(b_, inside.lookup(ids_), row), idType_);
  }
  Value rowAt(IRMapping &inside, Value place) {
    Value row = memref::LoadOp::create(b_, inside.lookup(sorted_), ValueRange{index(0), place});
    return arith::IndexCastOp::create(b_, b_.getIndexType(), row);
  }
  bool isExtremum() const { return isa<nd::UnsortedSegmentMaxOp, nd::UnsortedSegmentMinOp>(op_); }

  // Of a segment without rows: finite.
  Value identity() {
    bool isMax = isa<nd::UnsortedSegmentMaxOp>(op_);
    if (auto floats = dyn_cast<FloatType>(element_)) {
      llvm::APFloat value = llvm::APFloat::getZero(floats.getFloatSemantics());
      if (isExtremum())
        value = llvm::APFloat::getLargest(floats.getFloatSemantics(), /*Negative=*/isMax);
      else if (isa<nd::UnsortedSegmentProdOp>(op_))
        value = llvm::APFloat::getOne(floats.getFloatSemantics());
      bool exact;
      value.convert(cast<FloatType>(compute_).getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &exact);
      return arith::ConstantOp::create(b_, FloatAttr::get(compute_, value));
    }
    unsigned width = compute_.getIntOrFloatBitWidth();
    llvm::APInt value(width, isa<nd::UnsortedSegmentProdOp>(op_) ? 1 : 0);
    if (isExtremum() && isUnsigned(element_))
      value = isMax ? llvm::APInt::getMinValue(width) : llvm::APInt::getMaxValue(width);
    else if (isExtremum())
      value = isMax ? llvm::APInt::getSignedMinValue(width) : llvm::APInt::getSignedMaxValue(width);
    return arith::ConstantOp::create(b_, IntegerAttr::get(compute_, value));
  }

  template <typename Reduction> Value combinedAs(Value x, Value y) {
    return withKind<type_sets::REAL>(computeType(element_), [&]<NumberKind kind>() {
      return Reduction::combine(Emitted<kind>{&b_, x}, Emitted<kind>{&b_, y}).value;
    });
  }
  // Rounded to the element's type, as the host's kernel keeps it there.
  Value combined(Value x, Value y) {
    using namespace rt::element;
    Value next = isa<nd::UnsortedSegmentSumOp>(op_)    ? combinedAs<Sum>(x, y)
                 : isa<nd::UnsortedSegmentProdOp>(op_) ? combinedAs<Prod>(x, y)
                 : isa<nd::UnsortedSegmentMaxOp>(op_)  ? combinedAs<Max>(x, y)
                                                       : combinedAs<Min>(x, y);
    return toComputeType(b_, fromComputeType(b_, next, element_), element_);
  }

  void emitSegment(Value place, Value column, Value rows, IRMapping &inside) {
    Value id = idOf(inside, rowAt(inside, place));
    Value isValid =
        arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, id, inside.lookup(segments_));
    Value isFirst = arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, place, index(0));
    Value before = arith::SelectOp::create(b_, isFirst, place,
                                           arith::SubIOp::create(b_, place, index(1)).getResult());
    Value differs = arith::CmpIOp::create(b_, arith::CmpIPredicate::ne,
                                          idOf(inside, rowAt(inside, before)), id);
    Value begins = arith::AndIOp::create(b_, isValid, arith::OrIOp::create(b_, isFirst, differs));
    auto branch = scf::IfOp::create(b_, begins);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    Value sum = folded(place, column, id, rows, inside);
    storeNumber(b_, sum, inside.lookup(to_), {id, column}, element_);
  }

  // From this place on, as long as rows are of the segment.
  Value folded(Value place, Value column, Value id, Value rows, IRMapping &inside) {
    Type types[] = {b_.getIndexType(), compute_};
    Location locations[] = {b_.getLoc(), b_.getLoc()};
    Value start = identity();
    auto loop = scf::WhileOp::create(b_, types, ValueRange{place, start});
    OpBuilder::InsertionGuard guard(b_);
    Block *step = b_.createBlock(&loop.getBefore(), {}, types, locations);
    Value row = rowAt(inside, step->getArgument(0));
    Value sum = combined(step->getArgument(1),
                         loadNumber(b_, inside.lookup(from_), {row, column}, element_));
    Value next = arith::AddIOp::create(b_, step->getArgument(0), index(1));
    Value isInside = arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, next, rows);
    Value safe = arith::SelectOp::create(b_, isInside, next, step->getArgument(0));
    Value isSame =
        arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, idOf(inside, rowAt(inside, safe)), id);
    scf::ConditionOp::create(b_, arith::AndIOp::create(b_, isInside, isSame),
                             ValueRange{next, sum});
    Block *again = b_.createBlock(&loop.getAfter(), {}, types, locations);
    scf::YieldOp::create(b_, again->getArguments());
    return loop.getResult(1);
  }

  Operation *op_;
  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  Type element_, idType_, compute_;
  AffineExpr rows_;
  Value from_, ids_, to_, sorted_, columns_, segments_;
};

} // namespace

LogicalResult lowerSegmentsOnCard(Operation *op, Emitter &emitter) {
  Segments(op, emitter).emit();
  return success();
}

} // namespace sluice::codegen
