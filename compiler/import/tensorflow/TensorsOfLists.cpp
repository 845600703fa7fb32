// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of variants: a vector of lists is a list of lists, a matrix one of lists of lists.
#include "compiler/import/tensorflow/Lists.h"

#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/SizeVectors.h"

using namespace mlir;

namespace sluice::import {

namespace {

Value elementAt(Expansion &e, Value list, Value index) {
  Type element = unknownList(e);
  return e.make<list::PeekOp>(element, ValueRange{list, index}, e.type("element_shape", element));
}

Value withElement(Expansion &e, Value list, Value index, Value element) {
  return e.make<list::SetOp>(list.getType(), ValueRange{list, index, element},
                             {e.flag("grow", false), e.flag("once", false)});
}

// Made once all of `others` are there.
Value listOfLists(Expansion &e, int64_t size, ValueRange others) {
  Type element = unknownList(e);
  Value count = e.gated(e.int32(size), e.graph().joined(others, e.loc()));
  return e.make<list::MakeOp>(list::OfType::get(e.builder().getContext(), element), count,
                              {e.type("element_shape", element), e.flag("identical", false)});
}

// The single elements of `indices`, or nothing for a scalar; fails if neither is known.
struct Indices {
  bool isScalar = false;
  SmallVector<Value> each;
};
std::optional<Indices> indicesOf(Expansion &e, Value indices) {
  auto type = dyn_cast<RankedTensorType>(indices.getType());
  if (!type || type.getRank() > 1 || !type.hasStaticShape()) {
    e.unsupported("tensors of lists: expected a scalar or a vector of known length as indices");
    return std::nullopt;
  }
  if (type.getRank() == 0)
    return Indices{true, {indices}};
  Indices result;
  auto known = constantOf(indices);
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    result.each.push_back(known ? e.int32((*known)[static_cast<size_t>(i)])
                                : single(e, part(e, indices, e.int32(i), e.int32(1))));
  return result;
}

// Of `list[i]`; nothing, after a diagnostic, for any other slice.
std::optional<Value> indexOfSlice(Expansion &e) {
  bool isElement = e.intAttr("shrink_axis_mask") == 1 && e.intAttr("begin_mask") == 0 &&
                   e.intAttr("ellipsis_mask") == 0 && e.intAttr("new_axis_mask") == 0;
  auto known = constantOf(e.input(1));
  if (!isElement || (known && known->size() != 1)) {
    e.unsupported("tensors of lists: expected a slice of one element, as x[i]");
    return std::nullopt;
  }
  if (known && known->front() >= 0)
    return e.int32(known->front());
  Value index = known ? e.int32(known->front()) : single(e, e.input(1)), list = e.input(0);
  Type type = e.elementOf(index);
  Value length = converted(e, e.tensor<list::LengthOp>(e.builder().getI32Type(), list), type);
  Value fromEnd = e.like<nd::AddOp>({index, length});
  if (known)
    return fromEnd;
  return selected(e, e.compare<nd::LessOp>(index, e.scalar(type, 0)), fromEnd, index);
}

} // namespace

void packLists(Expansion &e) {
  if (e.intAttr("axis") != 0)
    return e.unsupported("attribute 'axis': lists are packed along axis 0 only");
  Value all = listOfLists(e, static_cast<int64_t>(e.numInputs()), e.inputs());
  for (auto [i, list] : llvm::enumerate(e.inputs()))
    all = withElement(e, all, e.int32(static_cast<int64_t>(i)), list);
  e.result(0, all);
}

void unpackLists(Expansion &e) {
  if (e.intAttr("axis") != 0)
    return e.unsupported("attribute 'axis': lists are unpacked along axis 0 only");
  Value list = e.input(0), length = e.tensor<list::LengthOp>(e.builder().getI32Type(), list);
  Checks checks(e);
  checks.require(e.compare<nd::EqualOp>(length, e.int32(static_cast<int64_t>(e.numResults()))),
                 "Unpack expects as many lists as it has results", length);
  list = checks.checked(list);
  for (uint32_t i = 0; i < e.numResults(); ++i)
    e.result(i, elementAt(e, list, e.int32(i)));
}

void sliceLists(Expansion &e) {
  if (auto index = indexOfSlice(e))
    e.result(0, elementAt(e, e.input(0), *index));
}

Value gatherLists(Expansion &e, Value list, Value indices) {
  auto chosen = indicesOf(e, indices);
  if (!chosen)
    return {};
  if (chosen->isScalar)
    return elementAt(e, list, chosen->each.front());
  Value result = listOfLists(e, static_cast<int64_t>(chosen->each.size()), {list, indices});
  for (auto [i, index] : llvm::enumerate(chosen->each))
    result = withElement(e, result, e.int32(static_cast<int64_t>(i)), elementAt(e, list, index));
  return result;
}

Value scatterLists(Expansion &e, Value list, Value indices, Value updates) {
  auto chosen = indicesOf(e, indices);
  if (!chosen)
    return {};
  if (chosen->isScalar)
    return withElement(e, list, chosen->each.front(), updates);
  for (auto [i, index] : llvm::enumerate(chosen->each))
    list = withElement(e, list, index, elementAt(e, updates, e.int32(static_cast<int64_t>(i))));
  return list;
}

} // namespace sluice::import
