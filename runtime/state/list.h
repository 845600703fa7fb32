// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array of tensors that is a value. Kernels change a list that nobody else holds, and a copy of
// any other; so nobody who has a list sees it change.
//
// Elements lie apart, each a tensor, or as *rows* one behind the other, all of one shape: so
// compiled code takes and gives them. A list goes from one form to the other when somebody needs
// it. Rows may be those of a tensor or of another list, until one of them is changed.
#pragma once

#include "runtime/memory/object.h"
#include "runtime/memory/tensor.h"
#include "runtime/state/list_rows.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sluice::rt {

class List final : public Object {
public:
  static constexpr Kind kKind = Kind::kList;
  static constexpr int64_t kMostElements = INT32_MAX; // an index is an i32
  // To take or to put one, for TurnsOfCall; a large one asks by itself.
  static constexpr int64_t kCostOfElement = 512;

  // What may be known of elements: an empty one is zeros of a shape that is. With `identical` the
  // first element that is set fixes the shape.
  static Ref<List> make(int64_t length, const Shape &elementShape, bool identical);
  // Of the first dim of a tensor; `declared` is what it says of its elements.
  static Result<Ref<List>> unstack(const Tensor &value,
                                   const Shape &declared = Shape::unknownRank());
  ~List() override;

  int64_t length() const { return length_; }
  // How many elements count when all are joined. For zeros these are as many as the list that they
  // are for has last been split into.
  int64_t joinedLength() const { return isZeros_ && markedLength_ >= 0 ? markedLength_ : length_; }
  void markLength(int64_t length) { markedLength_ = length; }
  const Shape &elementShape() const { return elementShape_; }
  // Together with what an op knows of it.
  Result<Shape> narrowedElementShape(const Shape &shape) const;
  // From this length on a push fails; below 0 none does.
  int64_t limit() const { return limit_; }

  // ---- Looks, of which there may be several at a time ----

  // An invalid one where nothing was set; `dtype` is that of zeros, and what was set has to have
  // it.
  Result<Tensor> at(int64_t index, DType dtype) const;
  bool isEmptyAt(int64_t index) const { return isEmpty(stateAt(index)); }
  // An empty one is zeros of what is known of it, which is `expected` and what the list says, or
  // else has the shape of all that are set.
  Result<Tensor> peek(int64_t index, DType dtype, const Shape &expected) const;
  // What is known of elements of which this is known and which are as all that are set.
  Result<Shape> shapeOfAll(const Shape &known) const;

  // ---- Changes, of a list that nobody else holds ----

  struct GetMode {
    DType dtype;         // of what was set, and of the zeros that an empty element is
    bool clear = false;  // the element is gone afterwards
    bool beyond = false; // elements beyond the end are empty
  };
  Result<Tensor> get(int64_t index, GetMode mode, const Shape &narrowed);
  struct SetMode {
    bool grow = false, once = false, accumulate = false;
  };
  Status set(int64_t index, const Tensor &value, SetMode mode);
  Status push(const Tensor &value);
  // `expected` is what is known of an element that nothing was set to.
  Result<Tensor> pop(DType dtype, const Shape &expected = Shape::unknownRank());
  Status resize(int64_t length);
  Status declareShape(const Shape &shape);
  void declareLimit(int64_t limit) { limit_ = limit; }
  // Elementwise; what `other` has and this has not is what is there.
  Status add(const List &other);
  Status append(const List &other);

  // ---- Copies ----

  Result<Ref<List>> clone() const;
  // An element for each that is or was there, to which the first that is added is what is there.
  Result<Ref<List>> zerosLike() const;
  // All elements along a new first dim, when they lie as rows and all are there.
  std::optional<Tensor> asTensor() const;

  // ---- Compiled code ----

  // As rows of this type and of a shape that `row` allows; `list` is what the code gets, but for a
  // place for the dims, which are `rowShape`. INTERNAL if elements differ in shape.
  struct Loan {
    bool withStates = false, changes = true; // what code does
  };
  Status lendRows(DType dtype, const Shape &row, Loan loan, SluiceList &list);
  const Shape &rowShape() const { return rowShape_; }
  // What the code has made of them. Without states all rows are set; with `withStates` there are
  // some.
  void takeBack(const SluiceList &list);
  // Makes room for so many rows, and for more than there were by a good part of them. For a push no
  // more than the limit, which is kFull; a list that has one gets no more room than it is asked
  // for.
  static int32_t reserve(SluiceList &list, int64_t rows, bool forPush = false);
  static constexpr int32_t kFull = 1;
  // So many empty rows instead, in a list without limit.
  static int32_t reset(SluiceList &list, int64_t rows);
  // The first rows, and empty ones where there are fewer.
  static int32_t resizeRows(SluiceList &list, int64_t rows);

private:
  struct Slot {
    Tensor value; // invalid unless there
    Shape shape;  // of zeros, and of what has been cleared
    uint8_t state = kSluiceRowEmpty;
  };
  static constexpr int64_t kPage = 64;
  // Only those that were touched: a length is a number from the graph, not a promise of memory.
  using Pages = std::map<int64_t, std::unique_ptr<Slot[]>>;
  struct Place {
    int64_t index;
    Slot *slot;
  };

  List(int64_t length, Shape elementShape, bool identical)
      : Object(kKind), length_(length), elementShape_(std::move(elementShape)),
        identical_(identical) {}
  // Whether nothing was ever set there.
  static bool isEmpty(uint8_t state) { return state == kSluiceRowEmpty || state == kSluiceRowRead; }
  const Slot *slotAt(int64_t index) const; // null where nothing was done
  uint8_t stateAt(int64_t index) const;
  // All there may be something at, in order of their indices.
  std::vector<Place> touched(int64_t from = 0) const;
  Slot &touch(int64_t index);
  Status addSlot(int64_t index, const Slot &other);
  Status toSlots();
  Result<Shape> commonShape(const Shape &expected) const;
  bool tellsNoShape() const;
  Status toRows(DType dtype, const Shape &expected);
  Status checkShape(int64_t index, const Shape &shape);
  static Status checkType(int64_t index, DType found, DType expected);
  Result<Tensor> emptyElement(int64_t index, DType dtype, const Shape &narrowed) const;
  Result<Tensor> rowAt(int64_t index) const;
  // So that nobody else sees what is done to rows.
  Status ownRows();
  Buffer *resizedRows(int64_t capacity, int64_t rowBytes);
  Status addStates();
  void clearRows(int64_t from, int64_t to);

  int64_t length_;
  Shape elementShape_;
  bool identical_;
  bool hasRows_ = false, isZeros_ = false;
  int64_t markedLength_ = -1;
  int64_t limit_ = -1;
  Pages pages_;
  // As rows. Their number is the length; `states` has a byte for each of the capacity, or is empty
  // when all are there.
  DType rowType_ = DType::kInvalid;
  Shape rowShape_;
  bool isRowOfTensor_ = false; // of one that was taken apart, also if it had no rows
  Buffer *rows_ = nullptr;
  std::vector<uint8_t> states_;
  int64_t capacity_ = 0;
};

} // namespace sluice::rt
