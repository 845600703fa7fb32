// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists as rows, as compiled code has them.
#include "runtime/state/list.h"

#include "runtime/memory/kept_forms.h"
#include "test/runtime/kernels/tensor_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice::rt {
namespace {

constexpr List::GetMode kRead{.dtype = DType::kF32};
constexpr List::GetMode kTake{.dtype = DType::kF32, .clear = true};

std::string get(List &list, int64_t index, List::GetMode mode = kRead) {
  Result<Tensor> value = list.get(index, mode, list.elementShape());
  return value.ok() ? textOf(*value) : value.status().toString();
}
void set(List &list, int64_t index, const std::string &value) {
  EXPECT_TRUE(list.set(index, tensorOf(value), {}).ok());
}

// What a codelet sees of a list of f32.
struct Lent {
  SluiceList list{};
  int64_t dims[Shape::kMaxRank] = {};
  Status status;

  Lent(List &from, const std::string &row, bool withStates, DType dtype = DType::kF32,
       bool changes = true) {
    status = from.lendRows(dtype, shapeOf(row), {withStates, changes}, list);
    list.dims = dims;
    for (int i = 0; status.ok() && i < from.rowShape().rank(); ++i)
      dims[i] = from.rowShape().dim(i);
  }
  float *row(int64_t index) const {
    return static_cast<float *>(list.rows) + index * list.rowBytes / 4;
  }
  void append(float value) {
    if (list.length == list.capacity)
      ASSERT_EQ(List::reserve(list, list.length + 1), 0);
    row(list.length)[0] = value;
    if (list.states)
      list.states[list.length] = kSluiceRowSet;
    ++list.length;
  }
};

std::string nine() { return "f32[3,3] 1 2 3 4 5 6 7 8 9"; }

// Rows of a tensor, of a copy and of what was made of a list are one memory until one is changed.
// What code sets fixes the shape of the others, which are zeros then.
TEST(ListRows, TheFirstThatIsSetFixesTheShape) {
  for (bool sets : {true, false}) {
    Ref<List> list = List::make(3, Shape({-1, 2}), true);
    SluiceList rows;
    int64_t dims[] = {4, 2};
    ASSERT_TRUE(list->lendRows(DType::kF32, Shape({4, 2}), {.withStates = true}, rows).ok());
    rows.dims = dims;
    if (sets)
      rows.states[1] = kSluiceRowSet;
    list->takeBack(rows);
    EXPECT_EQ(list->elementShape(), sets ? Shape({4, 2}) : Shape({-1, 2}));
    EXPECT_EQ(list->get(0, {.dtype = DType::kF32}, list->elementShape()).ok(), sets);
  }
}

// Code may say what rows are like before there is one.
TEST(ListRows, RowsThatWereNotSetTakeAnyShape) {
  Ref<List> list = List::make(2, Shape::unknownRank(), false);
  list->takeBack(Lent(*list, "[?]", true).list);
  Lent lent(*list, "[3]", true);
  ASSERT_EQ(lent.list.rowBytes, 12) << lent.status.toString();
  lent.list.states[1] = kSluiceRowSet;
  list->takeBack(lent.list);
  EXPECT_FALSE(Lent(*list, "[4]", true).status.ok());
}

TEST(ListRows, SharedUntilChanged) {
  Tensor whole = tensorOf(nine());
  Ref<List> list = *List::unstack(whole);
  Lent look(*list, "[3]", false, DType::kF32, /*changes=*/false);
  ASSERT_TRUE(look.status.ok());
  EXPECT_EQ(look.row(0), whole.data<float>());
  Ref<List> copy = *list->clone();
  EXPECT_EQ(Lent(*copy, "[3]", false, DType::kF32, false).row(0), whole.data<float>());

  Lent lent(*list, "[3]", false);
  EXPECT_NE(lent.row(0), whole.data<float>());
  lent.row(1)[0] = 40;
  list->takeBack(lent.list);
  EXPECT_EQ(get(*list, 1), "f32[3] 40 5 6");
  EXPECT_EQ(get(*copy, 1), "f32[3] 4 5 6");
  EXPECT_EQ(textOf(whole), nine());

  std::optional<Tensor> stacked = list->asTensor();
  ASSERT_TRUE(stacked);
  EXPECT_EQ(stacked->data<float>(), lent.row(0));
  EXPECT_FALSE(stacked->solelyOwned());
  Lent again(*list, "[3]", false);
  again.row(0)[0] = 10;
  list->takeBack(again.list);
  EXPECT_EQ(textOf(*stacked), "f32[3,3] 1 2 3 40 5 6 7 8 9");
  EXPECT_TRUE(stacked->solelyOwned());
  EXPECT_EQ(get(*list, 0), "f32[3] 10 2 3");
}

TEST(ListRows, SharedRowsThatAreTakenAway) {
  Tensor whole = tensorOf(nine());
  Ref<List> list = *List::unstack(whole);
  ASSERT_TRUE(list->resize(2).ok()); // what is behind the end is cleared, but not the tensor's
  EXPECT_EQ(get(*list, 0, kTake), "f32[3] 1 2 3");
  EXPECT_EQ(textOf(whole), nine());
  Lent lent(*list, "[3]", true);
  ASSERT_TRUE(lent.status.ok());
  EXPECT_EQ(lent.list.states[0], kSluiceRowCleared);
  EXPECT_EQ(lent.list.states[1], kSluiceRowSet);
  ASSERT_EQ(List::reserve(lent.list, 3), 0);
  EXPECT_EQ(lent.row(2)[2], 0);
}

// A tensor of a few rows does not keep the memory of many.
TEST(ListRows, FewOfManyAreCopied) {
  Ref<List> list = *List::unstack(tensorOf(nine()));
  ASSERT_TRUE(list->resize(1).ok());
  std::optional<Tensor> first = list->asTensor();
  ASSERT_TRUE(first);
  EXPECT_EQ(textOf(*first), "f32[1,3] 1 2 3");
  EXPECT_TRUE(first->solelyOwned());
}

TEST(ListRows, WithoutStates) {
  Ref<List> list = List::make(2, shapeOf("<unknown>"), false);
  set(*list, 0, "f32[2] 1 2");
  set(*list, 1, "f32[2] 3 4");
  Lent lent(*list, "[?]", false);
  ASSERT_TRUE(lent.status.ok());
  EXPECT_EQ(lent.list.states, nullptr);
  EXPECT_EQ(lent.list.length, 2);
  EXPECT_EQ(lent.list.rowBytes, 8);
  EXPECT_EQ(lent.list.emptyIsZeros, 0);
  EXPECT_EQ(lent.dims[0], 2);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(lent.list.rows) % 64, 0u);
  EXPECT_EQ(lent.row(1)[0], 3);
  lent.row(1)[0] = 7;
  list->takeBack(lent.list);
  EXPECT_EQ(get(*list, 1), "f32[2] 7 4");
  EXPECT_EQ(textOf(*list->asTensor()), "f32[2,2] 1 2 7 4");
}

