// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on buffers that look at positions: gather, one_hot, and what asks for dims.
#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/BufferViews.h"
#include "compiler/codegen/cpu/ElementPositions.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/shapes/ConstantOperands.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// ---- gather -------------------------------------------------------------------------------------

// Whether one of the indices is out of range.
Value findOutside(Emitter &emitter, Value indices, Value size) {
  ImplicitLocOpBuilder &b = emitter.builder();
  Type elementType = cast<RankedTensorType>(indices.getType()).getElementType();
  Value buffer = emitter.buffer(indices);
  SmallVector<Value> sizes = emitter.dims(indices);
  return anyElement(b, buffer, sizes, [&](Value element) {
    return isOutside(b, toIndex(b, element, elementType), size);
  });
}

class GatherEmitter {
public:
  GatherEmitter(nd::GatherOp op, Emitter &emitter, size_t axis)
      : emitter_(emitter), b_(emitter.builder()), axis_(axis), batch_(batchDimsOf(op)),
        params_(emitter.shapes().dims(op.getParams())),
        indices_(emitter.shapes().dims(op.getIndices())),
        result_(emitter.shapes().dims(op.getResult())),
        indexType_(cast<RankedTensorType>(op.getIndices().getType()).getElementType()),
        from_(emitter.buffer(op.getParams())), at_(emitter.buffer(op.getIndices())),
        to_(emitter.destination(op.getResult())) {}

  void emit() {
    if (axis_ + 1 < params_.size())
      copySlices();
    else
      copyElements();
  }

private:
  // Slices have runs of neighbours: a copy for each index.
  void copySlices() {
    SmallVector<Value> sizes =
        llvm::map_to_vector(indices_, [&](AffineExpr dim) { return emitter_.dim(dim); });
    forEachPosition(b_, sizes, [&](ValueRange position) {
      Value index = toIndex(b_, memref::LoadOp::create(b_, at_, position), indexType_);
      ValueRange batch = position.take_front(batch_), rest = position.drop_front(batch_);
      copyBuffer(b_, slice(from_, params_, batch, index), slice(to_, result_, batch, rest));
    });
  }

  // What lies at `batch` of the first dims and at `position` of the dims from the axis on.
  Value slice(Value buffer, ArrayRef<AffineExpr> dims, ValueRange batch, ValueRange position) {
    Box box;
    for (AffineExpr dim : dims)
      box.addWhole(b_, foldedDim(emitter_, dim));
    for (auto [first, indices] : {std::pair(size_t{0}, batch), std::pair(axis_, position)})
      for (auto [i, index] : llvm::enumerate(indices)) {
        box.offsets[first + i] = index;
        box.sizes[first + i] = b_.getIndexAttr(1);
        box.keeps[first + i] = false;
      }
    return viewOf(b_, buffer, box);
  }

  void copyElements() {
    unsigned rank = static_cast<unsigned>(result_.size());
    SmallVector<AffineExpr> map;
    for (size_t i = 0; i < indices_.size(); ++i)
      map.push_back(b_.getAffineDimExpr(i < batch_ ? i : axis_ - batch_ + i));
    buildGeneric(b_, rank, {{at_, AffineMap::get(rank, 0, map, b_.getContext())}},
                 {{to_, b_.getMultiDimIdentityMap(rank)}}, [&](ValueRange elements) {
                   SmallVector<Value> position;
                   for (size_t d = 0; d < axis_; ++d)
                     position.push_back(linalg::IndexOp::create(b_, d));
                   position.push_back(toIndex(b_, elements[0], indexType_));
                   return SmallVector<Value>{memref::LoadOp::create(b_, from_, position)};
                 });
  }

  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  size_t axis_, batch_;
  ArrayRef<AffineExpr> params_, indices_, result_;
  Type indexType_;
  Value from_, at_, to_;
};

LogicalResult lowerGather(Operation *op, Emitter &emitter) {
  auto gather = cast<nd::GatherOp>(op);
  ArrayRef<AffineExpr> params = emitter.shapes().dims(gather.getParams());
  size_t axis = *constantAxis(gather.getAxis(), params.size());
  ImplicitLocOpBuilder &b = emitter.builder();
  Value bad = findOutside(emitter, gather.getIndices(), emitter.dim(params[axis]));
  emitter.failIf(bad, FailureReason::kReadOutside, op);
  GatherEmitter gathering(gather, emitter, axis); // makes room for the result
  if (emitter.mayBail()) {
    gathering.emit();
    return success();
  }
  auto branch = scf::IfOp::create(b, negated(b, bad));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  gathering.emit();
  return success();
}

