// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dims of an op's results: what its shape rule in the runtime says, with expressions for dims
// that are not known. What the rule would refuse, or what would need another expression (a dim of 1
// that repeats), is excluded by a guard.
#include "compiler/codegen/shapes/DimRules.h"

#include "compiler/codegen/shapes/ShapeSymbols.h"
#include "dialects/interfaces/Faces.h"
#include "dialects/interfaces/ResultShapes.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::codegen {

// ---- Names --------------------------------------------------------------------------------------

static constexpr int64_t kFirstName = rt::Shape::kUnknown - 1; // and from there downwards

int64_t DimAlgebra::sizeOf(AffineExpr dim) {
  if (auto constant = dyn_cast<AffineConstantExpr>(dim); constant && constant.getValue() >= 0)
    return constant.getValue();
  auto [name, isNew] = names_.try_emplace(dim, kFirstName - static_cast<int64_t>(named_.size()));
  if (isNew)
    named_.push_back(dim);
  return name->second;
}

AffineExpr DimAlgebra::dimOf(int64_t size) const {
  assert(size != rt::Shape::kUnknown && "expected a number or a name");
  return size >= 0 ? getAffineConstantExpr(size, context_)
                   : named_[static_cast<size_t>(kFirstName - size)];
}

rt::Shape DimAlgebra::shapeOf(ArrayRef<AffineExpr> dims) {
  rt::Shape shape;
  for (AffineExpr dim : dims)
    shape.append(sizeOf(dim));
  return shape;
}

// ---- Rules --------------------------------------------------------------------------------------

static FailureOr<SmallVector<DimExprs>> typesOfResults(Operation *op) {
  SmallVector<DimExprs> all;
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return failure();
    DimExprs &dims = all.emplace_back();
    for (int64_t size : tensor.getShape())
      dims.push_back(getAffineConstantExpr(size, op->getContext()));
  }
  return all;
}

// The value of the operand that gives the dims of the result, from the result's type.
static std::optional<rt::Tensor> dimsFromType(Operation *op) {
  rt::Shape shape = shapeOf(op->getResult(0).getType());
  if (!shape.isComplete())
    return std::nullopt;
  auto dims = rt::Tensor::allocate(rt::DType::kI64, {shape.rank()});
  if (!dims.ok())
    return std::nullopt;
  llvm::copy(shape.dims(), dims->data<int64_t>());
  return std::move(*dims);
}

static FailureOr<DimExprs> dimsOf(const rt::Shape &shape, const DimAlgebra &algebra) {
  if (!shape.hasRank() || llvm::is_contained(shape.dims(), rt::Shape::kUnknown))
    return failure();
  DimExprs dims;
  for (int64_t size : shape.dims())
    dims.push_back(algebra.dimOf(size));
  return dims;
}

Value filledLike(Operation *op) {
  auto fill = dyn_cast<nd::FillOp>(op);
  auto shape = fill ? fill.getDims().getDefiningOp<nd::ShapeOp>() : nd::ShapeOp();
  auto type = shape ? dyn_cast<RankedTensorType>(fill.getType()) : RankedTensorType();
  bool isLike = type && !type.hasStaticShape() && shape->getBlock() == op->getBlock() &&
                isa<RankedTensorType>(shape.getInput().getType());
  return isLike ? shape.getInput() : Value();
}

FailureOr<SmallVector<DimExprs>> inferDims(Operation *op, ShapeRuleContext &context) {
  if (op->hasTrait<IsConstant>())
    return typesOfResults(op);
  if (Value like = filledLike(op))
    return SmallVector<DimExprs>{DimExprs(context.dims(like))};
  auto code = dyn_cast<CodeOp>(op);
  if (!code)
    return failure();
  SmallConstants constants(op);
  TensorPointers values = constants.values();
  for (unsigned position : code.getConstantOperands())
    if (!values[position])
      return failure();
  std::optional<rt::Tensor> dims;
  if (std::optional<unsigned> given = code.getDimsOperand(); given && !values[*given])
    if ((dims = dimsFromType(op)))
      values[*given] = &*dims;
  DimAlgebra algebra(op->getContext());
  std::vector<rt::Shape> shapes;
  std::vector<const rt::Shape *> shapePointers;
  shapes.reserve(op->getNumOperands());
  for (Value operand : op->getOperands())
    shapePointers.push_back(&shapes.emplace_back(algebra.shapeOf(context.dims(operand))));
  auto results = evaluateShapes(op, shapePointers, values, rt::Sizes(&algebra));
  if (!results.ok())
    return failure();
  SmallVector<DimExprs> all;
  for (const rt::Shape &shape : *results) {
    FailureOr<DimExprs> found = dimsOf(shape, algebra);
    if (failed(found))
      return failure();
    all.push_back(std::move(*found));
  }
  AffineExpr zero = getAffineConstantExpr(0, op->getContext());
  for (AffineExpr value : algebra.zeros())
    context.requireEqual(value, zero);
  for (AffineExpr value : algebra.notNegative())
    context.requireNotNegative(value);
  return all;
}

} // namespace sluice::codegen
