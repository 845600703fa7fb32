// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What derivatives of ops on lists have in common: lengths, zeros, and shapes of empty elements.
#pragma once

#include "dialects/interfaces/Gradient.h"
#include "dialects/list/List.h"
#include "dialects/nd/SizeArithmetic.h"

namespace sluice::list {

inline mlir::Value lengthOf(Gradient &gradient, mlir::Value list) {
  return gradient.one<LengthOp>(gradient.builder().getI32Type(), list);
}
inline mlir::Value asLongAs(Gradient &gradient, mlir::Value derivative, mlir::Value list) {
  return gradient.like<ResizeOp>({derivative, lengthOf(gradient, list)});
}
// Of a result, which nothing may depend on.
inline mlir::Value orZeros(Gradient &gradient, mlir::Value result) {
  mlir::Value known = gradient.ofResult(llvm::cast<mlir::OpResult>(result).getResultNumber());
  return known ? known : gradient.zerosLike(result);
}
// Lists that hold anything may hold what has none.
inline bool hasDerivative(mlir::Value element) {
  return llvm::isa<OfType, mlir::FloatType, mlir::ComplexType>(Gradient::elementOf(element));
}

inline mlir::NamedAttribute elementShape(Gradient &gradient, mlir::Type type) {
  return gradient.builder().getNamedAttr("element_shape", mlir::TypeAttr::get(type));
}

// ---- What an empty element is -------------------------------------------------------------------

inline bool isStatic(mlir::Type type) {
  auto ranked = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return ranked && ranked.hasStaticShape();
}
// The operand that says what the type of an element leaves open; null where it says it all.
inline mlir::Value shapeToRead(Gradient &gradient, mlir::Value element) {
  mlir::Type type = element.getType();
  return llvm::isa<OfType>(type) || isStatic(type) ? mlir::Value() : gradient.shapeOf(element);
}
// Of a tensor that is made of elements along its first dim: what they are, with `first` as their
// own first dim, if they have it.
inline mlir::Type partType(mlir::Value whole, std::optional<int64_t> first = {}) {
  auto ranked = llvm::dyn_cast<mlir::RankedTensorType>(whole.getType());
  mlir::Type element = Gradient::elementOf(whole);
  if (!ranked || ranked.getRank() == 0)
    return mlir::UnrankedTensorType::get(element);
  llvm::SmallVector<int64_t> dims(ranked.getShape().drop_front());
  if (first)
    dims.insert(dims.begin(), *first);
  return mlir::RankedTensorType::get(dims, element);
}
// The sizes of the dims behind the first.
inline mlir::Value innerSizes(Gradient &gradient, mlir::Value whole) {
  return nd::partFrom(gradient, gradient.shapeOf(whole), 1);
}

} // namespace sluice::list