TEST(ListRows, WithStates) {
  Ref<List> list = List::make(5, shapeOf("[]"), false);
  set(*list, 1, "f32 2");
  set(*list, 2, "f32 3");
  EXPECT_EQ(get(*list, 2, kTake), "f32 3");
  Lent lent(*list, "[]", true);
  ASSERT_TRUE(lent.status.ok());
  EXPECT_EQ(lent.list.emptyIsZeros, 1);
  EXPECT_EQ(lent.list.states[0], kSluiceRowEmpty);
  EXPECT_EQ(lent.list.states[1], kSluiceRowSet);
  EXPECT_EQ(lent.list.states[2], kSluiceRowCleared);
  EXPECT_EQ(lent.row(0)[0], 0);
  lent.row(0)[0] = 5;
  lent.list.states[0] = kSluiceRowSet;
  lent.list.states[1] = kSluiceRowCleared;
  list->takeBack(lent.list);
  EXPECT_FALSE(list->asTensor());
  EXPECT_EQ(get(*list, 0), "f32 5");
  EXPECT_EQ(get(*list, 1).substr(0, 39), "INVALID_ARGUMENT: Could not read index ");
  EXPECT_EQ(get(*list, 4), "f32 0");
}

// Code that asks for no states gets some where rows are not set.
TEST(ListRows, StatesWhereTheyAreNeeded) {
  Ref<List> list = List::make(2, shapeOf("[]"), false);
  set(*list, 0, "f32 1");
  Lent lent(*list, "[]", false);
  ASSERT_NE(lent.list.states, nullptr);
  lent.row(1)[0] = 2;
  lent.list.states[1] = kSluiceRowSet;
  list->takeBack(lent.list);
  Lent again(*list, "[]", false); // now all are
  EXPECT_EQ(again.list.states, nullptr);
  list->takeBack(again.list);
  Lent with(*list, "[]", true);
  EXPECT_EQ(with.list.states[1], kSluiceRowSet);
  for (int64_t i = 2; i < with.list.capacity; ++i)
    EXPECT_EQ(with.list.states[i], kSluiceRowEmpty);
}

