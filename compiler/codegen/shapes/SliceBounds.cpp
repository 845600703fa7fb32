// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of a tensor a slice takes: as its kernel resolves it, with expressions for dims.
#include "compiler/codegen/shapes/SliceBounds.h"

#include "compiler/codegen/shapes/ConstantOperands.h"
#include "compiler/codegen/shapes/DimRules.h"
#include "dialects/interfaces/ResultShapes.h"
#include "dialects/nd/Nd.h"
#include "runtime/kernels/slicing.h"

using namespace mlir;

namespace sluice::codegen {

static SliceBounds boundsOf(nd::SliceOp op, ArrayRef<AffineExpr> resultDims) {
  SliceBounds bounds;
  for (auto [dim, begin] : llvm::enumerate(*constantInts(op.getBegin()))) {
    bounds.begins.push_back(getAffineConstantExpr(begin, op.getContext()));
    bounds.sizes.push_back(resultDims[dim]);
    bounds.steps.push_back(1);
    bounds.from.push_back(static_cast<int64_t>(dim));
  }
  return bounds;
}

static SliceBounds boundsOf(nd::StridedSliceOp op, ArrayRef<AffineExpr> dims) {
  DimAlgebra algebra(op.getContext()); // what must hold is known already
  SmallConstants constants(op);
  const TensorPointers &values = constants.values();
  rt::SliceRequest request{values[1]->shape(),
                           values[2]->shape(),
                           values[3]->shape(),
                           values[1],
                           values[2],
                           values[3],
                           {op.getBeginMask(), op.getEndMask(), op.getEllipsisMask(),
                            op.getNewAxisMask(), op.getShrinkAxisMask()},
                           rt::Sizes(&algebra)};
  rt::ResolvedSlice slice;
  [[maybe_unused]] rt::Status status = resolveSlice(algebra.shapeOf(dims), request, slice);
  assert(status.ok() && "expected a slice that its shape rule admits");
  SliceBounds bounds;
  for (size_t d = 0; d < dims.size(); ++d) {
    bounds.begins.push_back(algebra.dimOf(slice.begins[d]));
    bounds.sizes.push_back(algebra.dimOf(slice.sizes[d]));
    bounds.steps.push_back(slice.steps[d]);
  }
  bounds.from.assign(slice.from, slice.from + slice.result.rank());
  return bounds;
}

SliceBounds sliceBounds(Operation *op, ArrayRef<AffineExpr> dims, ArrayRef<AffineExpr> resultDims) {
  if (auto slice = dyn_cast<nd::SliceOp>(op))
    return boundsOf(slice, resultDims);
  return boundsOf(cast<nd::StridedSliceOp>(op), dims);
}

} // namespace sluice::codegen