// ---- one_hot ------------------------------------------------------------------------------------

LogicalResult lowerOneHot(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto oneHot = cast<nd::OneHotOp>(op);
  Value indices = emitter.buffer(oneHot.getIndices()), to = emitter.destination(oneHot.getResult());
  unsigned rank = static_cast<unsigned>(cast<MemRefType>(to.getType()).getRank());
  auto given = static_cast<int64_t>(oneHot.getAxis());
  unsigned axis = given == -1 ? rank - 1 : static_cast<unsigned>(given);
  SmallVector<AffineExpr> from;
  for (unsigned d = 0; d < rank; ++d)
    if (d != axis)
      from.push_back(b.getAffineDimExpr(d));
  AffineMap none = AffineMap::get(rank, 0, b.getContext());
  GenericOperand inputs[] = {{indices, AffineMap::get(rank, 0, from, b.getContext())},
                             {toMemoryForm(b, emitter.inRegister(oneHot.getOnValue())), none},
                             {toMemoryForm(b, emitter.inRegister(oneHot.getOffValue())), none}};
  Type elementType = cast<RankedTensorType>(oneHot.getIndices().getType()).getElementType();
  buildGeneric(b, rank, inputs, {{to, b.getMultiDimIdentityMap(rank)}}, [&](ValueRange elements) {
    Value position = linalg::IndexOp::create(b, axis);
    Value isHot = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                        toIndex(b, elements[0], elementType), position);
    return SmallVector<Value>{arith::SelectOp::create(b, isHot, elements[1], elements[2])};
  });
  return success();
}

// ---- Dims as values -----------------------------------------------------------------------------

Value toNumber(ImplicitLocOpBuilder &b, Value index, Type elementType) {
  return arith::IndexCastOp::create(b, registerElementType(elementType), index);
}

// The numbers become the elements of the result.
LogicalResult defineNumbers(Emitter &emitter, Value result, ArrayRef<Value> indices) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<Value> numbers;
  for (Value index : indices)
    numbers.push_back(toNumber(b, index, type.getElementType()));
  if (!isInRegister(type)) { // no elements, or very many
    Value to = emitter.destination(result);
    for (auto [i, number] : llvm::enumerate(numbers))
      memref::StoreOp::create(b, number, to, ValueRange{arith::ConstantIndexOp::create(b, i)});
    return success();
  }
  Type inRegister = registerTypeOf(type);
  emitter.define(
      result, isa<VectorType>(inRegister)
                  ? Value(vector::FromElementsOp::create(b, cast<VectorType>(inRegister), numbers))
                  : numbers.front());
  return success();
}

LogicalResult lowerShape(Operation *op, Emitter &emitter) {
  return defineNumbers(emitter, op->getResult(0), emitter.dims(op->getOperand(0)));
}

LogicalResult lowerRank(Operation *op, Emitter &emitter) {
  auto rank = static_cast<int64_t>(emitter.shapes().dims(op->getOperand(0)).size());
  return defineNumbers(emitter, op->getResult(0),
                       {arith::ConstantIndexOp::create(emitter.builder(), rank)});
}

LogicalResult lowerSize(Operation *op, Emitter &emitter) {
  AffineExpr size = getAffineConstantExpr(1, op->getContext());
  for (AffineExpr dim : emitter.shapes().dims(op->getOperand(0)))
    size = size * dim;
  return defineNumbers(emitter, op->getResult(0), {emitter.dim(size)});
}

} // namespace

template <> LogicalResult lower(nd::GatherOp op, Emitter &emitter) {
  return lowerGather(op, emitter);
}
template <> LogicalResult lower(nd::OneHotOp op, Emitter &emitter) {
  return lowerOneHot(op, emitter);
}
template <> LogicalResult lower(nd::ShapeOp op, Emitter &emitter) {
  return lowerShape(op, emitter);
}
template <> LogicalResult lower(nd::RankOp op, Emitter &emitter) { return lowerRank(op, emitter); }
template <> LogicalResult lower(nd::SizeOp op, Emitter &emitter) { return lowerSize(op, emitter); }

} // namespace sluice::codegen