TEST(ListRows, ZerosStayZeros) {
  Ref<List> list = List::make(1, shapeOf("<unknown>"), false);
  set(*list, 0, "f32[2] 1 2");
  Ref<List> zeros = *list->zerosLike();
  Lent lent(*zeros, "[2]", true);
  EXPECT_EQ(lent.list.states[0], kSluiceRowZeros);
  EXPECT_EQ(lent.row(0)[1], 0);
  zeros->takeBack(lent.list);
  ASSERT_TRUE(zeros->set(0, tensorOf("f32[2] -0 1"), {.accumulate = true}).ok());
  EXPECT_TRUE(std::signbit(zeros->get(0, kRead, Shape::unknownRank())->data<float>()[0]));
}

TEST(ListRows, ZerosLikeRows) {
  Ref<List> list = *List::unstack(tensorOf("f32[3,2] 1 2 3 4 5 6"));
  Ref<List> zeros = *list->zerosLike();
  EXPECT_EQ(get(*zeros, 2), "f32[2] 0 0");
  EXPECT_EQ(get(*list, 1, kTake), "f32[2] 3 4"); // now it has states
  zeros = *list->zerosLike();
  EXPECT_EQ(get(*zeros, 1), "f32[2] 0 0");
  EXPECT_EQ(get(*list, 1).substr(0, 39), "INVALID_ARGUMENT: Could not read index ");
}

TEST(ListRows, ReserveKeepsAll) {
  for (bool withStates : {false, true}) {
    Ref<List> list = List::make(0, shapeOf("<unknown>"), false);
    Lent lent(*list, "[]", withStates);
    ASSERT_TRUE(lent.status.ok());
    int64_t last = 0, grown = 0;
    for (int i = 0; i < 1000; ++i) {
      lent.append(static_cast<float>(i));
      if (lent.list.capacity != last) {
        EXPECT_GE(lent.list.capacity, 2 * last);
        last = lent.list.capacity;
        ++grown;
      }
    }
    EXPECT_LT(grown, 12);
    list->takeBack(lent.list);
    EXPECT_EQ(list->length(), 1000);
    Tensor whole = *list->asTensor();
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(whole.data<float>()[i], static_cast<float>(i));
  }
}

// The list goes on writing without asking.
TEST(ListRows, NoFormsAreKeptOfThem) {
  Ref<List> list = *List::unstack(tensorOf("f32[2,3] 1 2 3 4 5 6"));
  Lent lent(*list, "[3]", false);
  list->takeBack(lent.list);
  Tensor whole = *list->asTensor();
  ASSERT_EQ(whole.data<float>(), lent.row(0));
  for (int i = 0; i < 5; ++i)
    EXPECT_FALSE(KeptForms::find(*whole.buffer(), {0, 2, 3, 3, 1, 0}, 24, 0, [](void *) {}));
}

