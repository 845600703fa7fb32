// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of lists that grow: what they keep, what is touched for it, and what it takes.
#include "runtime/memory/guard_pages.h"
#include "runtime/state/list.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sys/resource.h>

namespace sluice::rt {
namespace {

constexpr int64_t kRow = 4096;
constexpr int64_t kMega = 1 << 20;

// A list of rows that compiled code has.
struct Lent {
  Ref<List> owner = List::make(0, Shape{kRow}, true);
  SluiceList rows{};
  int64_t dims[Shape::kMaxRank] = {kRow};

  explicit Lent(bool withStates = false) {
    EXPECT_TRUE(owner->lendRows(DType::kU8, Shape{kRow}, {.withStates = withStates}, rows).ok());
    rows.dims = dims;
  }
  uint8_t *row(int64_t index) const { return static_cast<uint8_t *>(rows.rows) + index * kRow; }
  static int byteOf(int64_t index) { return static_cast<int>(index % 251); }
  // As code does. False when memory is exhausted.
  bool push() {
    if (rows.length == rows.capacity && List::reserve(rows, rows.length + 1) != 0)
      return false;
    std::memset(row(rows.length), byteOf(rows.length), kRow);
    if (rows.states)
      rows.states[rows.length] = kSluiceRowSet;
    ++rows.length;
    return true;
  }
  bool pushTo(int64_t length) {
    while (rows.length < length)
      if (!push())
        return false;
    return true;
  }
  void expectContent() const {
    for (int64_t i = 0; i < rows.length; ++i)
      ASSERT_TRUE(row(i)[0] == byteOf(i) && row(i)[kRow - 1] == byteOf(i)) << i;
    if (rows.states)
      for (int64_t i = rows.length; i < rows.capacity; ++i)
        ASSERT_TRUE(row(i)[0] == 0 && row(i)[kRow - 1] == 0 && rows.states[i] == kSluiceRowEmpty);
  }
};

int64_t touchedPages() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

TEST(ListGrowth, RowsStayWhatTheyAre) {
  for (GuardSide side : {GuardSide::kNone, GuardSide::kBehind, GuardSide::kBefore})
    for (bool withStates : {false, true}) {
      guardBuffers(side);
      Lent list(withStates);
      for (int64_t length : {1, 3, 100, 1000, 5000}) {
        ASSERT_TRUE(list.pushTo(length));
        list.expectContent();
      }
      guardBuffers(GuardSide::kNone);
    }
}

TEST(ListGrowth, ManyRowsAreNotCopied) {
  for (bool withStates : {false, true}) {
    Lent list(withStates);
    ASSERT_TRUE(list.pushTo(64 * kMega / kRow));
    int64_t before = touchedPages();
    for (int64_t length = 64 * kMega / kRow; length < 256 * kMega / kRow; length *= 2)
      ASSERT_EQ(List::reserve(list.rows, length), 0);
    // A byte of state for each row is copied, but no row, which would touch each page of it.
    EXPECT_LT(touchedPages() - before, 1000);
    list.expectContent();
  }
}

TEST(ListGrowth, TakesAQuarterMoreAtMost) {
  Lent list;
  ASSERT_TRUE(list.pushTo(100 * kMega / kRow));
  EXPECT_LE(list.rows.capacity, 126 * kMega / kRow);
  uint64_t live = memoryStats().liveBytes;
  while (list.rows.length < list.rows.capacity)
    ASSERT_TRUE(list.push());
  EXPECT_EQ(memoryStats().liveBytes, live);
}

TEST(ListGrowth, GoesUpToTheLimit) {
  setMemoryLimit(1); // what is free goes back
  setMemoryLimit(memoryStats().heldBytes + 100 * kMega);
  Lent list;
  while (list.push()) {
  }
  EXPECT_GE(list.rows.length, 99 * kMega / kRow);
  list.expectContent();
  setMemoryLimit(0);
  EXPECT_TRUE(list.push());
}

// Of a value that somebody else has, too, nothing moves.
TEST(ListGrowth, LeavesTensorsOfTheRowsAlone) {
  Lent list;
  ASSERT_TRUE(list.pushTo(5 * kMega / kRow));
  list.owner->takeBack(list.rows);
  std::optional<Tensor> whole = list.owner->asTensor();
  ASSERT_TRUE(whole);
  const void *at = whole->raw();
  ASSERT_TRUE(list.owner->lendRows(DType::kU8, Shape{kRow}, {}, list.rows).ok());
  list.rows.dims = list.dims;
  ASSERT_TRUE(list.pushTo(50 * kMega / kRow));
  EXPECT_EQ(whole->raw(), at);
  for (int64_t i = 0; i < whole->dim(0); ++i)
    ASSERT_EQ(whole->data<uint8_t>()[i * kRow], Lent::byteOf(i));
  list.expectContent();
}

} // namespace
} // namespace sluice::rt
