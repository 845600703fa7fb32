// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// List: elements as rows, one behind the other.
#include "runtime/base/pieces.h"
#include "runtime/state/list.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

static int64_t bytesOfRow(DType dtype, const Shape &row) {
  return row.elements() * static_cast<int64_t>(sizeOf(dtype));
}

static Status noMemory() { return resourceExhausted("no memory for the elements of a list"); }

Result<Tensor> List::rowAt(int64_t index) const {
  SLUICE_ASSIGN_OR_RETURN(Tensor value, Tensor::allocate(rowType_, rowShape_));
  if (value.bytes() > 0)
    copyInPieces(value.raw(),
                 static_cast<const char *>(rows_->data()) + index * bytesOfRow(rowType_, rowShape_),
                 value.bytes());
  return value;
}

Status List::toSlots() {
  if (!hasRows_)
    return okStatus();
  pages_.clear();
  TurnsOfCall turns(kCostOfElement);
  for (int64_t i = 0; i < length_; ++i) {
    if (turns.end())
      return cancelledWork();
    uint8_t state = states_.empty() ? uint8_t{kSluiceRowSet} : states_[static_cast<size_t>(i)];
    if (state == kSluiceRowEmpty)
      continue;
    Slot &slot = touch(i);
    slot.state = state;
    slot.shape = rowShape_;
    if (state == kSluiceRowSet) {
      SLUICE_ASSIGN_OR_RETURN(slot.value, rowAt(i));
    }
  }
  if (rows_)
    rows_->release();
  rows_ = nullptr;
  states_ = {};
  capacity_ = 0;
  hasRows_ = false;
  return okStatus();
}

// The shape that all elements have, as far as there are any.
Result<Shape> List::commonShape(const Shape &expected) const {
  Shape row = expected;
  for (auto [index, slot] : touched()) {
    if (slot->state != kSluiceRowSet && slot->state != kSluiceRowZeros)
      continue;
    const Shape &shape = slot->state == kSluiceRowSet ? slot->value.shape() : slot->shape;
    if (!row.compatibleWith(shape))
      return internalError("an element of a list has the shape " + shape.toString() +
                           " where code expects " + row.toString());
    row = shape;
  }
  for (int i = 0; i < row.rank(); ++i) // there are none; whatever they would be
    if (row.dim(i) < 0)
      row.setDim(i, elementShape_.rank() == row.rank() && elementShape_.dim(i) > 0
                        ? elementShape_.dim(i)
                        : 0);
  return row;
}

// Rows none of which was given a shape have any.
bool List::tellsNoShape() const {
  return length_ == 0 ||
         (!states_.empty() &&
          std::none_of(states_.begin(), states_.begin() + length_, [](uint8_t state) {
            return state == kSluiceRowSet || state == kSluiceRowZeros;
          }));
}

Status List::toRows(DType dtype, const Shape &expected) {
  if (hasRows_ && tellsNoShape() &&
      !(length_ == 0 ? expected == rowShape_ : expected.compatibleWith(rowShape_)))
    SLUICE_RETURN_IF_ERROR(toSlots());
  if (hasRows_)
    return rowType_ == dtype && expected.compatibleWith(rowShape_)
               ? okStatus()
               : internalError("a list of " + rowShape_.toString() + " where code expects " +
                               expected.toString());
  SLUICE_ASSIGN_OR_RETURN(Shape row, commonShape(expected));
  std::vector<Place> places = touched();
  int64_t numSet = 0;
  for (auto [index, slot] : places) {
    if (slot->state != kSluiceRowSet)
      continue;
    ++numSet;
    if (slot->value.dtype() != dtype)
      return internalError("an element of a list is not of the type that code expects");
  }
  bool allSet = numSet == length_;
  rowType_ = dtype;
  rowShape_ = row;
  isRowOfTensor_ = false;
  hasRows_ = true;
  capacity_ = 0;
  int64_t length = length_;
  SluiceList list{};
  list.owner = this;
  list.rowBytes = bytesOfRow(dtype, row);
  if (!allSet)
    states_.assign(1, kSluiceRowEmpty); // so that `reserve` keeps states
  if (length > 0 && reserve(list, length) != 0) {
    hasRows_ = false;
    states_ = {};
    return noMemory();
  }
  for (auto [index, slot] : places) {
    if (!allSet)
      states_[static_cast<size_t>(index)] = slot->state;
    if (slot->state == kSluiceRowSet && list.rowBytes > 0)
      copyInPieces(static_cast<char *>(list.rows) + index * list.rowBytes, slot->value.raw(),
                   static_cast<size_t>(list.rowBytes));
  }
  length_ = length;
  pages_.clear();
  return okStatus();
}