TEST(ListRows, NewRowsAreEmpty) {
  Ref<List> list = List::make(1, shapeOf("[]"), false);
  Lent lent(*list, "[]", true);
  ASSERT_EQ(List::reserve(lent.list, 100), 0);
  for (int64_t i = 0; i < lent.list.capacity; ++i) {
    ASSERT_EQ(lent.list.states[i], kSluiceRowEmpty);
    ASSERT_EQ(lent.row(i)[0], 0);
  }
}

TEST(ListRows, NoMoreThanThereIsMemory) {
  Ref<List> list = List::make(0, shapeOf("<unknown>"), false);
  Lent lent(*list, "[]", false);
  EXPECT_NE(List::reserve(lent.list, List::kMostElements + 1), 0);
  lent.list.rowBytes = INT64_MAX / 4;
  EXPECT_NE(List::reserve(lent.list, 16), 0);
  EXPECT_EQ(lent.list.length, 0);
  lent.list.rowBytes = 4;
  lent.append(1); // it is as it was
  list->takeBack(lent.list);
  EXPECT_EQ(get(*list, 0), "f32 1");
}

TEST(ListRows, Reset) {
  Ref<List> list = List::make(2, shapeOf("[]"), false);
  set(*list, 0, "f32 1");
  set(*list, 1, "f32 2");
  Lent lent(*list, "[]", true);
  ASSERT_EQ(List::reset(lent.list, 3), 0);
  EXPECT_EQ(lent.list.length, 3);
  for (int64_t i = 0; i < lent.list.capacity; ++i) {
    EXPECT_EQ(lent.list.states[i], kSluiceRowEmpty);
    EXPECT_EQ(lent.row(i)[0], 0);
  }
  EXPECT_NE(List::reset(lent.list, -1), 0);
  EXPECT_NE(List::reset(lent.list, List::kMostElements + 1), 0);
  list->takeBack(lent.list);
  EXPECT_EQ(list->length(), 3);
}

// What is behind the end is empty again, so that a list may grow later.
TEST(ListRows, Shrinks) {
  Ref<List> list = *List::unstack(tensorOf("f32[3] 1 2 3"));
  Lent lent(*list, "[]", true);
  lent.list.length = 1;
  list->takeBack(lent.list);
  Lent again(*list, "[]", true);
  EXPECT_EQ(again.list.states[1], kSluiceRowEmpty);
  EXPECT_EQ(again.row(2)[0], 0);
  list->takeBack(again.list);
  EXPECT_TRUE(list->resize(3).ok());
  EXPECT_TRUE(list->set(2, tensorOf("f32 9"), {.once = true}).ok());
  EXPECT_EQ(get(*list, 0), "f32 1");
}

TEST(ListRows, ShrinksWithoutStates) {
  Ref<List> list = *List::unstack(tensorOf("f32[3] 1 2 3"));
  EXPECT_EQ(textOf(*list->pop(DType::kF32)), "f32 3");
  Lent lent(*list, "[]", true);
  EXPECT_EQ(lent.list.length, 2);
  EXPECT_EQ(lent.list.states[2], kSluiceRowEmpty);
  EXPECT_EQ(lent.row(2)[0], 0);
}

TEST(ListRows, RowsOfAnotherShapeOrType) {
  Ref<List> list = *List::unstack(tensorOf("f32[2,2] 1 2 3 4"));
  EXPECT_EQ(Lent(*list, "[3]", false).status.toString(),
            "INTERNAL: a list of [2] where code expects [3]");
  EXPECT_EQ(Lent(*list, "[2]", false, DType::kF64).status.code(), Code::kInternal);
  Ref<List> mixed = List::make(2, shapeOf("<unknown>"), false);
  set(*mixed, 0, "f32[2] 1 2");
  EXPECT_EQ(Lent(*mixed, "[2]", true, DType::kI32).status.code(), Code::kInternal);
  set(*mixed, 1, "f32[3] 1 2 3");
  EXPECT_EQ(Lent(*mixed, "[?]", true).status.toString(),
            "INTERNAL: an element of a list has the shape [3] where code expects [2]");
  EXPECT_EQ(get(*mixed, 1), "f32[3] 1 2 3");
}

