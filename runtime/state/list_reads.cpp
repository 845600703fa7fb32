// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// List: looks, which change nothing, so that several may have one at a time, and sums of two lists.
#include "runtime/base/pieces.h"
#include "runtime/state/addition.h"
#include "runtime/state/handle.h"
#include "runtime/state/list.h"

namespace sluice::rt {

const List::Slot *List::slotAt(int64_t index) const {
  auto page = pages_.find(index / kPage);
  return page == pages_.end() ? nullptr : &page->second[static_cast<size_t>(index % kPage)];
}

uint8_t List::stateAt(int64_t index) const {
  if (hasRows_)
    return states_.empty() ? uint8_t{kSluiceRowSet} : states_[static_cast<size_t>(index)];
  const Slot *slot = slotAt(index);
  return slot ? slot->state : uint8_t{kSluiceRowEmpty};
}

// Compilers know the type of most elements, but not of what branches put into one list.
Status List::checkType(int64_t index, DType found, DType expected) {
  auto describe = [](DType dtype) {
    return dtype == DType::kHandle ? std::string("a list")
                                   : "a tensor of " + std::string(dtypeName(dtype));
  };
  return found == expected
             ? okStatus()
             : invalidArgument(format("Invalid data types: expected element %lld to be %s but it "
                                      "is %s.",
                                      static_cast<long long>(index), describe(expected).c_str(),
                                      describe(found).c_str()));
}

Result<Tensor> List::at(int64_t index, DType dtype) const {
  if (index < 0 || index >= length_)
    return invalidArgument(format("Trying to access element %lld in a list with %lld elements.",
                                  static_cast<long long>(index), static_cast<long long>(length_)));
  uint8_t state = stateAt(index);
  if (isEmpty(state))
    return Tensor();
  if (state == kSluiceRowCleared)
    return invalidArgument(format("Trying to access element %lld, which has been taken away.",
                                  static_cast<long long>(index)));
  if (hasRows_) {
    SLUICE_RETURN_IF_ERROR(checkType(index, rowType_, dtype));
    return rowAt(index); // the bytes of zeros are there
  }
  const Slot &slot = *slotAt(index);
  if (state == kSluiceRowZeros)
    return zeros(dtype, slot.shape);
  SLUICE_RETURN_IF_ERROR(checkType(index, slot.value.dtype(), dtype));
  return slot.value;
}

Result<Shape> List::shapeOfAll(const Shape &known) const {
  Shape shape = known;
  auto learn = [&](const Shape &other) {
    if (!shape.compatibleWith(other))
      return invalidArgument("PartialTensorShape: Incompatible shapes during merge: " +
                             shape.toString() + " vs. " + other.toString());
    shape = other;
    return okStatus();
  };
  if (hasRows_) {
    bool isAnySet = false;
    for (int64_t i = 0; i < length_ && !isAnySet; ++i)
      isAnySet = !isEmpty(stateAt(i));
    if (isAnySet)
      SLUICE_RETURN_IF_ERROR(learn(rowShape_));
    return shape;
  }
  for (auto [index, slot] : touched()) {
    if (slot->state == kSluiceRowSet)
      SLUICE_RETURN_IF_ERROR(learn(slot->value.shape()));
    else if (slot->state == kSluiceRowZeros)
      SLUICE_RETURN_IF_ERROR(learn(slot->shape));
  }
  return shape;
}

Result<Tensor> List::peek(int64_t index, DType dtype, const Shape &expected) const {
  SLUICE_ASSIGN_OR_RETURN(Tensor value, at(index, dtype));
  if (value.valid())
    return value;
  SLUICE_ASSIGN_OR_RETURN(Shape shape, narrowedElementShape(expected));
  if (!shape.isComplete()) {
    SLUICE_ASSIGN_OR_RETURN(shape, shapeOfAll(shape));
  }
  if (shape.isComplete())
    return zeros(dtype, shape);
  return invalidArgument("Trying to read an uninitialized tensor but element_shape is not fully "
                         "defined: " +
                         shape.toString() + " and no list element is set.");
}

// ---- Two lists ----------------------------------------------------------------------------------

static Tensor handleTo(Ref<List> list) { return Tensor::handle(Ref<Object>::adopt(list.take())); }

// Of elements that are lists.
static Result<Tensor> sumOfLists(const Tensor &a, const Tensor &b) {
  SLUICE_ASSIGN_OR_RETURN(List * left, objectOf<List>(a));
  SLUICE_ASSIGN_OR_RETURN(List * right, objectOf<List>(b));
  SLUICE_ASSIGN_OR_RETURN(Ref<List> sum, left->clone());
  SLUICE_RETURN_IF_ERROR(sum->add(*right));
  return handleTo(std::move(sum));
}

// Zeros add nothing but their shape.
Status List::addSlot(int64_t index, const Slot &other) {
  if (isEmpty(other.state))
    return okStatus();
  Slot &own = touch(index);
  if (isEmpty(own.state)) {
    own = other;
    return okStatus();
  }
  if (other.state == kSluiceRowSet && own.state == kSluiceRowSet &&
      other.value.dtype() == DType::kHandle) {
    SLUICE_ASSIGN_OR_RETURN(own.value, sumOfLists(own.value, other.value));
    return okStatus();
  }
  if (other.state == kSluiceRowSet)
    return set(index, other.value, {.accumulate = true});
  const Shape &shape = own.state == kSluiceRowSet ? own.value.shape() : own.shape;
  return shape == other.shape
             ? okStatus()
             : invalidArgument(
                   "Trying to add two tensors with incompatible element shapes. One is " +
                   shape.toString() + " and the other is " + other.shape.toString());
}

Status List::add(const List &other) {
  if (length_ != other.length_)
    return invalidArgument(
        format("Trying to add two lists of tensors with different lengths. One is %lld and the "
               "other is %lld",
               static_cast<long long>(length_), static_cast<long long>(other.length_)));
  SLUICE_ASSIGN_OR_RETURN(elementShape_, narrowedElementShape(other.elementShape_));
  SLUICE_ASSIGN_OR_RETURN(Ref<List> copy, other.clone()); // which may be this one
  SLUICE_RETURN_IF_ERROR(copy->toSlots());
  SLUICE_RETURN_IF_ERROR(toSlots());
  limit_ = -1;
  isZeros_ = false;
  TurnsOfCall turns(kCostOfElement);
  for (auto [index, slot] : copy->touched()) {
    if (turns.end())
      return cancelledWork();
    SLUICE_RETURN_IF_ERROR(addSlot(index, *slot));
  }
  return okStatus();
}

Status List::append(const List &other) {
  if (!(elementShape_ == other.elementShape_))
    return invalidArgument("input_a and input_b TensorList element shapes are not identical. Saw " +
                           elementShape_.toString() + " vs. " + other.elementShape_.toString());
  SLUICE_ASSIGN_OR_RETURN(Ref<List> copy, other.clone());
  SLUICE_RETURN_IF_ERROR(copy->toSlots());
  SLUICE_RETURN_IF_ERROR(toSlots());
  int64_t before = length_;
  SLUICE_RETURN_IF_ERROR(resize(before + copy->length_));
  isZeros_ = false;
  for (auto [index, slot] : copy->touched())
    if (!isEmpty(slot->state))
      touch(before + index) = *slot;
  return okStatus();
}

Status List::declareShape(const Shape &shape) {
  SLUICE_ASSIGN_OR_RETURN(Shape narrowed, narrowedElementShape(shape));
  auto check = [&](const Shape &own) {
    return narrowed.compatibleWith(own)
               ? okStatus()
               : invalidArgument("Specified a list with shape " + narrowed.toString() +
                                 " from a tensor with shape " + own.toString());
  };
  if (hasRows_ && (length_ > 0 || isRowOfTensor_))
    SLUICE_RETURN_IF_ERROR(check(rowShape_));
  for (auto [index, slot] : touched())
    if (slot->state == kSluiceRowSet)
      SLUICE_RETURN_IF_ERROR(check(slot->value.shape()));
  elementShape_ = narrowed;
  return okStatus();
}

} // namespace sluice::rt
