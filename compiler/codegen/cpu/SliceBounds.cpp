// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of a tensor nd.slice and nd.strided_slice take, as expressions of its dims.
#include "compiler/codegen/cpu/SliceBounds.h"

#include "compiler/codegen/cpu/ConstantOperands.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

bool has(int64_t mask, size_t entry) { return entry < 64 && (mask >> entry & 1); }

// Takes the box dim after dim.
class Slicer {
public:
  Slicer(MLIRContext *context, ArrayRef<AffineExpr> dims) : context_(context), dims_(dims) {}

  bool isDone() const { return bounds.begins.size() == dims_.size(); }
  AffineExpr constant(int64_t value) { return getAffineConstantExpr(value, context_); }
  AffineExpr dim() { return dims_[bounds.begins.size()]; }

  void take(AffineExpr begin, AffineExpr size, int64_t step, bool isKept) {
    if (isKept) {
      bounds.from.push_back(bounds.begins.size());
      bounds.resultDims.push_back(size);
    }
    bounds.begins.push_back(begin);
    bounds.sizes.push_back(size);
    bounds.steps.push_back(step);
  }
  void takeWhole() { take(constant(0), dim(), 1, true); }
  void addNew() {
    bounds.from.push_back(-1);
    bounds.resultDims.push_back(constant(1));
  }

  // A bound of a range with a positive step, clamped to the dim. Of a dim that is not known, it is
  // assumed (by a guard) that nothing has to be clamped.
  AffineExpr bound(int64_t value) {
    AffineExpr size = dim();
    if (auto known = dyn_cast<AffineConstantExpr>(size))
      return constant(
          std::clamp<int64_t>(value < 0 ? value + known.getValue() : value, 0, known.getValue()));
    AffineExpr result = value < 0 ? size + value : constant(value);
    bounds.notNegative.push_back(value < 0 ? result : size - value);
    return result;
  }

  LogicalResult takeIndex(int64_t index, int64_t step) {
    auto known = dyn_cast<AffineConstantExpr>(dim());
    if (step <= 0)
      return failure();
    AffineExpr begin = index < 0 ? dim() + index : constant(index);
    bounds.notNegative.push_back(begin);
    bounds.notNegative.push_back(dim() - begin - 1);
    if (known && (index < -known.getValue() || index >= known.getValue()))
      return failure();
    take(begin, constant(1), 1, false);
    return success();
  }

  LogicalResult takeRange(std::optional<int64_t> begin, std::optional<int64_t> end, int64_t step) {
    if (step == 0)
      return failure();
    if (step < 0)
      return takeBackwards(begin, end, step);
    AffineExpr first = begin ? bound(*begin) : constant(0);
    AffineExpr length = (end ? bound(*end) : dim()) - first;
    if (auto known = dyn_cast<AffineConstantExpr>(length))
      length = constant(std::max<int64_t>(0, known.getValue()));
    else
      bounds.notNegative.push_back(length);
    take(first, step == 1 ? length : (length + (step - 1)).floorDiv(step), step, true);
    return success();
  }

private:
  LogicalResult takeBackwards(std::optional<int64_t> begin, std::optional<int64_t> end,
                              int64_t step) {
    auto known = dyn_cast<AffineConstantExpr>(dim());
    if (!known) {
      if (begin || end || step != -1)
        return failure();
      take(dim() - 1, dim(), -1, true);
      return success();
    }
    int64_t size = known.getValue();
    auto clamped = [&](int64_t x) {
      return std::clamp<int64_t>(x < 0 ? x + size : x, -1, size - 1);
    };
    int64_t first = begin ? clamped(*begin) : size - 1, last = end ? clamped(*end) : -1;
    int64_t count = first > last ? (first - last - step - 1) / -step : 0;
    take(constant(count ? first : 0), constant(count), step, true);
    return success();
  }

  MLIRContext *context_;
  ArrayRef<AffineExpr> dims_;

public:
  SliceBounds bounds;
};

FailureOr<SliceBounds> boundsOf(nd::SliceOp op, ArrayRef<AffineExpr> dims) {
  auto begins = constantInts(op.getBegin()), sizes = constantInts(op.getSize());
  if (!begins || !sizes || begins->size() != dims.size() || sizes->size() != dims.size())
    return failure();
  Slicer slicer(op.getContext(), dims);
  for (auto [begin, size] : llvm::zip_equal(*begins, *sizes)) {
    if (begin < 0 || size < -1)
      return failure();
    AffineExpr rest = slicer.dim() - begin;
    slicer.bounds.notNegative.push_back(size == -1 ? rest : rest - size);
    slicer.take(slicer.constant(begin), size == -1 ? rest : slicer.constant(size), 1, true);
  }
  return std::move(slicer.bounds);
}

FailureOr<SliceBounds> boundsOf(nd::StridedSliceOp op, ArrayRef<AffineExpr> dims) {
  auto begins = constantInts(op.getBegin()), ends = constantInts(op.getEnd());
  auto steps = constantInts(op.getStrides());
  if (!begins || !ends || !steps || begins->size() != ends->size() ||
      begins->size() != steps->size())
    return failure();
  size_t entries = begins->size(), named = 0, ellipsis = entries;
  for (size_t i = 0; i < entries; ++i) {
    if (has(op.getEllipsisMask(), i))
      ellipsis = i;
    else if (!has(op.getNewAxisMask(), i))
      ++named;
  }
  if (named > dims.size())
    return failure();
  Slicer slicer(op.getContext(), dims);
  for (size_t i = 0; i <= entries; ++i) {
    if (i == ellipsis)
      for (size_t rest = dims.size() - named; rest > 0; --rest)
        slicer.takeWhole();
    if (i == ellipsis || i == entries)
      continue;
    auto open = [&](int64_t mask, int64_t value) {
      return has(mask, i) ? std::nullopt : std::optional(value);
    };
    if (has(op.getNewAxisMask(), i))
      slicer.addNew();
    else if (failed(has(op.getShrinkAxisMask(), i)
                        ? slicer.takeIndex((*begins)[i], (*steps)[i])
                        : slicer.takeRange(open(op.getBeginMask(), (*begins)[i]),
                                           open(op.getEndMask(), (*ends)[i]), (*steps)[i])))
      return failure();
  }
  return std::move(slicer.bounds);
}

} // namespace

FailureOr<SliceBounds> sliceBounds(Operation *op, ArrayRef<AffineExpr> dims) {
  if (auto slice = dyn_cast<nd::SliceOp>(op))
    return boundsOf(slice, dims);
  return boundsOf(cast<nd::StridedSliceOp>(op), dims);
}

} // namespace sluice::codegen
