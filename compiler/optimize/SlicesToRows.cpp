// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-slices-to-rows: slices of one row, which begin at an index and take the rest whole.
//
// That is how x[i] comes from front ends. A row is a view of what is there, and takes a number to
// say which; a slice takes vectors that somebody has to make.
#include "compiler/optimize/PackedSlice.h"
#include "compiler/optimize/Passes.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/wire/Steering.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZESLICESTOROWS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

// The index of the row; null if the slice is another one, or may fail where a row would not: only
// of an input with that many dims, and at a scalar.
Value rowIndexOf(nd::SliceOp op, const optimize::PackedSlice &slice) {
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!input || static_cast<size_t>(input.getRank()) != slice.sizes().size() ||
      slice.sizes().empty() || slice.sizes().front() != 1)
    return nullptr;
  for (auto [axis, size] : llvm::drop_begin(llvm::enumerate(slice.sizes()))) {
    bool isWhole = size == -1 || input.getDimSize(static_cast<unsigned>(axis)) == size;
    if (!isWhole || !slice.beginsAtZero(static_cast<unsigned>(axis)))
      return nullptr;
  }
  auto index = dyn_cast<RankedTensorType>(slice.beginOf(0).getType());
  return index && index.getRank() == 0 ? slice.beginOf(0) : nullptr;
}

struct SlicesToRows : flow::GraphPass<optimize::impl::OptimizeSlicesToRowsBase<SlicesToRows>> {
  void runOnGraph(flow::TokenGraph graph) override {
    for (auto slice : llvm::make_early_inc_range(graph.getBody().getOps<nd::SliceOp>()))
      if (auto packed = optimize::PackedSlice::of(slice))
        if (Value index = rowIndexOf(slice, *packed))
          replace(slice, index, packed->tokens());
  }

  void replace(nd::SliceOp slice, Value index, ValueRange tokens) {
    OpBuilder b(slice);
    Location loc = slice.getLoc();
    if (!tokens.empty())
      index = flow::GateOp::create(b, loc, index.getType(), index, tokens);
    auto input = cast<RankedTensorType>(slice.getInput().getType());
    auto rowType = RankedTensorType::get(input.getShape().drop_front(), input.getElementType());
    DictionaryAttr wishes = wire::wishesOf(slice);
    Value row = nd::RowOp::create(b, loc, rowType, slice.getInput(), index);
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