// Of a list without elements, nobody knows more than what code expects.
TEST(ListRows, NoRowsFitEveryShape) {
  Ref<List> list = List::make(0, shapeOf("<unknown>"), false);
  Lent first(*list, "[?]", false);
  EXPECT_EQ(first.dims[0], 0);
  first.dims[0] = 3; // code makes a list of its own
  list->takeBack(first.list);
  Lent second(*list, "[2,2]", false);
  ASSERT_TRUE(second.status.ok());
  EXPECT_EQ(second.list.rowBytes, 16);
  list->takeBack(second.list);
  Ref<List> known = List::make(2, shapeOf("[2]"), false);
  EXPECT_EQ(Lent(*known, "[?]", true).list.rowBytes, 8);
}

TEST(ListRows, ChangesApartFromCode) {
  Ref<List> list = *List::unstack(tensorOf("f32[2,2] 1 2 3 4"));
  EXPECT_TRUE(list->push(tensorOf("f32[2] 5 6")).ok());
  EXPECT_TRUE(list->set(0, tensorOf("f32[2] 10 20"), {.accumulate = true}).ok());
  EXPECT_FALSE(list->asTensor());
  Lent lent(*list, "[2]", false);
  ASSERT_TRUE(lent.status.ok());
  EXPECT_EQ(lent.list.states, nullptr);
  EXPECT_EQ(lent.row(0)[0], 11);
  EXPECT_EQ(lent.row(2)[1], 6);
  list->takeBack(lent.list);
  EXPECT_EQ(textOf(*list->asTensor()), "f32[3,2] 11 22 3 4 5 6");
}

TEST(ListRows, Clones) {
  Ref<List> list = *List::unstack(tensorOf("f32[2,2] 1 2 3 4"));
  Ref<List> copy = *list->clone();
  Lent lent(*copy, "[2]", false);
  lent.row(0)[0] = 9;
  copy->takeBack(lent.list);
  EXPECT_EQ(textOf(*list->asTensor()), "f32[2,2] 1 2 3 4");
  EXPECT_EQ(textOf(*copy->asTensor()), "f32[2,2] 9 2 3 4");
  EXPECT_EQ(get(*list, 1, kTake), "f32[2] 3 4"); // with states
  Ref<List> third = *list->clone();
  EXPECT_EQ(get(*third, 0), "f32[2] 1 2");
  EXPECT_EQ(get(*third, 1).substr(0, 39), "INVALID_ARGUMENT: Could not read index ");
  third = *list->clone();
  Lent states(*third, "[2]", true);
  EXPECT_EQ(states.list.states[1], kSluiceRowCleared);
}

TEST(ListRows, RowsWithoutElements) {
  Ref<List> list = *List::unstack(tensorOf("f32[3,0] "));
  Lent lent(*list, "[0]", true);
  ASSERT_TRUE(lent.status.ok());
  EXPECT_EQ(lent.list.rowBytes, 0);
  EXPECT_EQ(lent.list.length, 3);
  ASSERT_EQ(List::reserve(lent.list, 50), 0);
  lent.list.length = 2;
  list->takeBack(lent.list);
  EXPECT_EQ(get(*list, 1), "f32[0]");
  EXPECT_EQ(list->asTensor()->shape().toString(), "[2,0]");
}

TEST(ListRows, MoreDimsThanTensorsHave) {
  std::string ones = "1";
  for (int i = 1; i < Shape::kMaxRank; ++i)
    ones += ",1";
  Ref<List> list = List::make(1, shapeOf("<unknown>"), false);
  set(*list, 0, "f32[" + ones + "] 5");
  Lent lent(*list, "[" + ones + "]", false);
  ASSERT_TRUE(lent.status.ok());
  list->takeBack(lent.list);
  EXPECT_FALSE(list->asTensor());
}

} // namespace
} // namespace sluice::rt
