// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of few and of many dims, known and unknown.
#include "runtime/memory/shape.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::rt {
namespace {

std::vector<int64_t> listOf(const Shape &shape) {
  return {shape.dims().begin(), shape.dims().end()};
}
std::vector<int64_t> countTo(int64_t last) {
  std::vector<int64_t> dims;
  for (int64_t i = 1; i <= last; ++i)
    dims.push_back(i);
  return dims;
}

// Up to 6 dims lie inside of the object.
TEST(Shape, KeepsItsDimsWhateverItsRank) {
  for (int64_t rank : {0, 1, 5, 6, 7, 8, 100}) {
    const std::vector<int64_t> dims = countTo(rank);
    Shape shape(dims);
    EXPECT_EQ(shape.rank(), rank);
    EXPECT_EQ(listOf(shape), dims);
    Shape copy = shape, assigned{9, 9}, many(countTo(20));
    assigned = shape;
    many = shape;
    EXPECT_EQ(listOf(copy), dims);
    EXPECT_EQ(listOf(assigned), dims);
    EXPECT_EQ(listOf(many), dims);
    if (rank > 0) {
      copy.setDim(0, 77);
      EXPECT_EQ(shape.dim(0), 1);
      EXPECT_EQ(copy.dim(0), 77);
    }
    Shape moved = std::move(assigned), into(countTo(20));
    into = std::move(many);
    EXPECT_EQ(listOf(moved), dims);
    EXPECT_EQ(listOf(into), dims);
    EXPECT_TRUE(assigned.isScalar());
    EXPECT_TRUE(many.isScalar());
    const Shape &self = moved;
    moved = self;
    EXPECT_EQ(listOf(moved), dims);
  }
}

TEST(Shape, DimsThatExistedStayWhenItGrowsOrShrinks) {
  for (int from : {0, 3, 6, 7, 20})
    for (int to : {0, 2, 6, 7, 9, 20, 30}) {
      Shape shape(countTo(from));
      shape.resize(to);
      std::vector<int64_t> expected = countTo(std::min(from, to));
      expected.resize(static_cast<size_t>(to), Shape::kUnknown);
      EXPECT_EQ(listOf(shape), expected) << from << " to " << to;
    }
  Shape grown;
  for (int64_t i = 1; i <= 9; ++i)
    grown.append(i);
  EXPECT_EQ(listOf(grown), countTo(9));
  Shape known = Shape::unknownRank();
  known.resize(2);
  EXPECT_EQ(listOf(known), (std::vector<int64_t>{-1, -1}));
}

TEST(Shape, MayKnowLittle) {
  EXPECT_FALSE(Shape::unknownRank().hasRank());
  EXPECT_EQ(Shape::unknownRank().rank(), -1);
  EXPECT_TRUE(Shape::unknownRank().dims().empty());
  EXPECT_FALSE(Shape::unknownRank().isComplete());
  EXPECT_FALSE(Shape::unknownRank().isScalar());
  EXPECT_FALSE(Shape::unknownDims(2).isComplete());
  EXPECT_FALSE((Shape{3, -1}).isComplete());
  EXPECT_TRUE((Shape{3, 0}).isComplete());
  EXPECT_TRUE(Shape().isComplete());
  EXPECT_TRUE(Shape().isScalar());
  EXPECT_FALSE(Shape{1}.isScalar());
}

TEST(Shape, CountsElements) {
  EXPECT_EQ(Shape().elements(), 1);
  EXPECT_EQ((Shape{2, 3, 4}).elements(), 24);
  EXPECT_EQ((Shape{2, 0, 4}).elements(), 0);
  EXPECT_EQ(*Shape().checkedElements(), 1);
  EXPECT_EQ(*(Shape{2, 3, 4}).checkedElements(), 24);
  constexpr int64_t kHalf = int64_t{1} << 62;
  EXPECT_EQ(*Shape{kHalf}.checkedElements(), kHalf);
  EXPECT_EQ((Shape{kHalf, 2}).checkedElements().status().message(),
            "element count of shape [4611686018427387904,2] overflows 64 bits");
  EXPECT_EQ(*(Shape{kHalf, 0}).checkedElements(), 0);
  EXPECT_EQ(*(Shape{0, kHalf}).checkedElements(), 0);
  EXPECT_EQ((Shape{0, 3, -1}).checkedElements().status().toString(),
            "INVALID_ARGUMENT: expected dims of at least 0 but got shape [0,3,?]");
}

TEST(Shape, AgreesWithWhatItMayBe) {
  const Shape known{2, 3};
  for (const Shape &other : {Shape{2, 3}, Shape{-1, 3}, Shape{2, -1}, Shape::unknownDims(2),
                             Shape::unknownRank()}) {
    EXPECT_TRUE(known.compatibleWith(other)) << other.toString();
    EXPECT_TRUE(other.compatibleWith(known)) << other.toString();
  }
  for (const Shape &other : {Shape{2}, Shape{2, 3, 1}, Shape{2, 4}, Shape{3, -1}, Shape{0, 3}}) {
    EXPECT_FALSE(known.compatibleWith(other)) << other.toString();
    EXPECT_FALSE(other.compatibleWith(known)) << other.toString();
  }
  EXPECT_EQ(known, (Shape{2, 3}));
  EXPECT_FALSE(known == (Shape{2, 4}));
  EXPECT_FALSE(known == Shape{2});
  EXPECT_FALSE(Shape() == Shape::unknownRank());
}

TEST(Shape, IsShownInBrackets) {
  EXPECT_EQ((Shape{2, -1, 3}).toString(), "[2,?,3]");
  EXPECT_EQ(Shape{0}.toString(), "[0]");
  EXPECT_EQ(Shape().toString(), "[]");
  EXPECT_EQ(Shape::unknownRank().toString(), "<unknown>");
}

} // namespace
} // namespace sluice::rt