Status List::ownRows() {
  if (!rows_ || rows_->solelyOwned())
    return okStatus();
  int64_t row = bytesOfRow(rowType_, rowShape_);
  Buffer *buffer = Buffer::allocate(static_cast<size_t>(capacity_ * row));
  if (!buffer)
    return noMemory();
  // With states, what is behind the end is zeros.
  if (int64_t bytes = (states_.empty() ? length_ : capacity_) * row; bytes > 0)
    copyInPieces(buffer->data(), rows_->data(), static_cast<size_t>(bytes));
  rows_->release();
  rows_ = buffer;
  return okStatus();
}

// All rows are set so far. What is behind them has to be as an empty row is.
Status List::addStates() {
  SLUICE_RETURN_IF_ERROR(ownRows());
  states_.assign(static_cast<size_t>(std::max<int64_t>(capacity_, 1)), kSluiceRowEmpty);
  std::fill_n(states_.begin(), length_, uint8_t{kSluiceRowSet});
  int64_t bytes = bytesOfRow(rowType_, rowShape_);
  if (rows_ && capacity_ > length_ && bytes > 0)
    clearInPieces(static_cast<char *>(rows_->data()) + length_ * bytes,
                  static_cast<size_t>((capacity_ - length_) * bytes));
  return okStatus();
}

Status List::lendRows(DType dtype, const Shape &row, Loan loan, SluiceList &list) {
  SLUICE_RETURN_IF_ERROR(toRows(dtype, row));
  if (loan.changes)
    SLUICE_RETURN_IF_ERROR(ownRows());
  bool allSet = std::all_of(states_.begin(), states_.begin() + (states_.empty() ? 0 : length_),
                            [](uint8_t state) { return state == kSluiceRowSet; });
  if (!loan.withStates && allSet)
    states_ = {};
  if (loan.withStates && states_.empty())
    SLUICE_RETURN_IF_ERROR(addStates());
  list.rows = rows_ ? rows_->data() : nullptr;
  list.states = states_.empty() ? nullptr : states_.data();
  list.length = length_;
  list.capacity = limit_ >= 0 ? std::min(capacity_, length_) : capacity_;
  list.rowBytes = bytesOfRow(dtype, rowShape_);
  list.emptyIsZeros = elementShape_.isComplete();
  list.owner = this;
  return okStatus();
}

void List::takeBack(const SluiceList &list) {
  for (int i = 0; i < rowShape_.rank(); ++i)
    rowShape_.setDim(i, list.dims[i]);
  int64_t before = std::exchange(length_, list.length);
  if (!states_.empty() && length_ < before)
    clearRows(length_, before);
  if (identical_ && !elementShape_.isComplete()) { // as the first that is set fixes it
    bool isAnySet = states_.empty() ? length_ > 0
                                    : std::any_of(states_.begin(), states_.begin() + length_,
                                                  [](uint8_t state) { return !isEmpty(state); });
    if (isAnySet)
      elementShape_ = rowShape_;
  }
}

// Behind the end there are empty rows.
void List::clearRows(int64_t from, int64_t to) {
  int64_t bytes = bytesOfRow(rowType_, rowShape_), gone = to - from;
  std::fill_n(states_.begin() + from, gone, uint8_t{kSluiceRowEmpty});
  if (bytes > 0)
    clearInPieces(static_cast<char *>(rows_->data()) + from * bytes,
                  static_cast<size_t>(gone * bytes));
}

int32_t List::resizeRows(SluiceList &list, int64_t rows) {
  if (rows < 0 || rows > kMostElements)
    return -1;
  auto &self = *static_cast<List *>(list.owner);
  if (rows < list.length && !self.states_.empty())
    self.clearRows(rows, list.length);
  int32_t status = rows > 0 ? reserve(list, rows) : 0;
  if (status == 0)
    list.length = rows;
  return status;
}

// A few rows at first, but no more than a page of them: elements may be large. Then twice as many,
// so that copies are rare; many rows are not copied, and a quarter more is soon had.
static int64_t roomierCapacity(int64_t capacity, int64_t rowBytes) {
  constexpr int64_t kMostDoubledBytes = 1 << 20;
  int64_t row = std::max<int64_t>(rowBytes, 1);
  int64_t first = std::clamp<int64_t>(4096 / row, 1, 16);
  int64_t more = capacity > kMostDoubledBytes / row ? capacity / 4 : capacity;
  return std::min(List::kMostElements, std::max(capacity + more, first));
}

