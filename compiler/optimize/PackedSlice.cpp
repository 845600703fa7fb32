// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands are looked at behind gates, whose tokens are kept.
#include "compiler/optimize/PackedSlice.h"

#include "dialects/interfaces/KernelOps.h"

using namespace mlir;

namespace sluice::optimize {

using Tokens = llvm::SetVector<Value>;

static Value behindGates(Value value, Tokens &tokens) {
  while (auto gate = value.getDefiningOp<flow::GateOp>()) {
    tokens.insert(gate.getTokens().begin(), gate.getTokens().end());
    value = gate.getValue();
  }
  return value;
}

// The elements of a small constant of integers.
static std::optional<SmallVector<int64_t>> integersOf(Value value, int64_t rank, Tokens &tokens) {
  constexpr int64_t kMost = 8;
  auto constant = behindGates(value, tokens).getDefiningOp<nd::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || elements.getType().getRank() != rank || elements.getNumElements() > kMost)
    return std::nullopt;
  return llvm::map_to_vector(elements, [](const APInt &one) { return one.getSExtValue(); });
}

std::optional<PackedSlice> PackedSlice::of(nd::SliceOp op) {
  PackedSlice slice;
  auto begin = behindGates(op.getBegin(), slice.tokens_).getDefiningOp<nd::PackOp>();
  auto sizes = integersOf(op.getSize(), /*rank=*/1, slice.tokens_);
  if (!begin || !sizes || begin.getAxis() != 0 || begin.getInputs().size() != sizes->size())
    return std::nullopt;
  slice.sizes_ = std::move(*sizes);
  for (Value value : begin.getInputs()) {
    auto scalar = integersOf(value, /*rank=*/0, slice.tokens_);
    slice.begins_.push_back(value);
    slice.zeros_.push_back(scalar && scalar->front() == 0);
  }
  return slice;
}

rt::Shape PackedSlice::shapeFrom(const rt::Shape &input) const {
  bool fits = input.hasRank() && static_cast<size_t>(input.rank()) == sizes_.size();
  rt::Shape result;
  for (auto [axis, size] : llvm::enumerate(sizes_)) {
    bool isWhole = size == -1 && zeros_[axis] && fits;
    int64_t rest = isWhole ? input.dim(static_cast<int>(axis)) : rt::Shape::kUnknown;
    result.append(size >= 0 ? size : rest);
  }
  return result;
}

} // namespace sluice::optimize
