// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on sizes and indices in derivatives. What is made of constants is one.
//
// Sizes are vectors of i64, a single one too, so that they can be joined and cut.
#pragma once

#include "dialects/interfaces/Gradient.h"
#include "dialects/nd/Nd.h"

#include <optional>

namespace sluice::nd {

using Ints = llvm::SmallVector<int64_t>;

// The elements of a constant of integers; nothing of other values.
inline std::optional<Ints> constantInts(mlir::Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements = constant ? llvm::dyn_cast<mlir::DenseIntElementsAttr>(constant.getValue())
                           : mlir::DenseIntElementsAttr();
  if (!elements)
    return std::nullopt;
  bool isUnsigned = elements.getElementType().isUnsignedInteger();
  Ints numbers;
  for (const llvm::APInt &number : elements)
    numbers.push_back(isUnsigned ? static_cast<int64_t>(number.getZExtValue())
                                 : number.getSExtValue());
  return numbers;
}

// ---- Elements -----------------------------------------------------------------------------------

inline mlir::Value flat(Gradient &gradient, mlir::Value value) {
  if (auto known = constantInts(value); known && Gradient::elementOf(value).isInteger(64))
    return gradient.ints(*known);
  return gradient.like<ReshapeOp>({value, gradient.ints({-1})});
}
inline mlir::Value scalarOf(Gradient &gradient, mlir::Value value) {
  if (auto known = constantInts(value); known && Gradient::elementOf(value).isInteger(64))
    return gradient.int64(known->front());
  return gradient.like<ReshapeOp>({value, gradient.ints({})});
}
// The same numbers in i64, as a vector.
inline mlir::Value sizes(Gradient &gradient, mlir::Value value) {
  if (auto known = constantInts(value))
    return gradient.ints(*known);
  mlir::Type type = gradient.builder().getI64Type();
  if (Gradient::elementOf(value) != type)
    value = gradient.one<CastOp>(type, value);
  auto ranked = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return ranked && ranked.getRank() == 1 ? value : flat(gradient, value);
}
inline mlir::Value sumOfAll(Gradient &gradient, mlir::Value value) {
  return gradient.like<ReduceSumOp>({flat(gradient, value), gradient.ints({0})},
                                    gradient.flag("keep_dims", false));
}
// Elements of `value` where the condition, which broadcasts, holds; else zeros.
inline mlir::Value whereHolds(Gradient &gradient, mlir::Value condition, mlir::Value value) {
  mlir::Type type = Gradient::elementOf(value);
  return gradient.one<SelectOp>(type, {condition, value, gradient.scalar(type, 0)},
                                gradient.flag("leading", false));
}
// Rows of `value` where the condition, a vector, holds; else zeros.
inline mlir::Value whereRowsHold(Gradient &gradient, mlir::Value condition, mlir::Value value) {
  return gradient.one<SelectOp>(Gradient::elementOf(value),
                                {condition, value, gradient.zerosLike(value)},
                                gradient.flag("leading", true));
}

// ---- Sizes --------------------------------------------------------------------------------------

inline mlir::Value rankOf(Gradient &gradient, mlir::Value tensor) {
  if (auto ranked = llvm::dyn_cast<mlir::RankedTensorType>(tensor.getType()))
    return gradient.ints({ranked.getRank()});
  return flat(gradient, gradient.one<RankOp>(gradient.builder().getI64Type(), tensor));
}
inline mlir::Value product(Gradient &gradient, mlir::Value vector) {
  if (auto known = constantInts(vector)) {
    int64_t result = 1;
    for (int64_t size : *known)
      result *= size;
    return gradient.ints({result});
  }
  return gradient.like<ReduceProdOp>({vector, gradient.ints({0})},
                                     gradient.flag("keep_dims", true));
}
// Elementwise, of equally many.
template <typename OpT>
mlir::Value combined(Gradient &gradient, mlir::Value a, mlir::Value b,
                     llvm::function_ref<int64_t(int64_t, int64_t)> combine) {
  auto known = constantInts(a), other = constantInts(b);
  if (!known || !other || known->size() != other->size())
    return gradient.like<OpT>({a, b});
  for (auto [size, by] : llvm::zip_equal(*known, *other))
    size = combine(size, by);
  return gradient.ints(*known);
}
inline mlir::Value sum(Gradient &gradient, mlir::Value a, mlir::Value b) {
  return combined<AddOp>(gradient, a, b, [](int64_t x, int64_t y) { return x + y; });
}
inline mlir::Value difference(Gradient &gradient, mlir::Value a, mlir::Value b) {
  return combined<SubOp>(gradient, a, b, [](int64_t x, int64_t y) { return x - y; });
}
inline mlir::Value joined(Gradient &gradient, llvm::ArrayRef<mlir::Value> vectors) {
  Ints numbers;
  bool isKnown = true;
  for (mlir::Value vector : vectors) {
    auto known = constantInts(vector);
    if ((isKnown &= known.has_value()))
      numbers.append(*known);
  }
  if (isKnown)
    return gradient.ints(numbers);
  llvm::SmallVector<mlir::Value> operands(vectors);
  operands.push_back(gradient.int64(0));
  return gradient.like<ConcatOp>(operands);
}
// So many from `begin` on; a size of -1 reaches to the end.
inline mlir::Value part(Gradient &gradient, mlir::Value vector, mlir::Value begin,
                        mlir::Value size) {
  auto known = constantInts(vector), first = constantInts(begin), count = constantInts(size);
  if (known && first && count) {
    auto all = static_cast<int64_t>(known->size()), from = first->front();
    int64_t to = count->front() < 0 ? all : from + count->front();
    if (from >= 0 && from <= to && to <= all) // else the op fails if it runs
      return gradient.ints(
          llvm::ArrayRef(*known).slice(static_cast<size_t>(from), static_cast<size_t>(to - from)));
  }
  return gradient.like<SliceOp>({vector, begin, size});
}
inline mlir::Value partFrom(Gradient &gradient, mlir::Value vector, int64_t begin) {
  return part(gradient, vector, gradient.ints({begin}), gradient.ints({-1}));
}
// Two vectors as the columns of a matrix.
inline mlir::Value columns(Gradient &gradient, mlir::Value a, mlir::Value b) {
  auto known = constantInts(a), other = constantInts(b);
  if (!known || !other || known->size() != other->size())
    return gradient.like<PackOp>({a, b}, gradient.number("axis", 1));
  Ints numbers;
  for (auto [left, right] : llvm::zip_equal(*known, *other))
    numbers.append({left, right});
  auto type = mlir::RankedTensorType::get({static_cast<int64_t>(known->size()), 2},
                                          gradient.builder().getI64Type());
  return gradient.constant(mlir::DenseElementsAttr::get(type, llvm::ArrayRef<int64_t>(numbers)));
}
// 0, 1, …: as many as a size says.
inline mlir::Value numbersBelow(Gradient &gradient, mlir::Value count) {
  return gradient.one<RangeOp>(gradient.builder().getI64Type(),
                               {gradient.int64(0), scalarOf(gradient, count), gradient.int64(1)});
}

// Counted from the front where the rank, or the sign, is known; as a size.
inline mlir::Value fromFront(Gradient &gradient, mlir::Value axis, mlir::Value tensor) {
  mlir::Value rank = rankOf(gradient, tensor);
  auto number = constantInts(axis), known = constantInts(rank);
  if (number && number->size() == 1 && (number->front() >= 0 || known))
    return gradient.ints(
        {number->front() < 0 ? number->front() + known->front() : number->front()});
  return gradient.like<FloorModOp>({axis, rank});
}

// An element of zeros ahead of each of the first dims, as many as `count` says. What an index that
// is bad shall find is there, even if there is nothing else.
inline mlir::Value zerosAhead(Gradient &gradient, mlir::Value value, mlir::Value count) {
  mlir::Value before, rank = rankOf(gradient, value);
  auto dims = constantInts(rank), first = constantInts(count);
  if (dims && first && first->front() <= dims->front()) {
    Ints numbers(static_cast<size_t>(dims->front()), 0);
    std::fill_n(numbers.begin(), first->front(), 1);
    before = gradient.ints(numbers);
  } else {
    mlir::Value isFirst =
        gradient.one<LessOp>(gradient.builder().getI1Type(), {numbersBelow(gradient, rank), count});
    before = gradient.one<CastOp>(gradient.builder().getI64Type(), isFirst);
  }
  mlir::Value after = difference(gradient, before, before);
  mlir::Value zero = gradient.scalar(Gradient::elementOf(value), 0);
  return gradient.like<PadOp>({value, columns(gradient, before, after), zero});
}

} // namespace sluice::nd
