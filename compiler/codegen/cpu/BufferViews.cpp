// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops whose result is the operand's memory under other dims and strides: reshapes, transposes,
// slices, splits.
#include "compiler/codegen/cpu/BufferViews.h"

#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/shapes/ConstantOperands.h"
#include "compiler/codegen/shapes/SliceBounds.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace sluice::codegen {

OpFoldResult foldedDim(Emitter &emitter, AffineExpr dim) {
  if (auto constant = dyn_cast<AffineConstantExpr>(dim))
    return emitter.builder().getIndexAttr(constant.getValue());
  return emitter.dim(dim);
}

// Sums and products of which known parts stay known.
static OpFoldResult combine(ImplicitLocOpBuilder &b, OpFoldResult x, OpFoldResult y, bool isSum) {
  std::optional<int64_t> left = getConstantIntValue(x), right = getConstantIntValue(y);
  if (left && right)
    return b.getIndexAttr(isSum ? *left + *right : *left * *right);
  Value a = getValueOrCreateConstantIndexOp(b, b.getLoc(), x);
  Value c = getValueOrCreateConstantIndexOp(b, b.getLoc(), y);
  return isSum ? b.createOrFold<arith::AddIOp>(a, c) : b.createOrFold<arith::MulIOp>(a, c);
}

namespace {

// Where the elements of a buffer lie.
struct Strided {
  Value base;
  OpFoldResult offset;
  SmallVector<OpFoldResult> strides;

  Strided(ImplicitLocOpBuilder &b, Value source) {
    auto [knownStrides, knownOffset] = cast<MemRefType>(source.getType()).getStridesAndOffset();
    auto metadata = memref::ExtractStridedMetadataOp::create(b, source);
    auto folded = [&](int64_t known, Value value) -> OpFoldResult {
      return ShapedType::isDynamic(known) ? OpFoldResult(value) : b.getIndexAttr(known);
    };
    base = metadata.getBaseBuffer();
    offset = folded(knownOffset, metadata.getOffset());
    for (auto [known, value] : llvm::zip_equal(knownStrides, metadata.getStrides()))
      strides.push_back(folded(known, value));
  }

  Value withSizes(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes) const {
    Type element = cast<MemRefType>(base.getType()).getElementType();
    auto layout = StridedLayoutAttr::get(b.getContext(), decomposeMixedValues({offset}).first[0],
                                         decomposeMixedValues(strides).first);
    auto type = MemRefType::get(decomposeMixedValues(SmallVector<OpFoldResult>(sizes)).first,
                                element, layout);
    return memref::ReinterpretCastOp::create(b, type, base, offset, sizes, strides);
  }
};

} // namespace

Value viewOf(ImplicitLocOpBuilder &b, Value source, const Box &box) {
  Strided memory(b, source);
  SmallVector<OpFoldResult> sizes, steps;
  for (auto [d, stride] : llvm::enumerate(memory.strides)) {
    OpFoldResult begin = combine(b, box.offsets[d], stride, false);
    memory.offset = combine(b, memory.offset, begin, true);
    if (!box.keeps[d])
      continue;
    sizes.push_back(box.sizes[d]);
    steps.push_back(combine(b, stride, b.getIndexAttr(box.steps[d]), false));
  }
  memory.strides = std::move(steps);
  return memory.withSizes(b, sizes);
}

// All of a buffer with these dims.
static Box wholeBox(Emitter &emitter, ArrayRef<AffineExpr> dims) {
  Box box;
  for (AffineExpr dim : dims)
    box.addWhole(emitter.builder(), foldedDim(emitter, dim));
  return box;
}

void forSections(Emitter &emitter, Value whole, Value buffer, ValueRange parts, int64_t axis,
                 UsePart use) {
  ArrayRef<AffineExpr> dims = emitter.shapes().dims(whole);
  AffineExpr offset = getAffineConstantExpr(0, whole.getContext());
  for (Value part : parts) {
    AffineExpr size = emitter.shapes().dims(part)[axis];
    Box box = wholeBox(emitter, dims);
    box.offsets[axis] = foldedDim(emitter, offset);
    box.sizes[axis] = foldedDim(emitter, size);
    use(part, viewOf(emitter.builder(), buffer, box));
    offset = offset + size;
  }
}

