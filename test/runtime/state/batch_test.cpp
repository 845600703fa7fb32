// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that become batches, and components of tuples.
#include "runtime/state/batch.h"
#include "runtime/state/components.h"
#include "test/runtime/state/numbers.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

TEST(Batch, RowsHaveElementsOfTheirOwn) {
  Tensor batch = floats(Shape{2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor row = *rowOf(batch, 1);
  batch.data<float>()[3] = 9;
  EXPECT_EQ(row.shape(), Shape{3});
  EXPECT_EQ(valuesOf<float>(row), (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(*rowOf(texts({"a", "b"}), 1)->data<std::string>(), "b");
  EXPECT_EQ(rowOf(*Tensor::allocate(DType::kF32, Shape{2, 0}), 1)->elements(), 0);
}

TEST(Batch, PadsEachAxis) {
  Tensor small = floats(Shape{1, 2, 1}, {1, 2}), wide = floats(Shape{2, 1, 2}, {3, 4, 5, 6}),
         empty = *Tensor::allocate(DType::kF32, Shape{0, 2, 2});
  std::vector<const Tensor *> rows = {&small, &wide, &empty};
  Tensor batch = *batchOf(rows, DType::kF32, Shape{-1, -1, -1});
  EXPECT_EQ(batch.shape(), (Shape{3, 2, 2, 2}));
  EXPECT_EQ(valuesOf<float>(batch), (std::vector<float>{1, 0, 2, 0, 0, 0, 0, 0, //
                                                        3, 4, 0, 0, 5, 6, 0, 0, //
                                                        0, 0, 0, 0, 0, 0, 0, 0}));
  Tensor one = texts({"x"}), two = texts({"y", "z"});
  rows = {&one, &two};
  EXPECT_EQ(valuesOf<std::string>(*batchOf(rows, DType::kString, Shape{-1})),
            (std::vector<std::string>{"x", "", "y", "z"}));
  EXPECT_EQ(batchOf({}, DType::kF32, Shape{-1, 3})->shape(), (Shape{0, 0, 3}));
}

TEST(Components, AreWhatTheCompilerPasses) {
  Components components({{DType::kF32, Shape{2, -1}},
                         {DType::kI64, Shape::unknownRank()},
                         {DType::kString, Shape()}});
  std::vector<int64_t> numbers = components.numbers();
  EXPECT_EQ(numbers, (std::vector<int64_t>{static_cast<int64_t>(DType::kF32), 2, 2, -1,
                                           static_cast<int64_t>(DType::kI64), -1,
                                           static_cast<int64_t>(DType::kString), 0}));
  EXPECT_EQ(Components::of(numbers), components);
  EXPECT_EQ(Components::ofContent(numbers), components);
  EXPECT_FALSE(components.haveShapes());
  EXPECT_EQ(components.toString(), "f32 [2,?], i64 <unknown>, string []");
  numbers.pop_back();
  EXPECT_EQ(Components::ofContent(numbers).size(), 0u);
  EXPECT_EQ(Components::ofContent(std::vector<int64_t>{0, 1, -2}).size(), 0u);
  EXPECT_EQ(Components::ofContent(std::vector<int64_t>{0, 1}).size(), 0u);
  EXPECT_EQ(Components::ofContent(std::vector<int64_t>{0, 0}).size(), 1u);
}

TEST(Components, OfBatchesHaveOneSize) {
  Components components({{DType::kF32, Shape{2}}, {DType::kI64, Shape::unknownRank()}});
  std::vector<Tensor> good = {floats(Shape{3, 2}, {1, 2, 3, 4, 5, 6}), i64s({1, 2, 3})};
  EXPECT_TRUE(components.check(good, true).ok());
  EXPECT_FALSE(components.check(good, false).ok());
  std::vector<Tensor> other = {good[0], i64s({1, 2})};
  EXPECT_FALSE(components.check(other, true).ok());
  std::vector<Tensor> scalar = {good[0], Tensor::scalar(int64_t{1})};
  EXPECT_FALSE(components.check(scalar, true).ok());
}

} // namespace
} // namespace sluice::rt
