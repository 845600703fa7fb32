// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that are constants: axes, permutations, bounds of slices.
#include "compiler/codegen/shapes/ConstantOperands.h"

#include "dialects/interfaces/KernelOps.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::codegen {

std::optional<SmallVector<int64_t>> constantInts(Value value) {
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  if (!constant || !isa<IntegerType>(constant.getValue().getElementType()))
    return std::nullopt;
  rt::Result<rt::Tensor> tensor = tensorOf(constant.getValue());
  if (!tensor.ok())
    return std::nullopt;
  SmallVector<int64_t> result;
  for (int64_t i = 0; i < tensor->elements(); ++i)
    result.push_back(tensor->asInt(i));
  return result;
}

std::optional<int64_t> constantInt(Value value) {
  auto all = constantInts(value);
  return all && all->size() == 1 ? std::optional(all->front()) : std::nullopt;
}

std::optional<int64_t> normalizedAxis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  return axis < 0 ? axis + rank : axis;
}

std::optional<int64_t> constantAxis(Value value, int64_t rank) {
  std::optional<int64_t> axis = constantInt(value);
  return axis ? normalizedAxis(*axis, rank) : std::nullopt;
}

size_t batchDimsOf(nd::GatherOp gather) {
  auto given = static_cast<int64_t>(gather.getBatchDims());
  int64_t rank = cast<RankedTensorType>(gather.getIndices().getType()).getRank();
  return static_cast<size_t>(given < 0 ? given + rank : given);
}

std::optional<SmallVector<bool>> constantAxisSet(Value value, int64_t rank) {
  auto axes = constantInts(value);
  if (!axes)
    return std::nullopt;
  SmallVector<bool> set(rank, false);
  for (int64_t given : *axes) {
    std::optional<int64_t> axis = normalizedAxis(given, rank);
    if (!axis || set[*axis])
      return std::nullopt;
    set[*axis] = true;
  }
  return set;
}

} // namespace sluice::codegen
