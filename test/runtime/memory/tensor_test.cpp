// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors: where their elements lie, who shares them, and what they take of memory.
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

// ---- Memory -------------------------------------------------------------------------------------

class Memory : public testing::Test {
protected:
  MemoryStats since() const {
    MemoryStats now = memoryStats();
    now.allocations -= before_.allocations;
    now.systemAllocations -= before_.systemAllocations;
    now.liveBytes -= before_.liveBytes;
    return now;
  }
  const MemoryStats before_ = memoryStats();
};

constexpr int64_t kHeader = 64; // of each buffer, in bytes

TEST_F(Memory, IsCountedWithHeaders) {
  {
    Tensor tensor = numbers(1000), copy = tensor, few = numbers(3);
    EXPECT_EQ(since().liveBytes, 4000u + kHeader);
    EXPECT_EQ(since().allocations, 1u);
    EXPECT_GE(memoryStats().peakBytes, before_.liveBytes + 4000 + kHeader);
    tensor.reset();
    EXPECT_EQ(since().liveBytes, 4000u + kHeader);
    const int32_t elements[5] = {};
    Tensor view = *Tensor::view(DType::kI32, Shape{5}, elements);
    EXPECT_EQ(since().liveBytes, 4000u + 2 * kHeader);
  }
  EXPECT_EQ(since().liveBytes, 0u);
  EXPECT_EQ(since().allocations, 2u);
}

TEST_F(Memory, OfABufferIsAlignedTo64Bytes) {
  for (int64_t count : {5, 33, 1000})
    EXPECT_EQ(reinterpret_cast<uintptr_t>(numbers(count).raw()) % 64, 0u);
}

// Sizes are powers of 2, header included.
TEST_F(Memory, IsUsedAgainByWhatFits) {
  const int64_t whole = 8192 - kHeader;
  auto bytes = [](int64_t count) { return *Tensor::allocate(DType::kU8, Shape{count}); };
  bytes(whole).reset();
  uint64_t fromSystem = since().systemAllocations;
  const void *used = bytes(whole).raw();
  EXPECT_EQ(bytes(whole / 2 + 1).raw(), used);
  EXPECT_EQ(since().systemAllocations, fromSystem);
  Tensor held = bytes(whole);
  EXPECT_EQ(held.raw(), used);
  EXPECT_NE(bytes(whole + 1).raw(), used);
  held.reset();
  EXPECT_NE(bytes(4096 - kHeader).raw(), used);
  EXPECT_EQ(bytes(4096 - kHeader + 1).raw(), used);
  bytes(kHeader).reset();
  const void *small = bytes(kHeader).raw();
  EXPECT_EQ(bytes(17).raw(), small);
  EXPECT_NE(bytes(kHeader + 1).raw(), small);
}

// More than 64 MiB go back to the system.
TEST_F(Memory, OfLargeBuffersIsNotKept) {
  const int64_t most = (int64_t{64} << 20) - kHeader;
  for (auto [count, isKept] : {std::pair(most, true), {most + 1, false}}) {
    Tensor first = *Tensor::allocate(DType::kU8, Shape{count});
    first.reset();
    uint64_t fromSystem = memoryStats().systemAllocations;
    Tensor second = *Tensor::allocate(DType::kU8, Shape{count});
    EXPECT_EQ(memoryStats().systemAllocations, fromSystem + !isKept) << count;
    second.data<uint8_t>()[count - 1] = 1;
  }
}

TEST_F(Memory, HasALimit) {
  setMemoryLimit(before_.liveBytes + 1000 + kHeader);
  Result<Tensor> more = Tensor::allocate(DType::kU8, Shape{1001});
  Result<Tensor> most = Tensor::allocate(DType::kU8, Shape{1000});
  Result<Tensor> another = Tensor::allocate(DType::kU8, Shape{17});
  Result<Tensor> inside = Tensor::allocate(DType::kU8, Shape{16});
  setMemoryLimit(0);
  EXPECT_EQ(more.status().toString(), "RESOURCE_EXHAUSTED: cannot allocate 1001 bytes for a u8 "
                                      "tensor of shape [1001]");
  EXPECT_TRUE(most.ok());
  EXPECT_EQ(another.status().code(), Code::kResourceExhausted);
  EXPECT_TRUE(inside.ok());
  EXPECT_EQ(since().liveBytes, 1000u + kHeader);
}

} // namespace
} // namespace sluice::rt
