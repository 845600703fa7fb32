// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of another dim than the first a loop makes rows once, if they stay the same. An index below 0
// counts from the end, where a row has none. Counters of loops are not below 0.
#include "compiler/optimize/RowsOfSlices.h"

#include "dialects/flow/LoopCounters.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace sluice::optimize {

namespace {

// A slice that takes dims whole, but for one, of which it takes what is at an index, and adds dims
// of 1.
struct OneOfDim {
  Value index;
  unsigned dim;                // of the input
  SmallVector<unsigned> added; // dims of the result, in their order
  SmallVector<Value> tokens;   // that the index waits for
};

} // namespace

static bool areOnes(Value strides, size_t size) {
  auto constant = flow::originOf(strides).getDefiningOp<nd::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : nullptr;
  return elements && static_cast<size_t>(elements.getNumElements()) == size &&
         llvm::all_of(elements, [](const APInt &one) { return one.isOne(); });
}

static std::optional<OneOfDim> takenBy(nd::StridedSliceOp slice) {
  OneOfDim taken;
  Value packed = slice.getBegin();
  while (auto gate = packed.getDefiningOp<flow::GateOp>()) {
    llvm::append_range(taken.tokens, gate.getTokens());
    packed = gate.getValue();
  }
  auto begin = packed.getDefiningOp<nd::PackOp>();
  if (!begin || slice.getEllipsisMask() || !areOnes(slice.getStrides(), begin.getInputs().size()))
    return std::nullopt;
  unsigned dim = 0, resultDim = 0;
  for (auto [i, value] : llvm::enumerate(begin.getInputs())) {
    auto has = [&](uint64_t mask) { return (mask >> i & 1) != 0; };
    if (has(slice.getNewAxisMask())) {
      taken.added.push_back(resultDim++);
    } else if (has(slice.getShrinkAxisMask())) {
      if (taken.index || has(slice.getBeginMask()))
        return std::nullopt;
      taken.index = value;
      taken.dim = dim++;
    } else if (has(slice.getBeginMask()) && has(slice.getEndMask())) {
      ++dim, ++resultDim;
    } else {
      return std::nullopt;
    }
  }
  auto type = taken.index ? dyn_cast<RankedTensorType>(taken.index.getType()) : nullptr;
  bool isNumber = type && type.getRank() == 0 &&
                  (type.getElementType().isInteger(32) || type.getElementType().isInteger(64));
  return isNumber ? std::optional(std::move(taken)) : std::nullopt;
}

static bool isNeverNegative(Value index, Operation *op) {
  if (std::optional<int64_t> constant = flow::constantInt(index))
    return *constant >= 0;
  for (auto loop = op->getParentOfType<flow::WhileOp>(); loop;
       loop = loop->getParentOfType<flow::WhileOp>())
    if (auto counter = flow::counterOf(index, loop)) {
      std::optional<int64_t> start = flow::constantInt(counter->start);
      return start && *start >= 0 && counter->step >= 0;
    }
  return false;
}

static Value numberOf(ImplicitLocOpBuilder &b, RankedTensorType type, int64_t value) {
  APInt bits = b.getIntegerAttr(type.getElementType(), value).getValue();
  return nd::ConstantOp::create(b, type, DenseElementsAttr::get(type, bits));
}

static Value fromTheFirst(ImplicitLocOpBuilder &b, Value index, Value input, unsigned dim) {
  auto type = cast<RankedTensorType>(index.getType());
  auto inputType = cast<RankedTensorType>(input.getType());
  auto number = [&](int64_t value) { return numberOf(b, type, value); };
  Value size;
  if (inputType.isDynamicDim(dim)) {
    auto shape = RankedTensorType::get({inputType.getRank()}, type.getElementType());
    size = nd::RowOp::create(b, type, nd::ShapeOp::create(b, shape, input), number(dim));
  } else {
    size = number(inputType.getDimSize(dim));
  }
  auto truth = RankedTensorType::get({}, b.getI1Type());
  Value isBehind = nd::LessOp::create(b, truth, index, number(0));
  Value counted = nd::AddOp::create(b, type, index, size);
  return nd::SelectOp::create(b, type, isBehind, counted, index, /*leading=*/false);
}

bool isInvariant(Value value, Operation *op) {
  auto loop = op->getParentOfType<flow::WhileOp>();
  return loop && !loop->isAncestor(flow::originOf(value).getParentRegion()->getParentOp());
}

// The value with this dim as its first one.
static Value withFirst(ImplicitLocOpBuilder &b, unsigned dim, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int32_t> order{static_cast<int32_t>(dim)};
  for (int32_t other = 0; other < type.getRank(); ++other)
    if (other != static_cast<int32_t>(dim))
      order.push_back(other);
  SmallVector<int64_t> sizes =
      llvm::map_to_vector(order, [&](int32_t from) { return type.getDimSize(from); });
  auto orderType = RankedTensorType::get({type.getRank()}, b.getI32Type());
  Value permutation =
      nd::ConstantOp::create(b, orderType, DenseElementsAttr::get<int32_t>(orderType, order));
  return nd::TransposeOp::create(b, RankedTensorType::get(sizes, type.getElementType()), value,
                                 permutation, /*conjugate=*/false);
}

Value elementInstead(nd::StridedSliceOp slice) {
  auto input = dyn_cast<RankedTensorType>(slice.getInput().getType());
  std::optional<OneOfDim> taken = takenBy(slice);
  if (!taken || !input || input.getRank() <= taken->dim ||
      (taken->dim != 0 && !isInvariant(slice.getInput(), slice)))
    return {};
  ImplicitLocOpBuilder b(slice.getLoc(), slice);
  const unsigned dim = taken->dim;
  Value index = taken->index;
  if (!isNeverNegative(index, slice))
    index = fromTheFirst(b, index, slice.getInput(), dim);
  if (!taken->tokens.empty())
    index = flow::GateOp::create(b, index.getType(), index, taken->tokens);
  SmallVector<int64_t> sizes(input.getShape());
  sizes.erase(sizes.begin() + dim);
  auto typeNow = [&] { return RankedTensorType::get(sizes, input.getElementType()); };
  auto i32 = RankedTensorType::get({}, b.getI32Type());
  Value rows = dim == 0 ? slice.getInput() : withFirst(b, dim, slice.getInput());
  Value value = nd::RowOp::create(b, typeNow(), rows, index);
  for (unsigned added : taken->added) {
    sizes.insert(sizes.begin() + added, 1);
    value = nd::ExpandDimsOp::create(b, typeNow(), value, numberOf(b, i32, added));
  }
  return value;
}

} // namespace sluice::optimize
