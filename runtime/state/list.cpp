// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// List: elements that lie apart. The other form is in list_rows.cpp.
#include "runtime/state/list.h"

#include "runtime/base/pieces.h"

#include "runtime/state/addition.h"
#include "runtime/state/handle.h"

namespace sluice::rt {

Ref<List> List::make(int64_t length, const Shape &elementShape, bool identical) {
  return Ref<List>::adopt(new List(length, elementShape, identical));
}

List::~List() {
  if (rows_)
    rows_->release();
}

Result<Shape> List::narrowedElementShape(const Shape &shape) const {
  Shape own = elementShape_;
  if (own.hasRank() && shape.hasRank() && own.rank() != shape.rank())
    return invalidArgument(format("PartialTensorShape: Incompatible ranks during merge: %d vs. %d",
                                  own.rank(), shape.rank()));
  if (!own.compatibleWith(shape))
    return invalidArgument("PartialTensorShape: Incompatible shapes during merge: " +
                           own.toString() + " vs. " + shape.toString());
  if (!own.hasRank())
    own = shape;
  for (int i = 0; i < own.rank() && shape.hasRank(); ++i)
    if (own.dim(i) < 0)
      own.setDim(i, shape.dim(i));
  return own;
}

std::vector<List::Place> List::touched(int64_t from) const {
  std::vector<Place> places;
  for (auto it = pages_.lower_bound(from / kPage); it != pages_.end(); ++it)
    for (int64_t i = 0; i < kPage; ++i)
      if (int64_t index = it->first * kPage + i; index >= from && index < length_)
        places.push_back({index, &it->second[static_cast<size_t>(i)]});
  return places;
}

List::Slot &List::touch(int64_t index) {
  auto &page = pages_[index / kPage];
  if (!page)
    page = std::make_unique<Slot[]>(kPage);
  return page[static_cast<size_t>(index % kPage)];
}

// ---- Single elements ----------------------------------------------------------------------------

Result<Tensor> List::emptyElement(int64_t index, DType dtype, const Shape &narrowed) const {
  if (narrowed.isComplete())
    return zeros(dtype, narrowed);
  return invalidArgument(
      format("Could not read index %lld: nothing was written to it, and the element shape is not "
             "fully defined: %s. With a full element_shape it would be zeros.",
             static_cast<long long>(index), narrowed.toString().c_str()));
}

Result<Tensor> List::get(int64_t index, GetMode mode, const Shape &narrowed) {
  if (index < 0 || index >= kMostElements || (!mode.beyond && index >= length_))
    return invalidArgument(format("Tried to read from index %lld but array size is: %lld",
                                  static_cast<long long>(index), static_cast<long long>(length_)));
  if (hasRows_ && index < length_ &&
      (states_.empty() || states_[static_cast<size_t>(index)] == kSluiceRowSet)) {
    SLUICE_RETURN_IF_ERROR(checkType(index, rowType_, mode.dtype));
    if (mode.clear) {
      if (states_.empty())
        SLUICE_RETURN_IF_ERROR(addStates());
      states_[static_cast<size_t>(index)] = kSluiceRowCleared;
    }
    return rowAt(index);
  }
  SLUICE_RETURN_IF_ERROR(toSlots());
  Slot &slot = touch(index);
  Tensor value = slot.value;
  if (slot.state == kSluiceRowCleared)
    return invalidArgument(
        format("Could not read index %lld twice because it was cleared after a previous read "
               "(perhaps try setting clear_after_read = false?).",
               static_cast<long long>(index)));
  if (slot.state == kSluiceRowZeros) {
    SLUICE_ASSIGN_OR_RETURN(value, zeros(mode.dtype, slot.shape));
  } else if (isEmpty(slot.state)) {
    SLUICE_ASSIGN_OR_RETURN(value, emptyElement(index, mode.dtype, narrowed));
  } else {
    SLUICE_RETURN_IF_ERROR(checkType(index, value.dtype(), mode.dtype));
  }
  length_ = std::max(length_, index + 1);
  if (mode.clear) {
    slot.shape = isEmpty(slot.state) ? Shape::unknownRank() : value.shape();
    slot.value.reset();
    slot.state = kSluiceRowCleared;
  } else if (slot.state == kSluiceRowEmpty) {
    slot.state = kSluiceRowRead;
  }
  return value;
}

Status List::checkShape(int64_t index, const Shape &shape) {
  if (!elementShape_.compatibleWith(shape))
    return invalidArgument(format(
        "Could not write to index %lld because the value shape is %s which is incompatible "
        "with the inferred element shape: %s (consider setting infer_shape=False).",
        static_cast<long long>(index), shape.toString().c_str(), elementShape_.toString().c_str()));
  if (identical_)
    elementShape_ = shape;
  return okStatus();
}

Status List::set(int64_t index, const Tensor &value, SetMode mode) {
  if (index < 0 || index >= kMostElements || (index >= length_ && !mode.grow))
    return invalidArgument(
        format("Tried to write to index %lld but array is not resizeable and size is: %lld",
               static_cast<long long>(index), static_cast<long long>(length_)));
  SLUICE_RETURN_IF_ERROR(checkShape(index, value.shape()));
  SLUICE_RETURN_IF_ERROR(toSlots());
  Slot &slot = touch(index);
  auto where = [&] {
    return format("Could not write to index %lld because it has already been ",
                  static_cast<long long>(index));
  };
  bool wasRead = slot.state == kSluiceRowRead && mode.once;
  if (wasRead || (slot.state == kSluiceRowCleared && (mode.once || mode.accumulate)))
    return invalidArgument(where() + "read.");
  if (slot.state != kSluiceRowEmpty && mode.once)
    return invalidArgument(where() + "written to.");
  length_ = std::max(length_, index + 1);
  if (mode.accumulate && (slot.state == kSluiceRowSet || slot.state == kSluiceRowZeros)) {
    const Shape &there = slot.state == kSluiceRowSet ? slot.value.shape() : slot.shape;
    if (!(there == value.shape()))
      return invalidArgument(format("Could not aggregate to index %lld because the existing shape "
                                    "is %s but the new input shape is %s.",
                                    static_cast<long long>(index), there.toString().c_str(),
                                    value.shape().toString().c_str()));
    if (slot.state == kSluiceRowSet)
      return addInto(slot.value, value);
  }
  slot.value = value;
  slot.state = kSluiceRowSet;
  return okStatus();
}

Status List::push(const Tensor &value) {
  if (limit_ >= 0 && length_ >= limit_)
    return invalidArgument(
        format("Tried to push item into a full list of size %lld", static_cast<long long>(limit_)));
  return set(length_, value, {.grow = true});
}

Result<Tensor> List::pop(DType dtype, const Shape &expected) {
  if (length_ == 0)
    return invalidArgument("Stack is empty when calling Pop().");
  Shape narrowed = elementShape_;
  if (isEmpty(stateAt(length_ - 1))) {
    SLUICE_ASSIGN_OR_RETURN(narrowed, narrowedElementShape(expected));
  }
  SLUICE_ASSIGN_OR_RETURN(Tensor value, get(length_ - 1, {.dtype = dtype}, narrowed));
  SLUICE_RETURN_IF_ERROR(resize(length_ - 1));
  return value;
}

Status List::resize(int64_t length) {
  if (length < 0 || length > kMostElements)
    return invalidArgument(format("expected a length of 0 to %lld but got %lld",
                                  static_cast<long long>(kMostElements),
                                  static_cast<long long>(length)));
  if (hasRows_ && states_.empty() && length <= length_) {
    length_ = length;
    return okStatus();
  }
  SLUICE_RETURN_IF_ERROR(toSlots());
  for (Place place : touched(length))
    *place.slot = Slot();
  length_ = length;
  return okStatus();
}

// ---- Copies -------------------------------------------------------------------------------------

Result<Ref<List>> List::zerosLike() const {
  Ref<List> result = make(length_, elementShape_, identical_);
  result->isZeros_ = true;
  result->markedLength_ = markedLength_;
  TurnsOfCall turns(kCostOfElement);
  if (hasRows_) {
    for (int64_t i = 0; i < length_; ++i) {
      if (turns.end())
        return cancelledWork();
      if (states_.empty() || !isEmpty(states_[static_cast<size_t>(i)])) {
        Slot &slot = result->touch(i);
        slot.shape = rowShape_;
        slot.state = kSluiceRowZeros;
      }
    }
    return result;
  }
  for (auto [index, from] : touched()) {
    if (turns.end())
      return cancelledWork();
    if (isEmpty(from->state))
      continue;
    if (from->state == kSluiceRowSet && from->value.dtype() == DType::kHandle) {
      SLUICE_ASSIGN_OR_RETURN(List * inner, objectOf<List>(from->value));
      SLUICE_ASSIGN_OR_RETURN(Ref<List> zeros, inner->zerosLike());
      SLUICE_RETURN_IF_ERROR(
          result->set(index, Tensor::handle(Ref<Object>::adopt(zeros.take())), {}));
      continue;
    }
    const Shape &shape = from->state == kSluiceRowSet ? from->value.shape() : from->shape;
    if (!shape.isComplete()) // read, though nothing was written
      continue;
    Slot &slot = result->touch(index);
    slot.shape = shape;
    slot.state = kSluiceRowZeros;
  }
  return result;
}

Result<Ref<List>> List::unstack(const Tensor &value, const Shape &declared) {
  if (value.rank() < 1)
    return invalidArgument("Input value for unpack must be at least a vector but received shape: " +
                           value.shape().toString());
  std::vector<int64_t> dims(value.shape().dims().begin() + 1, value.shape().dims().end());
  Shape row{std::span<const int64_t>(dims)};
  if (value.dim(0) > kMostElements)
    return invalidArgument(format("expected at most %lld rows but got %lld",
                                  static_cast<long long>(kMostElements),
                                  static_cast<long long>(value.dim(0))));
  if (!declared.compatibleWith(row))
    return invalidArgument("Specified a list with shape " + declared.toString() +
                           " from a tensor with shape " + row.toString());
  Ref<List> result = make(value.dim(0), declared, false);
  if (!isPlain(value.dtype())) {
    TurnsOfCall turns(kCostOfElement);
    for (int64_t i = 0; i < value.dim(0); ++i) {
      if (turns.end())
        return cancelledWork();
      SLUICE_ASSIGN_OR_RETURN(Tensor part, Tensor::allocate(value.dtype(), row));
      int64_t count = part.elements();
      for (int64_t k = 0; k < count; ++k)
        part.data<std::string>()[k] = value.data<std::string>()[i * count + k];
      SLUICE_RETURN_IF_ERROR(result->set(i, part, {}));
    }
    return result;
  }
  result->rowType_ = value.dtype();
  result->rowShape_ = row;
  result->isRowOfTensor_ = true;
  result->hasRows_ = true;
  result->capacity_ = value.dim(0);
  result->rows_ = value.buffer();
  if (result->rows_ && reinterpret_cast<uintptr_t>(value.raw()) % kSluiceRowsAlignment == 0) {
    result->rows_->retain();
    return result;
  }
  result->rows_ = Buffer::allocate(value.bytes());
  if (!result->rows_)
    return resourceExhausted("no memory for the elements of a list");
  if (value.bytes() > 0)
    copyInPieces(result->rows_->data(), value.raw(), value.bytes());
  return result;
}

} // namespace sluice::rt