void forSlots(Emitter &emitter, Value whole, Value buffer, ValueRange parts, int64_t axis,
              UsePart use) {
  ImplicitLocOpBuilder &b = emitter.builder();
  for (auto [i, part] : llvm::enumerate(parts)) {
    Box box = wholeBox(emitter, emitter.shapes().dims(whole));
    box.offsets[axis] = b.getIndexAttr(static_cast<int64_t>(i));
    box.sizes[axis] = b.getIndexAttr(1);
    box.keeps[axis] = false;
    use(part, viewOf(b, buffer, box));
  }
}

Value contiguousBuffer(Emitter &emitter, Value value) {
  Value buffer = emitter.buffer(value);
  auto type = cast<MemRefType>(buffer.getType());
  if (type.areTrailingDimsContiguous(type.getRank()))
    return buffer;
  Value copy = emitter.allocate(value);
  copyBuffer(emitter.builder(), buffer, copy);
  return copy;
}

namespace {

// Results held in registers are copied to memory of their own, from where they are loaded.
void defineView(Emitter &emitter, Value result, Value view) {
  auto type = cast<RankedTensorType>(result.getType());
  if (isInRegister(type))
    copyBuffer(emitter.builder(), view, emitter.destination(result));
  else
    emitter.define(result, Held(type, view));
}

LogicalResult lowerReshape(Operation *op, Emitter &emitter) {
  Value result = op->getResult(0), source = contiguousBuffer(emitter, op->getOperand(0));
  MemRefType type = bufferTypeOf(cast<RankedTensorType>(result.getType()));
  defineView(emitter, result,
             emitter.memrefAt(emitter.pointerTo(source), type, emitter.dims(result)));
  return success();
}

LogicalResult lowerSame(Operation *op, Emitter &emitter) {
  defineView(emitter, op->getResult(0), emitter.buffer(op->getOperand(0)));
  return success();
}

LogicalResult lowerTranspose(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto permutation = constantInts(op->getOperand(1));
  Value source = emitter.buffer(op->getOperand(0));
  auto rank = cast<MemRefType>(source.getType()).getRank();
  SmallVector<AffineExpr> from;
  for (int64_t given : *permutation)
    from.push_back(b.getAffineDimExpr(*normalizedAxis(given, rank)));
  AffineMap map = AffineMap::get(rank, 0, from, b.getContext());
  defineView(emitter, op->getResult(0),
             memref::TransposeOp::create(b, source, AffineMapAttr::get(map)));
  return success();
}

// ---- Slices -------------------------------------------------------------------------------------

// A view without the dims that are dropped. New dims are put in by the caller.
Value boxOf(Emitter &emitter, Value source, const SliceBounds &bounds) {
  Box box;
  for (auto [d, begin] : llvm::enumerate(bounds.begins)) {
    box.offsets.push_back(foldedDim(emitter, begin));
    box.sizes.push_back(foldedDim(emitter, bounds.sizes[d]));
    box.steps.push_back(bounds.steps[d]);
    box.keeps.push_back(llvm::is_contained(bounds.from, static_cast<int64_t>(d)));
  }
  return viewOf(emitter.builder(), source, box);
}

// Element by element, for boxes that are walked backwards or get new dims.
void copyBox(Emitter &emitter, Value source, const SliceBounds &bounds, Value to) {
  ImplicitLocOpBuilder &b = emitter.builder();
  unsigned rank = static_cast<unsigned>(bounds.from.size());
  SmallVector<Value> begins =
      llvm::map_to_vector(bounds.begins, [&](AffineExpr begin) { return emitter.dim(begin); });
  buildGeneric(b, rank, {}, {{to, b.getMultiDimIdentityMap(rank)}}, [&](ValueRange) {
    SmallVector<Value> indices(begins);
    for (auto [position, dim] : llvm::enumerate(bounds.from)) {
      if (dim < 0)
        continue;
      Value index = linalg::IndexOp::create(b, position);
      Value step = arith::ConstantIndexOp::create(b, bounds.steps[dim]);
      indices[dim] = arith::AddIOp::create(b, begins[dim], arith::MulIOp::create(b, index, step));
    }
    return SmallVector<Value>{memref::LoadOp::create(b, source, indices)};
  });
}

LogicalResult lowerSlice(Operation *op, Emitter &emitter) {
  Value input = op->getOperand(0), result = op->getResult(0), source = emitter.buffer(input);
  const ShapeSymbols &shapes = emitter.shapes();
  SliceBounds bounds = sliceBounds(op, shapes.dims(input), shapes.dims(result));
  bool isView = llvm::all_of(bounds.steps, [](int64_t step) { return step > 0; }) &&
                !llvm::is_contained(bounds.from, -1);
  if (isView)
    defineView(emitter, result, boxOf(emitter, source, bounds));
  else
    copyBox(emitter, source, bounds, emitter.destination(result));
  return success();
}

LogicalResult lowerReverse(Operation *op, Emitter &emitter) {
  Value input = op->getOperand(0);
  ArrayRef<AffineExpr> dims = emitter.shapes().dims(input);
  auto axes = constantAxisSet(op->getOperand(1), dims.size());
  MLIRContext *context = op->getContext();
  SliceBounds bounds;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    bounds.begins.push_back((*axes)[i] ? dim - 1 : getAffineConstantExpr(0, context));
    bounds.steps.push_back((*axes)[i] ? -1 : 1);
    bounds.from.push_back(i);
  }
  copyBox(emitter, emitter.buffer(input), bounds, emitter.destination(op->getResult(0)));
  return success();
}