// What code may have written is below the capacity. Null when there is no memory; nothing has
// changed then.
Buffer *List::resizedRows(int64_t capacity, int64_t rowBytes) {
  size_t bytes;
  if (__builtin_mul_overflow(static_cast<size_t>(capacity), static_cast<size_t>(rowBytes), &bytes))
    return nullptr;
  size_t used = rows_ ? static_cast<size_t>(capacity_) * static_cast<size_t>(rowBytes) : 0;
  return Buffer::resize(rows_, bytes, used, !states_.empty());
}

int32_t List::reserve(SluiceList &list, int64_t rows, bool forPush) {
  auto &self = *static_cast<List *>(list.owner);
  bool isLimited = self.limit_ >= 0;
  if (forPush && isLimited && rows > self.limit_)
    return kFull;
  if (rows <= self.capacity_ && self.rows_) {
    list.rows = self.rows_->data();
    list.capacity = isLimited ? rows : self.capacity_;
    return 0;
  }
  if (rows > kMostElements)
    return -1;
  int64_t capacity = std::max(rows, roomierCapacity(self.capacity_, list.rowBytes));
  Buffer *buffer = self.resizedRows(capacity, list.rowBytes);
  if (!buffer && capacity > rows)
    buffer = self.resizedRows(capacity = rows, list.rowBytes);
  if (!buffer)
    return -1;
  if (!self.states_.empty()) {
    self.states_.resize(static_cast<size_t>(capacity), kSluiceRowEmpty);
    list.states = self.states_.data();
  }
  self.rows_ = buffer;
  self.capacity_ = capacity;
  list.rows = buffer->data();
  // With a limit, code has to ask before each push.
  list.capacity = isLimited ? rows : capacity;
  return 0;
}

int32_t List::reset(SluiceList &list, int64_t rows) {
  if (rows < 0 || rows > kMostElements)
    return -1;
  auto &self = *static_cast<List *>(list.owner);
  self.limit_ = -1;
  if (!self.states_.empty()) {
    std::fill(self.states_.begin(), self.states_.end(), uint8_t{kSluiceRowEmpty});
    auto bytes = static_cast<size_t>(self.capacity_) * static_cast<size_t>(list.rowBytes);
    if (bytes > 0)
      clearInPieces(self.rows_->data(), bytes);
  }
  list.length = rows;
  return reserve(list, rows);
}

Result<Ref<List>> List::clone() const {
  Ref<List> copy = make(length_, elementShape_, identical_);
  copy->isZeros_ = isZeros_;
  copy->markedLength_ = markedLength_;
  copy->limit_ = limit_;
  if (!hasRows_) {
    for (auto &[number, page] : pages_) {
      copy->pages_[number] = std::make_unique<Slot[]>(kPage);
      std::copy_n(page.get(), kPage, copy->pages_[number].get());
    }
    return copy;
  }
  copy->rowType_ = rowType_;
  copy->rowShape_ = rowShape_;
  copy->isRowOfTensor_ = isRowOfTensor_;
  copy->hasRows_ = true;
  copy->states_ = states_;
  copy->capacity_ = capacity_;
  copy->rows_ = rows_;
  if (rows_)
    rows_->retain();
  return copy;
}

std::optional<Tensor> List::asTensor() const {
  bool allSet =
      hasRows_ && std::all_of(states_.begin(), states_.begin() + (states_.empty() ? 0 : length_),
                              [](uint8_t state) { return state == kSluiceRowSet; });
  if (!allSet || rowShape_.rank() + 1 > Shape::kMaxRank)
    return std::nullopt;
  Shape shape{length_};
  for (int64_t size : rowShape_.dims())
    shape.append(size);
  size_t bytes = static_cast<size_t>(length_ * bytesOfRow(rowType_, rowShape_));
  if (rows_ && bytes > rows_->bytes() / 2) { // else a tensor would keep much that nobody sees
    rows_->keepNoForms();                    // the list goes on writing when it is alone again
    return Tensor::over(rowType_, shape, rows_);
  }
  Result<Tensor> whole = Tensor::allocate(rowType_, shape);
  if (!whole.ok())
    return std::nullopt;
  if (bytes > 0)
    copyInPieces(whole->raw(), rows_->data(), bytes);
  return std::move(*whole);
}

} // namespace sluice::rt
