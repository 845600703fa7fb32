// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a linalg.generic iterates over, with neighbouring dims joined where every operand allows it.
#include "compiler/codegen/plan/IterationSpace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace sluice::codegen {

bool Access::isContiguousAlong(int64_t loop) const {
  if (!isBuffer() || dims.empty() || dims.back() != loop || llvm::count(dims, loop) != 1)
    return false;
  return cast<MemRefType>(buffer.getType()).areTrailingDimsContiguous(1);
}

// Position by position: a loop, or the constant 0.
static LogicalResult readMap(AffineMap map, SmallVectorImpl<int64_t> &dims) {
  for (AffineExpr result : map.getResults()) {
    auto constant = dyn_cast<AffineConstantExpr>(result);
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      dims.push_back(dim.getPosition());
    else if (constant && constant.getValue() == 0)
      dims.push_back(-1);
    else
      return failure();
  }
  return success();
}

FailureOr<IterationSpace> IterationSpace::of(linalg::GenericOp op) {
  if (op.getNumParallelLoops() != op.getNumLoops() || !op.hasPureBufferSemantics())
    return failure();
  IterationSpace space;
  space.numInputs_ = op.getNumDpsInputs();
  space.sizes_.assign(op.getNumLoops(), ShapedType::kDynamic);
  for (OpOperand &operand : op->getOpOperands()) {
    Access access{operand.get(), {}};
    if (failed(readMap(op.getMatchingIndexingMap(&operand), access.dims)))
      return failure();
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    for (auto [position, loop] : llvm::enumerate(access.dims))
      if (loop >= 0 && !type.isDynamicDim(position))
        space.sizes_[loop] = type.getDimSize(position);
    space.accesses_.push_back(std::move(access));
  }
  return space;
}

Value IterationSpace::size(ImplicitLocOpBuilder &b, int64_t loop) const {
  if (!ShapedType::isDynamic(sizes_[loop]))
    return arith::ConstantIndexOp::create(b, sizes_[loop]);
  for (const Access &access : llvm::reverse(accesses_)) // outputs first: they are what runs
    for (auto [position, used] : llvm::enumerate(access.dims))
      if (used == loop)
        return b.createOrFold<memref::DimOp>(access.buffer, position);
  llvm_unreachable("every loop indexes an operand");
}

// The dims of a buffer with those at `position` and behind it as one group.
static SmallVector<ReassociationIndices> joinedAt(size_t rank, size_t position) {
  SmallVector<ReassociationIndices> groups;
  for (size_t i = 0; i < rank; ++i)
    if (i == position + 1)
      groups.back().push_back(i);
    else
      groups.push_back({static_cast<int64_t>(i)});
  return groups;
}

bool IterationSpace::canJoin(int64_t loop) const {
  return llvm::all_of(accesses_, [&](const Access &access) {
    if (!access.uses(loop) && !access.uses(loop + 1))
      return true;
    if (llvm::count(access.dims, loop) != 1 || llvm::count(access.dims, loop + 1) != 1)
      return false;
    size_t position = llvm::find(access.dims, loop) - access.dims.begin();
    return position + 1 < access.dims.size() && access.dims[position + 1] == loop + 1 &&
           memref::CollapseShapeOp::isGuaranteedCollapsible(
               cast<MemRefType>(access.buffer.getType()), joinedAt(access.dims.size(), position));
  });
}

void IterationSpace::join(ImplicitLocOpBuilder &b, int64_t loop) {
  for (Access &access : accesses_) {
    if (access.uses(loop)) {
      size_t position = llvm::find(access.dims, loop) - access.dims.begin();
      access.buffer =
          memref::CollapseShapeOp::create(b, access.buffer, joinedAt(access.dims.size(), position));
      access.dims.erase(access.dims.begin() + position + 1);
    }
    for (int64_t &dim : access.dims)
      if (dim > loop)
        --dim;
  }
  bool known = !ShapedType::isDynamic(sizes_[loop]) && !ShapedType::isDynamic(sizes_[loop + 1]);
  sizes_[loop] = known ? sizes_[loop] * sizes_[loop + 1] : ShapedType::kDynamic;
  sizes_.erase(sizes_.begin() + loop + 1);
  collapsed_ = true;
}

void IterationSpace::collapse(ImplicitLocOpBuilder &b) {
  for (int64_t loop = rank() - 2; loop >= 0; --loop)
    if (canJoin(loop))
      join(b, loop);
}

} // namespace sluice::codegen
