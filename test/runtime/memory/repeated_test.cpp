// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors whose elements are all the same: what is read of them, what they take, and that nobody
// may write to them.
#include "runtime/memory/tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <fstream>
#include <string>

namespace sluice::rt {
namespace {

constexpr int64_t kMany = (16 << 20) / sizeof(float); // mapped
constexpr int64_t kFew = 1000;                        // copied

// What the process takes of the machine's memory; -1 where the system does not tell. A page that is
// mapped twice counts once.
int64_t residentBytes() {
  std::ifstream file("/proc/self/smaps_rollup");
  for (std::string word; file >> word;)
    if (int64_t kilobytes; word == "Pss:" && file >> kilobytes)
      return kilobytes << 10;
  return -1;
}

TEST(Repeated, EveryElementIsThatOne) {
  const float element = 1.5f;
  for (int64_t count : {int64_t{0}, int64_t{1}, int64_t{5}, kFew, kMany, kMany + 1, 3 * kMany}) {
    Result<Tensor> tensor = Tensor::repeated(DType::kF32, Shape{count}, &element);
    ASSERT_TRUE(tensor.ok());
    auto values = tensor->values<float>();
    EXPECT_EQ(std::count(values.begin(), values.end(), element), count);
  }
}

TEST(Repeated, ElementsMayHaveAnySize) {
  const std::complex<double> wide{1.25, -2.5};
  Result<Tensor> pairs = Tensor::repeated(DType::kC128, Shape{kMany}, &wide);
  ASSERT_TRUE(pairs.ok());
  auto values = pairs->values<std::complex<double>>();
  EXPECT_EQ(std::count(values.begin(), values.end(), wide), kMany);
  const uint8_t byte = 7;
  Result<Tensor> bytes = Tensor::repeated(DType::kU8, Shape{8 * kMany + 3}, &byte);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(std::count(bytes->data<uint8_t>(), bytes->data<uint8_t>() + bytes->elements(), byte),
            8 * kMany + 3);
}

TEST(Repeated, ManyTakeFewPagesAlsoWhenTheyAreRead) {
  constexpr int64_t kGigabyte = (int64_t{1} << 30) / sizeof(float);
  for (const float element : {2.f, 0.f}) {
    uint64_t live = memoryStats().liveBytes;
    int64_t before = residentBytes();
    if (before < 0)
      GTEST_SKIP() << "the system does not tell how much memory a process takes";
    Result<Tensor> tensor = Tensor::repeated(DType::kF32, Shape{kGigabyte}, &element);
    ASSERT_TRUE(tensor.ok());
    EXPECT_TRUE(tensor->isRepeated());
    for (int64_t i = 0; i < kGigabyte; i += 1024)
      ASSERT_EQ(tensor->data<float>()[i], element);
    EXPECT_LT(residentBytes() - before, 64 << 20);
    EXPECT_LT(memoryStats().liveBytes - live, 4096u);
  }
}

TEST(Repeated, NobodyMayOverwriteThem) {
  const float element = 3;
  for (int64_t count : {kFew, kMany}) {
    Result<Tensor> tensor = Tensor::repeated(DType::kF32, Shape{count}, &element);
    ASSERT_TRUE(tensor.ok());
    EXPECT_FALSE(tensor->solelyOwned());
    Result<Tensor> copy = tensor->clone();
    ASSERT_TRUE(copy.ok());
    EXPECT_TRUE(copy->solelyOwned());
    copy->data<float>()[0] = 4;
    EXPECT_EQ(tensor->data<float>()[0], element);
    Tensor other = *tensor;
    tensor->reset();
    EXPECT_EQ(other.data<float>()[count - 1], element); // lives as long as somebody refers to it
  }
}

TEST(Repeated, TooManyAreAnError) {
  const double element = 1;
  EXPECT_EQ(Tensor::repeated(DType::kF64, Shape{int64_t{1} << 61}, &element).status().code(),
            Code::kInvalidArgument);
  setMemoryLimit(1 << 30); // sanitizers end a process that asks the system for too much
  EXPECT_EQ(Tensor::repeated(DType::kF64, Shape{int64_t{1} << 55}, &element).status().code(),
            Code::kResourceExhausted);
  setMemoryLimit(0);
}

} // namespace
} // namespace sluice::rt
