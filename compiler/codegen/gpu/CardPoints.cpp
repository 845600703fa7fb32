// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices by index vectors on a card: gather_nd, scatter_nd and update_points.
//
// What changes one slice more than once does so in the order of the host: index vectors are sorted
// by the slice that they point to. A vector that is out of range reads zeros and changes nothing;
// the host looks at them (HostChecks.h).
#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/ElementPositions.h"
#include "compiler/codegen/elements/ElementTypes.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/FlatBuffers.h"
#include "compiler/codegen/gpu/PositionKernel.h"
#include "compiler/codegen/gpu/SortedRuns.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// Index vectors, and the slices to which they point: rows of what has these dims.
class Points {
public:
  // With `areColumns` a vector of indices is many points of one index each.
  Points(Emitter &emitter, Value indices, bool areColumns, ArrayRef<AffineExpr> target)
      : b_(emitter.builder()), indexType_(elementTypeOf(indices)) {
    MLIRContext *context = b_.getContext();
    auto type = cast<RankedTensorType>(indices.getType());
    ArrayRef<AffineExpr> dims = emitter.shapes().dims(indices);
    bool isColumn = areColumns && type.getRank() == 1;
    int64_t depth = isColumn ? 1 : type.getShape().back();
    count = productOf(isColumn ? dims : dims.drop_back(), context);
    rows = productOf(target.take_front(depth), context);
    inner = productOf(target.drop_front(depth), context);
    at_ = flatOperand(emitter, indices, {count, getAffineConstantExpr(depth, context)});
    for (AffineExpr dim : target.take_front(depth))
      sizes_.push_back(emitter.dim(dim));
    used_.push_back(at_);
    llvm::append_range(used_, sizes_);
  }

  AffineExpr count, rows, inner;

  // What kernels use that ask for rows.
  ArrayRef<Value> used() const { return used_; }

  struct Row {
    Value number, isOutside;
  };
  Row rowOf(Value point, IRMapping &inside) {
    Row row{arith::ConstantIndexOp::create(b_, 0), arith::ConstantIntOp::create(b_, 0, 1)};
    for (auto [i, size] : llvm::enumerate(sizes_)) {
      Value along = arith::ConstantIndexOp::create(b_, static_cast<int64_t>(i));
      Value number = memref::LoadOp::create(b_, inside.lookup(at_), ValueRange{point, along});
      Value index = toIndex(b_, number, indexType_), own = inside.lookup(size);
      row.isOutside = arith::OrIOp::create(b_, row.isOutside, isOutside(b_, index, own));
      row.number =
          arith::AddIOp::create(b_, arith::MulIOp::create(b_, row.number, own).getResult(), index);
    }
    return row;
  }

private:
  ImplicitLocOpBuilder &b_;
  Type indexType_;
  Value at_;
  SmallVector<Value> sizes_, used_;
};

// Elements are as they are stored, so that what is only moved keeps its bits.
class Updates {
public:
  Updates(Operation *op, Emitter &emitter)
      : emitter_(emitter), b_(emitter.builder()), input_(dyn_cast<nd::UpdatePointsOp>(op)),
        result_(op->getResult(0)), updates_(op->getOperand(input_ ? 2 : 1)),
        element_(elementTypeOf(result_)), how_(input_ ? input_.getHow() : StringRef("add")),
        points_(emitter, op->getOperand(input_ ? 1 : 0), /*areColumns=*/true,
                emitter.shapes().dims(result_)) {}

  void emit() {
    from_ = flatOperand(emitter_, updates_, {points_.count, points_.inner});
    Value before;
    if (input_)
      before = flatOperand(emitter_, input_.getInput(), {points_.rows, points_.inner});
    to_ = flatResult(emitter_, result_, {points_.rows, points_.inner});
    columns_ = emitter_.dim(points_.inner);
    rows_ = emitter_.dim(points_.rows);
    start(before);
    Value keys = keysOfPoints();
    SortedRuns runs(emitter_, points_.count, {keys}, [&](Value point, IRMapping &inside) -> Value {
      Value key = memref::LoadOp::create(b_, inside.lookup(keys), point);
      return arith::IndexCastOp::create(b_, b_.getIndexType(), key);
    });
    SmallVector<Value> used{from_, to_, rows_};
    llvm::append_range(used, runs.used());
    forEachPositionOnCard(b_, {runs.length(), columns_}, used,
                          [&](ArrayRef<Value> position, IRMapping &inside) {
                            emitRow(runs, position[0], position[1], inside);
                          });
  }

private:
  // The result before any update: the input, or zeros.
  void start(Value before) {
    SmallVector<Value> used{to_};
    if (before)
      used.push_back(before);
    forEachPositionOnCard(
        b_, {rows_, columns_}, used, [&](ArrayRef<Value> position, IRMapping &inside) {
          Type stored = memoryElementType(element_);
          Value element = before
                              ? Value(memref::LoadOp::create(b_, inside.lookup(before), position))
                              : Value(arith::ConstantOp::create(b_, b_.getZeroAttr(stored)));
          memref::StoreOp::create(b_, element, inside.lookup(to_), position);
        });
  }

