// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks as in the definition of nd.strided_slice.
#include "compiler/optimize/SliceGradients.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sluice::optimize {

namespace {

// How many zeros go before and behind in one dim.
using Border = std::pair<int64_t, int64_t>;

class Borders {
public:
  Borders(nd::StridedSliceGradOp op, const RegionTypes &types) : op_(op), types_(types) {}

  std::optional<SmallVector<Border>> find() {
    const auto *gradient = types_.factOf(op_.getGradient());
    const Elements *shape = elements(op_.getShape());
    std::optional<SmallVector<int64_t>> begin = numbers(op_.getBegin()),
                                        end = numbers(op_.getEnd()),
                                        strides = numbers(op_.getStrides());
    if (op_.getEllipsisMask() || op_.getNewAxisMask() || op_.getShrinkAxisMask() || !shape ||
        !begin || !end || !strides || !gradient || !gradient->shape.hasRank())
      return std::nullopt;
    if (static_cast<size_t>(gradient->shape.rank()) != shape->size() ||
        begin->size() > shape->size() || end->size() != begin->size() ||
        strides->size() != begin->size())
      return std::nullopt;
    SmallVector<Border> borders;
    for (auto [i, size] : llvm::enumerate(*shape)) {
      bool isSliced = i < begin->size();
      if (!size || (isSliced && (*strides)[i] != 1))
        return std::nullopt;
      std::optional<int64_t> from, to; // nothing: the first, behind the last
      if (isSliced && !(op_.getBeginMask() >> i & 1))
        from = (*begin)[i];
      if (isSliced && !(op_.getEndMask() >> i & 1))
        to = (*end)[i];
      std::optional<Border> border =
          borderOf(size, from, to, gradient->shape.dim(static_cast<int>(i)));
      if (!border)
        return std::nullopt;
      borders.push_back(*border);
    }
    return borders;
  }

private:
  const Elements *elements(Value value) const {
    const auto *fact = types_.factOf(value);
    return fact && fact->elements && fact->shape.rank() == 1 ? &*fact->elements : nullptr;
  }
  std::optional<SmallVector<int64_t>> numbers(Value value) const {
    const Elements *known = elements(value);
    return known ? numbersOf(*known) : std::nullopt;
  }

  std::optional<Border> borderOf(AffineExpr size, std::optional<int64_t> from,
                                 std::optional<int64_t> to, int64_t slice) const {
    if (slice == rt::Shape::kUnknown)
      return std::nullopt;
    AffineExpr wide = types_.dimOf(slice);
    auto whole = dyn_cast<AffineConstantExpr>(size);
    if (!whole) // only all of it
      return !to && from.value_or(0) == 0 && wide == size ? std::optional(Border{0, 0})
                                                          : std::nullopt;
    const int64_t room = whole.getValue();
    auto inside = [&](int64_t place) {
      return std::clamp<int64_t>(place < 0 ? place + room : place, 0, room);
    };
    const int64_t first = inside(from.value_or(0)), last = inside(to.value_or(room));
    auto width = dyn_cast<AffineConstantExpr>(wide);
    if (!width || width.getValue() != std::max<int64_t>(last - first, 0) || last < first)
      return std::nullopt;
    return Border{first, room - last};
  }

  nd::StridedSliceGradOp op_;
  const RegionTypes &types_;
};

} // namespace

Value padInstead(nd::StridedSliceGradOp op, const RegionTypes &types) {
  auto gradient = cast<TensorType>(op.getGradient().getType());
  auto result = dyn_cast<RankedTensorType>(op.getType());
  if (!gradient.getElementType().isIntOrFloat() || !result)
    return {};
  std::optional<SmallVector<Border>> borders = Borders(op, types).find();
  if (!borders || borders->empty() || static_cast<int64_t>(borders->size()) != result.getRank())
    return {};
  SmallVector<int32_t> paddings;
  for (auto [before, behind] : *borders) {
    if (!llvm::isInt<32>(before) || !llvm::isInt<32>(behind))
      return {};
    paddings.append({static_cast<int32_t>(before), static_cast<int32_t>(behind)});
  }
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto paddingsType = RankedTensorType::get({result.getRank(), 2}, b.getI32Type());
  auto zeroType = RankedTensorType::get({}, gradient.getElementType());
  Value border = nd::ConstantOp::create(b, paddingsType,
                                        DenseElementsAttr::get<int32_t>(paddingsType, paddings));
  Value zero = nd::ConstantOp::create(
      b, zeroType, DenseElementsAttr::get(zeroType, b.getZeroAttr(gradient.getElementType())));
  return nd::PadOp::create(b, result, op.getGradient(), border, zero);
}

} // namespace sluice::optimize