// ---- Parts --------------------------------------------------------------------------------------

LogicalResult lowerSplit(Operation *op, Emitter &emitter) {
  Value input = op->getOperand(0), source = emitter.buffer(input);
  int64_t axis = *constantAxis(op->getOperands().back(), emitter.shapes().dims(input).size());
  forSections(emitter, input, source, op->getResults(), axis,
              [&](Value result, Value view) { defineView(emitter, result, view); });
  return success();
}

LogicalResult lowerUnpack(Operation *op, Emitter &emitter) {
  Value input = op->getOperand(0), source = emitter.buffer(input);
  int64_t axis =
      *normalizedAxis(cast<nd::UnpackOp>(op).getAxis(), emitter.shapes().dims(input).size());
  forSlots(emitter, input, source, op->getResults(), axis,
           [&](Value result, Value view) { defineView(emitter, result, view); });
  return success();
}

} // namespace

template <> LogicalResult lower(nd::ReshapeOp op, Emitter &emitter) {
  return lowerReshape(op, emitter);
}
template <> LogicalResult lower(nd::ExpandDimsOp op, Emitter &emitter) {
  return lowerReshape(op, emitter);
}
template <> LogicalResult lower(nd::SqueezeOp op, Emitter &emitter) {
  return lowerReshape(op, emitter);
}
template <> LogicalResult lower(nd::StopGradientOp op, Emitter &emitter) {
  return lowerSame(op, emitter);
}
template <> LogicalResult lower(nd::MatchShapeOp op, Emitter &emitter) {
  return lowerSame(op, emitter);
}
template <> LogicalResult lower(nd::AssumeShapeOp op, Emitter &emitter) {
  return lowerSame(op, emitter);
}
template <> LogicalResult lower(nd::TransposeOp op, Emitter &emitter) {
  return lowerTranspose(op, emitter);
}
template <> LogicalResult lower(nd::SliceOp op, Emitter &emitter) {
  return lowerSlice(op, emitter);
}
template <> LogicalResult lower(nd::StridedSliceOp op, Emitter &emitter) {
  return lowerSlice(op, emitter);
}
template <> LogicalResult lower(nd::ReverseOp op, Emitter &emitter) {
  return lowerReverse(op, emitter);
}
template <> LogicalResult lower(nd::SplitOp op, Emitter &emitter) {
  return lowerSplit(op, emitter);
}
template <> LogicalResult lower(nd::SplitVOp op, Emitter &emitter) {
  return lowerSplit(op, emitter);
}
template <> LogicalResult lower(nd::UnpackOp op, Emitter &emitter) {
  return lowerUnpack(op, emitter);
}

} // namespace sluice::codegen