  // The row of each point; -1 for those that are out of range.
  Value keysOfPoints() {
    Value keys = flatScratch(emitter_, {points_.count}, b_.getI64Type());
    SmallVector<Value> used{keys};
    llvm::append_range(used, points_.used());
    forEachPositionOnCard(
        b_, {emitter_.dim(points_.count)}, used, [&](ArrayRef<Value> point, IRMapping &inside) {
          Points::Row row = points_.rowOf(point[0], inside);
          Value none = arith::ConstantIndexOp::create(b_, -1);
          Value key = arith::SelectOp::create(b_, row.isOutside, none, row.number);
          memref::StoreOp::create(b_, arith::IndexCastOp::create(b_, b_.getI64Type(), key),
                                  inside.lookup(keys), point);
        });
    return keys;
  }

  void emitRow(SortedRuns &runs, Value place, Value column, IRMapping &inside) {
    Value row = runs.keyAt(place, inside);
    Value isValid = arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, row, inside.lookup(rows_));
    Value begins = arith::AndIOp::create(b_, isValid, runs.begins(place, row, inside));
    auto branch = scf::IfOp::create(b_, begins);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    Value there = memref::LoadOp::create(b_, inside.lookup(to_), ValueRange{row, column});
    auto combine = [&](Value present, Value point) {
      Value update = memref::LoadOp::create(b_, inside.lookup(from_), ValueRange{point, column});
      return updated(present, update);
    };
    memref::StoreOp::create(b_, runs.folded(place, row, there, combine, inside), inside.lookup(to_),
                            ValueRange{row, column});
  }

  Value updated(Value present, Value update) {
    if (how_ == "update")
      return update;
    Value x = toComputeType(b_, toRegisterForm(b_, present, element_), element_);
    Value y = toComputeType(b_, toRegisterForm(b_, update, element_), element_);
    if (how_ == "add" || how_ == "sub")
      return toMemoryForm(b_, fromComputeType(b_, sum(x, y), element_));
    // What is there stays unless the other one is beyond it.
    return arith::SelectOp::create(b_, how_ == "max" ? isLess(x, y) : isLess(y, x), update,
                                   present);
  }
  Value sum(Value x, Value y) {
    bool adds = how_ == "add";
    if (isa<FloatType>(x.getType()))
      return adds ? Value(arith::AddFOp::create(b_, x, y)) : Value(arith::SubFOp::create(b_, x, y));
    if (x.getType().isInteger(1)) // as numbers, of which any but 0 is true
      return adds ? Value(arith::OrIOp::create(b_, x, y)) : Value(arith::XOrIOp::create(b_, x, y));
    return adds ? Value(arith::AddIOp::create(b_, x, y)) : Value(arith::SubIOp::create(b_, x, y));
  }
  Value isLess(Value x, Value y) {
    if (isa<FloatType>(x.getType()))
      return arith::CmpFOp::create(b_, arith::CmpFPredicate::OLT, x, y);
    return arith::CmpIOp::create(
        b_, isUnsigned(element_) ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt, x, y);
  }

  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  nd::UpdatePointsOp input_; // null for a scatter_nd
  Value result_, updates_;
  Type element_;
  StringRef how_;
  Points points_;
  Value from_, to_, rows_, columns_;
};

} // namespace

LogicalResult lowerPointsOnCard(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto gather = cast<nd::GatherNdOp>(op);
  Points points(emitter, gather.getIndices(), /*areColumns=*/false,
                emitter.shapes().dims(gather.getParams()));
  Value from = flatOperand(emitter, gather.getParams(), {points.rows, points.inner});
  Value to = flatResult(emitter, gather.getResult(), {points.count, points.inner});
  SmallVector<Value> used{from, to};
  llvm::append_range(used, points.used());
  Value sizes[] = {emitter.dim(points.count), emitter.dim(points.inner)};
  forEachPositionOnCard(b, sizes, used, [&](ArrayRef<Value> position, IRMapping &inside) {
    Points::Row row = points.rowOf(position[0], inside);
    Value element = loadUnless(b, row.isOutside, inside.lookup(from), {row.number, position[1]});
    memref::StoreOp::create(b, element, inside.lookup(to), position);
  });
  return success();
}

LogicalResult lowerUpdatesOnCard(Operation *op, Emitter &emitter) {
  Updates(op, emitter).emit();
  return success();
}

} // namespace sluice::codegen
