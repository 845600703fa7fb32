// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of derivatives that every family needs: sizes, constants, zeros, and the end of a broadcast.
#include "dialects/interfaces/Gradient.h"

#include "dialects/interfaces/KernelOps.h"
#include "dialects/interfaces/ResultShapes.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice {

DenseElementsAttr splatOf(RankedTensorType type, double value) {
  Type element = type.getElementType();
  if (auto number = dyn_cast<FloatType>(element)) {
    llvm::APFloat converted(value);
    bool losesInfo;
    converted.convert(number.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return DenseElementsAttr::get(type, converted);
  }
  if (auto complex = dyn_cast<ComplexType>(element)) {
    if (complex.getElementType().isF64())
      return DenseElementsAttr::get(type, std::complex<double>(value));
    return DenseElementsAttr::get(type, std::complex<float>(static_cast<float>(value)));
  }
  auto bits = static_cast<uint64_t>(static_cast<int64_t>(value));
  return DenseElementsAttr::get(
      type, llvm::APInt(element.getIntOrFloatBitWidth(), bits, /*isSigned=*/true, true));
}

// A tensor type that says what is known, or a list.
static Type unrankedType(Type element) {
  return isa<list::OfType>(element) ? element : UnrankedTensorType::get(element);
}

Type Gradient::elementOf(Value value) {
  auto tensor = dyn_cast<TensorType>(value.getType());
  return tensor ? tensor.getElementType() : value.getType();
}

Operation *Gradient::make(StringRef name, TypeRange elementTypes, ValueRange operands,
                          ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc(), name);
  state.addOperands(operands);
  state.addAttributes(attributes);
  for (Type element : elementTypes)
    state.addTypes(unrankedType(element));
  Operation *made = builder_.create(state);
  auto shapes = shapesByRule(made);
  if (!shapes.ok()) // fails if it runs
    return made;
  for (auto [result, shape] : llvm::zip_equal(made->getResults(), *shapes))
    if (auto tensor = dyn_cast<TensorType>(result.getType()))
      result.setType(tensorTypeOf(tensor.getElementType(), shape));
  return made;
}

NamedAttribute Gradient::flag(StringRef name, bool value) {
  return builder_.getNamedAttr(name, builder_.getBoolAttr(value));
}
NamedAttribute Gradient::number(StringRef name, int64_t value) {
  return builder_.getNamedAttr(name, builder_.getI64IntegerAttr(value));
}

Value Gradient::constant(ElementsAttr value) {
  return nd::ConstantOp::create(builder_, loc(), value.getType(), value);
}

Value Gradient::scalar(Type elementType, double value) {
  return constant(splatOf(RankedTensorType::get({}, elementType), value));
}

Value Gradient::ints(ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, builder_.getI64Type());
  return constant(DenseElementsAttr::get(type, values));
}

Value Gradient::int64(int64_t value) {
  return constant(DenseElementsAttr::get(RankedTensorType::get({}, builder_.getI64Type()), value));
}

Value Gradient::shapeOf(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (type && type.hasStaticShape())
    return ints(type.getShape());
  return one<nd::ShapeOp>(builder_.getI64Type(), tensor);
}

Value Gradient::zerosLike(Value value) {
  if (isa<list::OfType>(value.getType()))
    return list::ZerosLikeOp::create(builder_, loc(), value.getType(), value);
  auto type = cast<TensorType>(value.getType());
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (ranked && ranked.hasStaticShape())
    return constant(splatOf(ranked, 0));
  Value zero = scalar(type.getElementType(), 0);
  return one<nd::FillOp>(type.getElementType(), {shapeOf(value), zero});
}

// The axes over which a value of the shape of `wide` sums to that of `narrow`, if types tell.
static std::optional<SmallVector<int64_t>> axesOfBroadcast(RankedTensorType wide,
                                                           RankedTensorType narrow) {
  SmallVector<int64_t> axes;
  int64_t added = wide.getRank() - narrow.getRank();
  for (int64_t axis = 0; axis < wide.getRank(); ++axis) {
    if (axis < added) {
      axes.push_back(axis);
      continue;
    }
    int64_t to = narrow.getDimSize(axis - added), from = wide.getDimSize(axis);
    if (ShapedType::isDynamic(to)) {
      if (from != 1)
        return std::nullopt; // 1, or all of `from`
    } else if (to == 1 && from != 1) {
      axes.push_back(axis);
    }
  }
  return axes;
}

Value Gradient::sumTo(Value value, Value operand) {
  auto wide = dyn_cast<RankedTensorType>(value.getType());
  auto narrow = dyn_cast<RankedTensorType>(operand.getType());
  if (narrow && wide && narrow.getRank() <= wide.getRank()) {
    if (auto axes = axesOfBroadcast(wide, narrow)) {
      if (axes->empty())
        return value;
      Value sum = like<nd::ReduceSumOp>({value, ints(*axes)}, flag("keep_dims", false));
      return cast<RankedTensorType>(sum.getType()).getRank() == narrow.getRank()
                 ? sum
                 : reshapedLike(sum, operand);
    }
  }
  Type index = builder_.getI64Type();
  auto axes = make<nd::BroadcastGradientArgsOp>({index, index}, {shapeOf(operand), shapeOf(value)});
  Value sum = like<nd::ReduceSumOp>({value, axes.getLhsAxes()}, flag("keep_dims", false));
  return reshapedLike(sum, operand);
}

Value Gradient::reshapedLike(Value value, Value reference) {
  if (value.getType() == reference.getType() && cast<TensorType>(value.getType()).hasRank() &&
      cast<RankedTensorType>(value.getType()).hasStaticShape())
    return value;
  return like<nd::ReshapeOp>({value, shapeOf(reference)});
}

} // namespace sluice
