// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows by index on a card: gathers, and sums of rows by segment.
//
// Nobody can be told of a bad index while kernels run: the host looks at indices by itself
// (HostChecks.h), and what they would read or change is not touched.
#include "compiler/codegen/cpu/ElementPositions.h"
#include "compiler/codegen/elements/ElementTypes.h"
#include "compiler/codegen/elements/EmittedNumbers.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/FlatBuffers.h"
#include "compiler/codegen/gpu/PositionKernel.h"
#include "compiler/codegen/gpu/SortedRuns.h"
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
  size_t axis = static_cast<size_t>(*constantAxis(gather.getAxis(), int64_t(params.size())));
  size_t batchDims = batchDimsOf(gather);
  AffineExpr batch = productOf(params.take_front(batchDims), op->getContext());
  AxisDims around = dimsAround(params.drop_front(batchDims), axis - batchDims, op->getContext());
  AffineExpr count = productOf(indices.drop_front(batchDims), op->getContext());
  Type indexType = elementTypeOf(gather.getIndices());
  Value from =
      flatOperand(emitter, gather.getParams(), {batch, around.outer, around.length, around.inner});
  Value at = flatOperand(emitter, gather.getIndices(), {batch, count});
  Value to = flatResult(emitter, gather.getResult(), {batch, around.outer, count, around.inner});
  Value length = emitter.dim(around.length);
  Value used[] = {from, at, to, length};
  Value sizes[] = {emitter.dim(batch), emitter.dim(around.outer), emitter.dim(count),
                   emitter.dim(around.inner)};
  forEachPositionOnCard(b, sizes, used, [&](ArrayRef<Value> position, IRMapping &inside) {
    Value number =
        memref::LoadOp::create(b, inside.lookup(at), ValueRange{position[0], position[2]});
    Value row = toIndex(b, number, indexType);
    Value isBad = isOutside(b, row, inside.lookup(length));
    Value element =
        loadUnless(b, isBad, inside.lookup(from), {position[0], position[1], row, position[3]});
    memref::StoreOp::create(b, element, inside.lookup(to), position);
  });
  return success();
}

namespace {

// Rows of a segment are combined in their order, by one thread for each column.
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
    SortedRuns runs(emitter_, rows_, {ids_}, [&](Value row, IRMapping &inside) {
      return toIndex(b_, memref::LoadOp::create(b_, inside.lookup(ids_), row), idType_);
    });
    SmallVector<Value> used{from_, to_, segments_};
    llvm::append_range(used, runs.used());
    forEachPositionOnCard(b_, {runs.length(), columns_}, used,
                          [&](ArrayRef<Value> position, IRMapping &inside) {
                            emitSegment(runs, position[0], position[1], inside);
                          });
  }

private:
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

  void emitSegment(SortedRuns &runs, Value place, Value column, IRMapping &inside) {
    Value id = runs.keyAt(place, inside);
    Value isValid =
        arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, id, inside.lookup(segments_));
    Value begins = arith::AndIOp::create(b_, isValid, runs.begins(place, id, inside));
    auto branch = scf::IfOp::create(b_, begins);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    auto combine = [&](Value sum, Value row) {
      return combined(sum, loadNumber(b_, inside.lookup(from_), {row, column}, element_));
    };
    Value sum = runs.folded(place, id, identity(), combine, inside);
    storeNumber(b_, sum, inside.lookup(to_), {id, column}, element_);
  }

  Operation *op_;
  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  Type element_, idType_, compute_;
  AffineExpr rows_;
  Value from_, ids_, to_, columns_, segments_;
};

} // namespace

LogicalResult lowerSegmentsOnCard(Operation *op, Emitter &emitter) {
  Segments(op, emitter).emit();
  return success();
}

} // namespace sluice::codegen
