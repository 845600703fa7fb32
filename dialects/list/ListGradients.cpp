// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of ops on whole lists and on single elements.
//
// The derivative of a list is a list as long, in which an empty element stands for zeros. It is
// never cleared. Elements that are lists are there wherever the list itself has one, as
// `list.zeros_like` makes them, because there is no empty list of unknown length. Lists that ops of
// the graph change are not looked at again, since they would have to be copied for it: their
// lengths are, at most.
#include "dialects/list/ListDerivatives.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::list;

// ---- Whole lists --------------------------------------------------------------------------------

void DeclareShapeOp::buildGradient(Gradient &gradient) { gradient.set(0, gradient.ofResult()); }
void DeclareLimitOp::buildGradient(Gradient &gradient) { gradient.set(0, gradient.ofResult()); }

void AddOp::buildGradient(Gradient &gradient) {
  for (unsigned i : {0u, 1u})
    if (gradient.wants(i))
      gradient.set(i, gradient.ofResult());
}

// Zeros, whatever the list holds.
void ZerosLikeOp::buildGradient(Gradient &) {}

// The elements from the length of `list` on. They go through a tensor, so all have one shape.
static Value elementsBehind(Gradient &gradient, Value both, Value list, TensorType element) {
  Type type = gradient.builder().getI32Type();
  Value indices = gradient.one<nd::RangeOp>(
      type, {lengthOf(gradient, list), lengthOf(gradient, both), gradient.scalar(type, 1)});
  NamedAttribute shape = elementShape(gradient, element);
  Value rows = gradient.one<RowsOp>(element.getElementType(), {both, indices}, shape);
  return gradient.one<UnstackOp>(both.getType(), rows, shape);
}

void AppendOp::buildGradient(Gradient &gradient) {
  Value both = gradient.ofResult();
  if (gradient.wants(0))
    gradient.set(0, asLongAs(gradient, both, getList()));
  if (!gradient.wants(1))
    return;
  auto element = dyn_cast<TensorType>(cast<OfType>(both.getType()).getElement());
  if (element)
    gradient.set(1, elementsBehind(gradient, both, getList(), element));
  else
    emitOpError("has a derivative for elements that are tensors, but got ") << both.getType();
}

void ResizeOp::buildGradient(Gradient &gradient) {
  gradient.set(0, asLongAs(gradient, gradient.ofResult(), getList()));
}

// ---- Single elements ----------------------------------------------------------------------------

static Value elementAt(Gradient &gradient, Value list, Value index, Value like) {
  return PeekOp::create(gradient.builder(), gradient.loc(), like.getType(), list, index,
                        shapeToRead(gradient, like), TypeAttr::get(like.getType()));
}
static Value withElement(Gradient &gradient, Value list, Value index, Value value) {
  return gradient.like<SetOp>({list, index, value},
                              {gradient.flag("grow", false), gradient.flag("once", false)});
}
static Value withSum(Gradient &gradient, Value list, Value index, Value value) {
  if (isa<TensorType>(value.getType()))
    return gradient.like<AccumulateOp>({list, index, value});
  Value there = elementAt(gradient, list, index, value);
  return withElement(gradient, list, index, gradient.like<AddOp>({there, value}));
}

void GetOp::buildGradient(Gradient &gradient) {
  Value list = orZeros(gradient, getResult());
  if (Value value = gradient.ofResult(0))
    list = withSum(gradient, list, getIndex(), value);
  gradient.set(0, getBeyond() ? asLongAs(gradient, list, getList()) : list);
}

void SetOp::buildGradient(Gradient &gradient) {
  Value list = gradient.ofResult(), value = getValue();
  if (gradient.wants(2)) {
    value = elementAt(gradient, list, getIndex(), value);
    gradient.set(2, value);
  }
  if (!gradient.wants(0))
    return;
  // What was there is gone. Nothing was, where it is set once, and nothing goes back from there.
  if (!getOnce() && hasDerivative(value))
    list = withElement(gradient, list, getIndex(), gradient.zerosLike(value));
  gradient.set(0, getGrow() ? asLongAs(gradient, list, getList()) : list);
}

void AccumulateOp::buildGradient(Gradient &gradient) {
  if (gradient.wants(0))
    gradient.set(0, gradient.ofResult());
  if (gradient.wants(2))
    gradient.set(2, elementAt(gradient, gradient.ofResult(), getIndex(), getValue()));
}

void PushOp::buildGradient(Gradient &gradient) {
  Value list = gradient.ofResult();
  Type type = getValue().getType();
  auto pop = PopOp::create(gradient.builder(), gradient.loc(), type, list.getType(), list,
                           shapeToRead(gradient, getValue()), TypeAttr::get(type));
  if (gradient.wants(0))
    gradient.set(0, pop.getResult());
  if (gradient.wants(1))
    gradient.set(1, pop.getValue());
}

void PopOp::buildGradient(Gradient &gradient) {
  Value rest = orZeros(gradient, getResult());
  if (!hasDerivative(getValue())) { // something empty stands for it
    Value one = gradient.scalar(gradient.builder().getI32Type(), 1);
    Value length = gradient.like<nd::AddOp>({lengthOf(gradient, rest), one});
    gradient.set(0, gradient.like<ResizeOp>({rest, length}));
    return;
  }
  Value value = gradient.ofResult(0) ? gradient.ofResult(0) : gradient.zerosLike(getValue());
  gradient.set(0, gradient.like<PushOp>({rest, value}, gradient.number("limit", -1)));
}

// A list as long as `list` with `value` as its only element. Sums that this goes into become
// `list.accumulate` (optimize-simplify-lists).
static Value onlyElement(Gradient &gradient, Value list, Value index, Value value) {
  auto element = dyn_cast<TensorType>(cast<OfType>(list.getType()).getElement());
  if (!element)
    return withSum(gradient, gradient.zerosLike(list), index, value);
  NamedAttribute shape = elementShape(gradient, UnrankedTensorType::get(element.getElementType()));
  Value empty = gradient.one<MakeOp>(list.getType(), lengthOf(gradient, list),
                                     {shape, gradient.flag("identical", false)});
  return withElement(gradient, empty, index, value);
}

void PeekOp::buildGradient(Gradient &gradient) {
  gradient.set(0, onlyElement(gradient, getList(), getIndex(), gradient.ofResult()));
}

void OnlyOp::buildGradient(Gradient &gradient) {
  Value first = gradient.scalar(gradient.builder().getI32Type(), 0);
  gradient.set(0, onlyElement(gradient, getList(), first, gradient.ofResult()));
}
