// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on dims that are known at run time only: vectors of i32, joined and cut. Builders that
// use it take their inputs from `afterAllInputs`, so that constants among them are where the node
// is.
#pragma once

#include "compiler/import/tensorflow/Expansion.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace sluice::import {

inline Value dimsOf(Expansion &e, Value x) {
  return e.tensor<nd::ShapeOp>(e.builder().getI32Type(), x);
}
inline Value sizeOf(Expansion &e, Value x) {
  return e.tensor<nd::SizeOp>(e.builder().getI32Type(), x);
}
inline Value rankOf(Expansion &e, Value x) {
  return e.tensor<nd::RankOp>(e.builder().getI32Type(), x);
}
inline Value reshaped(Expansion &e, Value x, Value dims) {
  return e.like<nd::ReshapeOp>({x, dims});
}
// What is made of constants only has to be a constant, since an op would be in the root frame,
// wherever the node is.
inline Value flat(Expansion &e, Value x) {
  auto constant = x.getDefiningOp<nd::ConstantOp>();
  auto elements =
      constant ? llvm::dyn_cast<mlir::DenseIntElementsAttr>(constant.getValue()) : nullptr;
  if (elements && elements.getNumElements() == 1)
    return e.ints({(*elements.begin()).getSExtValue()}, elements.getElementType());
  return reshaped(e, x, e.ints({-1}));
}
// The numbers of a constant of integers, which may wait for something or enter a loop; nothing of
// other values.
inline std::optional<llvm::SmallVector<int64_t>> constantOf(Value value) {
  for (mlir::Operation *op = value.getDefiningOp();
       llvm::isa_and_nonnull<flow::GateOp, flow::EnterOp>(op); op = value.getDefiningOp())
    value = op->getOperand(0);
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  auto elements =
      constant ? llvm::dyn_cast<mlir::DenseIntElementsAttr>(constant.getValue()) : nullptr;
  if (!elements)
    return std::nullopt;
  llvm::SmallVector<int64_t> numbers;
  for (const llvm::APInt &number : elements)
    numbers.push_back(number.getSExtValue());
  return numbers;
}
// Of constants alone it is one, which is where it is used: an op on them would be in the root
// frame.
inline Value joined(Expansion &e, ValueRange parts) {
  if (parts.size() == 1)
    return parts.front();
  llvm::SmallVector<int64_t> numbers;
  bool isKnown = true;
  for (Value part : parts) {
    auto constant = part.getDefiningOp<nd::ConstantOp>() ? constantOf(part) : std::nullopt;
    if ((isKnown &= constant.has_value()))
      numbers.append(*constant);
  }
  if (isKnown)
    return e.ints(numbers, e.elementOf(parts.front()));
  llvm::SmallVector<Value> operands(parts);
  operands.push_back(e.int32(0));
  return e.like<nd::ConcatOp>(operands);
}
// From a scalar on, or so many; sizes of -1 go to the end.
inline Value part(Expansion &e, Value vector, Value from, Value size) {
  return e.like<nd::SliceOp>({vector, flat(e, from), flat(e, size)});
}
inline Value from(Expansion &e, Value vector, Value start) {
  return part(e, vector, start, e.int32(-1));
}
inline Value product(Expansion &e, Value vector) {
  return e.like<nd::ReduceProdOp>({vector, e.ints({0})}, e.flag("keep_dims", false));
}
inline Value filled(Expansion &e, Value dims, Value value) {
  return e.tensor<nd::FillOp>(e.elementOf(value), {dims, value});
}
inline Value converted(Expansion &e, Value x, Type element) {
  return e.elementOf(x) == element ? x : e.tensor<nd::CastOp>(element, x);
}
inline Value selected(Expansion &e, Value condition, Value yes, Value no) {
  return e.tensor<nd::SelectOp>(e.elementOf(yes), {condition, yes, no}, e.flag("leading", false));
}
// A vector of one element as a scalar.
inline Value single(Expansion &e, Value vector) { return reshaped(e, vector, e.ints({})); }
// The size of an axis, which is counted from the end: -1 is the last one.
inline Value sizeFromEnd(Expansion &e, Value dims, int64_t axis) {
  Value at = e.like<nd::AddOp>({sizeOf(e, dims), e.int32(axis)});
  return single(e, part(e, dims, at, e.int32(1)));
}
// 0, 1, … below a scalar.
inline Value numbersBelow(Expansion &e, Value count) {
  Type type = e.elementOf(count);
  return e.like<nd::RangeOp>({e.scalar(type, 0), count, e.scalar(type, 1)});
}
inline Value transposed(Expansion &e, Value x, Value order) {
  return e.like<nd::TransposeOp>({x, order}, e.flag("conjugate", false));
}
inline Value conjugated(Expansion &e, Value x) {
  return e.like<nd::TransposeOp>({x, numbersBelow(e, rankOf(e, x))}, e.flag("conjugate", true));
}
inline Value gathered(Expansion &e, Value x, Value indices, Value axis, int64_t batchDims = 0) {
  return e.like<nd::GatherOp>({x, indices, axis}, e.number("batch_dims", batchDims));
}

} // namespace sluice::import
