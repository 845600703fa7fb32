// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-slices-to-rows: slices of one row, which begin at an index and take the rest whole.
//
// That is how x[i] comes from front ends. Where it begins is a vector of which only the first
// element is not known, too little for shape inference to see that the other dims stay.
#include "compiler/optimize/Passes.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/wire/Steering.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZESLICESTOROWS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

using Tokens = llvm::SetVector<Value>;

// What is behind gates, whose tokens somebody else has to wait for then.
Value behindGates(Value value, Tokens &tokens) {
  while (auto gate = value.getDefiningOp<flow::GateOp>()) {
    tokens.insert(gate.getTokens().begin(), gate.getTokens().end());
    value = gate.getValue();
  }
  return value;
}

// The elements of a constant of integers.
std::optional<SmallVector<int64_t>> integersOf(Value value, Tokens &tokens) {
  value = behindGates(value, tokens);
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || elements.getNumElements() > 8)
    return std::nullopt;
  return llvm::map_to_vector(elements, [](const APInt &one) { return one.getSExtValue(); });
}

bool isZero(Value value, Tokens &tokens) {
  auto elements = integersOf(value, tokens);
  return elements && elements->size() == 1 && elements->front() == 0;
}

// The index of the row, and what it has to wait for besides; null if the slice is another one.
Value rowIndexOf(nd::SliceOp slice, Tokens &tokens) {
  auto begin = behindGates(slice.getBegin(), tokens).getDefiningOp<nd::PackOp>();
  auto sizes = integersOf(slice.getSize(), tokens);
  auto input = dyn_cast<RankedTensorType>(slice.getInput().getType());
  if (!begin || !sizes || begin.getAxis() != 0 || begin.getInputs().size() != sizes->size() ||
      sizes->empty() || sizes->front() != 1)
    return nullptr;
  if (input && static_cast<size_t>(input.getRank()) != sizes->size())
    return nullptr;
  for (auto [axis, size] : llvm::enumerate(*sizes)) {
    bool isWhole = size == -1 || (input && input.getDimSize(static_cast<unsigned>(axis)) == size);
    if (axis > 0 && !(isWhole && isZero(begin.getInputs()[axis], tokens)))
      return nullptr;
  }
  return begin.getInputs().front();
}

struct SlicesToRows : optimize::impl::OptimizeSlicesToRowsBase<SlicesToRows> {
  void runOnOperation() override {
    for (auto slice : llvm::make_early_inc_range(getOperation().getBody().getOps<nd::SliceOp>()))
      if (Tokens tokens; Value index = rowIndexOf(slice, tokens))
        replace(slice, index, tokens.getArrayRef());
  }

  void replace(nd::SliceOp slice, Value index, ValueRange tokens) {
    OpBuilder b(slice);
    Location loc = slice.getLoc();
    if (!tokens.empty())
      index = flow::GateOp::create(b, loc, index.getType(), index, tokens);
    Type element = cast<TensorType>(slice.getType()).getElementType();
    DictionaryAttr wishes = wire::wishesOf(slice);
    Value row =
        nd::RowOp::create(b, loc, UnrankedTensorType::get(element), slice.getInput(), index);
    ElementsAttr first = attributeOf(b.getContext(), rt::Tensor::scalar(int32_t(0)));
    Value axis = nd::ConstantOp::create(b, loc, first.getShapedType(), first);
    auto result = nd::ExpandDimsOp::create(b, loc, slice.getType(), row, axis);
    wire::giveWishes(row.getDefiningOp(), wishes);
    wire::giveWishes(result, wishes);
    slice.getResult().replaceAllUsesWith(result);
    slice.erase();
    ++numRows;
  }
};

} // namespace
