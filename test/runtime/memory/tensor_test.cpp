// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors: where their elements lie, and who shares them.
#include "runtime/memory/tensor.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace sluice::rt {
namespace {

Tensor numbers(int64_t count) {
  Tensor tensor = *Tensor::allocate(DType::kI32, Shape{count});
  std::iota(tensor.data<int32_t>(), tensor.data<int32_t>() + count, 0);
  return tensor;
}
std::vector<int32_t> listOf(const Tensor &tensor) {
  return {tensor.values<int32_t>().begin(), tensor.values<int32_t>().end()};
}
bool liesInside(const Tensor &tensor) {
  auto at = reinterpret_cast<uintptr_t>(tensor.raw()), self = reinterpret_cast<uintptr_t>(&tensor);
  return at >= self && at < self + sizeof(Tensor);
}

TEST(Tensor, UpTo16BytesLieInside) {
  EXPECT_TRUE(liesInside(numbers(4)));
  EXPECT_FALSE(liesInside(numbers(5)));
  EXPECT_TRUE(liesInside(Tensor::scalar(std::complex<double>(1, 2))));
  EXPECT_FALSE(liesInside(Tensor::string("a")));
  const int32_t elements[5] = {4, 3, 2, 1, 0};
  Tensor few = *Tensor::view(DType::kI32, Shape{4}, elements);
  Tensor more = *Tensor::view(DType::kI32, Shape{5}, elements);
  EXPECT_TRUE(liesInside(few));
  EXPECT_EQ(more.raw(), elements);
  EXPECT_EQ(listOf(few), (std::vector<int32_t>{4, 3, 2, 1}));
  EXPECT_TRUE(few.solelyOwned());
  EXPECT_FALSE(more.solelyOwned()); // only one refers to it, but nobody may write
  EXPECT_FALSE(more.isRepeated());
}

TEST(Tensor, CopiesShareElementsAndClonesDoNot) {
  for (int64_t count : {3, 100}) {
    Tensor tensor = numbers(count);
    EXPECT_TRUE(tensor.solelyOwned());
    Tensor clone = *tensor.clone(), copy = tensor;
    EXPECT_EQ(tensor.solelyOwned(), count == 3); // small ones are copied
    EXPECT_EQ(copy.raw() == tensor.raw(), count == 100);
    EXPECT_TRUE(clone.solelyOwned());
    clone.data<int32_t>()[0] = 7;
    EXPECT_EQ(tensor.data<int32_t>()[0], 0);
    Tensor moved = std::move(copy);
    EXPECT_FALSE(copy.valid());
    EXPECT_EQ(listOf(moved), listOf(tensor));
    moved = clone;
    EXPECT_TRUE(tensor.solelyOwned());
    EXPECT_EQ(moved.data<int32_t>()[0], 7);
    const Tensor &self = moved;
    moved = self;
    EXPECT_EQ(moved.data<int32_t>()[0], 7);
    EXPECT_EQ(moved.dim(0), count);
  }
  Tensor words = *Tensor::allocate(DType::kString, Shape{2});
  words.data<std::string>()[1] = std::string(50, 'x');
  Tensor others = *words.clone();
  others.data<std::string>()[1] += "y";
  EXPECT_EQ(words.data<std::string>()[1].size(), 50u);
  EXPECT_EQ(others.data<std::string>()[1].size(), 51u);
}

TEST(Tensor, HasAnotherShapeOfTheSameElements) {
  Tensor tensor = numbers(12), matrix = tensor.reshaped(Shape{3, 4});
  EXPECT_EQ(matrix.raw(), tensor.raw());
  EXPECT_EQ(matrix.rank(), 2);
  EXPECT_EQ(matrix.bytes(), 48u);
  EXPECT_EQ(tensor.rank(), 1);
}

TEST(Tensor, WidensIntegers) {
  EXPECT_EQ(Tensor::scalar<int8_t>(-3).asInt(), -3);
  EXPECT_EQ(Tensor::scalar<uint8_t>(253).asInt(), 253);
  EXPECT_EQ(Tensor::scalar<uint32_t>(~0u).asInt(), 0xffffffff);
  EXPECT_EQ(Tensor::scalar(int64_t{1} << 40).asInt(), int64_t{1} << 40);
  EXPECT_EQ(numbers(20).asInt(17), 17);
  EXPECT_EQ(Tensor::scalar(5.f).asInt(), 0);
}

TEST(Tensor, ThatCannotBeIsAnError) {
  EXPECT_EQ(Tensor::allocate(DType::kF32, Shape{-1}).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(Tensor::allocate(DType::kF64, Shape{int64_t{1} << 61}).status().message(),
            "byte size of shape [2305843009213693952] overflows 64 bits");
  setMemoryLimit(1 << 30); // sanitizers end a process that asks the system for too much
  for (DType dtype : {DType::kF64, DType::kString})
    EXPECT_EQ(Tensor::allocate(dtype, Shape{int64_t{1} << 58}).status().code(),
              Code::kResourceExhausted);
  setMemoryLimit(0);
}

} // namespace
} // namespace sluice::rt
