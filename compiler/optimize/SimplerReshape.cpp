// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code knows the dims of all of these, whatever was computed.
#include "compiler/optimize/SimplerReshape.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace sluice::optimize {

namespace {

bool isOne(AffineExpr dim) {
  auto constant = dyn_cast<AffineConstantExpr>(dim);
  return constant && constant.getValue() == 1;
}

AffineExpr productOf(ArrayRef<AffineExpr> dims, MLIRContext *context) {
  AffineExpr product = getAffineConstantExpr(1, context);
  for (AffineExpr dim : dims)
    product = product * dim;
  return product;
}

// Null unless all dims but one are numbers above 0: the one is what is left. That there are as many
// elements has to be known, since nobody will look.
Value withRest(ImplicitLocOpBuilder &b, nd::ReshapeOp op, ArrayRef<AffineExpr> from,
               const Elements &dims) {
  if (productOf(from, b.getContext()) != productOf(dims, b.getContext()))
    return {};
  SmallVector<int64_t> numbers;
  unsigned unknown = 0;
  for (AffineExpr dim : dims) {
    auto constant = dyn_cast<AffineConstantExpr>(dim);
    if (constant && constant.getValue() <= 0)
      return {};
    numbers.push_back(constant ? constant.getValue() : -1);
    unknown += !constant;
  }
  if (unknown > 1)
    return {};
  auto type = RankedTensorType::get({static_cast<int64_t>(numbers.size())}, b.getI64Type());
  Value shape = nd::ConstantOp::create(b, type, DenseElementsAttr::get<int64_t>(type, numbers));
  return nd::ReshapeOp::create(b, op.getType(), op.getInput(), shape);
}

// Null unless dims of 1 are all the difference.
Value withOtherOnes(ImplicitLocOpBuilder &b, nd::ReshapeOp op, ArrayRef<AffineExpr> from,
                    const Elements &to) {
  auto others = [](ArrayRef<AffineExpr> dims) {
    return llvm::to_vector(
        llvm::make_filter_range(dims, [](AffineExpr dim) { return !isOne(dim); }));
  };
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!input || others(from) != others(to))
    return {};
  SmallVector<int64_t> sizes, removed;
  for (auto [i, dim] : llvm::enumerate(from)) {
    if (isOne(dim))
      removed.push_back(static_cast<int64_t>(i));
    else
      sizes.push_back(input.getDimSize(static_cast<unsigned>(i)));
  }
  Value value = op.getInput();
  auto typeNow = [&] { return RankedTensorType::get(sizes, input.getElementType()); };
  if (!removed.empty())
    value = nd::SqueezeOp::create(b, typeNow(), value, removed);
  auto scalar = RankedTensorType::get({}, b.getI32Type());
  for (auto [i, dim] : llvm::enumerate(to)) {
    if (!isOne(dim))
      continue;
    sizes.insert(sizes.begin() + static_cast<ptrdiff_t>(i), 1);
    Value axis =
        nd::ConstantOp::create(b, scalar, DenseElementsAttr::get(scalar, static_cast<int32_t>(i)));
    value = nd::ExpandDimsOp::create(b, typeNow(), value, axis);
  }
  return value;
}

} // namespace

Value simplerReshape(nd::ReshapeOp op, const RegionTypes &types) {
  const auto *input = types.factOf(op.getInput()), *dims = types.factOf(op.getShape());
  auto result = dyn_cast<RankedTensorType>(op.getType());
  if (!input || !dims || !dims->elements || dims->shape.rank() != 1 || !isWhole(*dims->elements) ||
      !input->shape.hasRank() || !result ||
      static_cast<size_t>(result.getRank()) != dims->elements->size() || numbersOf(*dims->elements))
    return {};
  SmallVector<AffineExpr> from;
  for (int64_t size : input->shape.dims()) {
    if (size == rt::Shape::kUnknown)
      return {};
    from.push_back(types.dimOf(size));
  }
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value simpler = withRest(b, op, from, *dims->elements);
  return simpler ? simpler : withOtherOnes(b, op, from, *dims->elements);
}

} // namespace sluice::optimize
