// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements become zero, and that no one else's do.
#include "runtime/memory/denormals.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace sluice::rt {
namespace {

template <typename T> void expectFlushed() {
  constexpr T kNormal = std::numeric_limits<T>::min();
  constexpr T kLeast = std::numeric_limits<T>::denorm_min();
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  const T greatest = std::nextafter(kNormal, T(0));
  const std::vector<T> before = {kLeast,   -kLeast, greatest, -greatest, kNormal,
                                 -kNormal, T(1),    T(-0.0),  kInfinity};
  const std::vector<T> after = {0, T(-0.0), 0, T(-0.0), kNormal, -kNormal, 1, T(-0.0), kInfinity};
  Tensor tensor = Tensor::vector<T>(before), shared = tensor;
  ASSERT_TRUE(flushDenormals(tensor).ok());
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(tensor.data<T>()[i], after[i]) << i;
    EXPECT_EQ(std::signbit(tensor.data<T>()[i]), std::signbit(after[i])) << i;
    EXPECT_EQ(shared.data<T>()[i], before[i]) << i;
  }
}

TEST(Denormals, BecomeZerosOfTheirSign) {
  expectFlushed<float>();
  expectFlushed<double>();
}

TEST(Denormals, AreThoseOfEachPartOfComplexNumbers) {
  Tensor tensor = Tensor::scalar(std::complex<double>(1, -1e-310));
  ASSERT_TRUE(flushDenormals(tensor).ok());
  EXPECT_EQ(*tensor.data<std::complex<double>>(), std::complex<double>(1, 0));
  EXPECT_TRUE(std::signbit(tensor.data<std::complex<double>>()->imag()));
}

TEST(Denormals, OfBFloat16GoAndThoseOfHalfStay) {
  BFloat16 small;
  Half half;
  small.bits = 0x8001;
  half.bits = 0x8001;
  Tensor bfloat16 = Tensor::scalar(small), float16 = Tensor::scalar(half);
  ASSERT_TRUE(flushDenormals(bfloat16).ok());
  ASSERT_TRUE(flushDenormals(float16).ok());
  EXPECT_EQ(bfloat16.data<BFloat16>()->bits, 0x8000);
  EXPECT_EQ(float16.data<Half>()->bits, 0x8001);
}

TEST(Denormals, AreSearchedBehindWhatIsKnown) {
  constexpr float kLeast = std::numeric_limits<float>::denorm_min();
  Tensor first = Tensor::vector<float>(std::vector<float>{kLeast, 1, 1});
  Tensor last = Tensor::vector<float>(std::vector<float>{1, 1, kLeast});
  ASSERT_TRUE(flushDenormals(first, 4).ok());
  EXPECT_EQ(first.data<float>()[0], kLeast);
  ASSERT_TRUE(flushDenormals(last, 11).ok());
  EXPECT_EQ(last.data<float>()[2], 0);
}

// A denormal f64 may consist of a zero and a normal f32.
TEST(Denormals, OfOtherTypesAreSearchedInAllBytes) {
  Tensor tensor = Tensor::scalar(std::bit_cast<double>(uint64_t{0x3f800000}));
  ASSERT_TRUE(flushDenormals(tensor, 8).ok());
  EXPECT_EQ(*tensor.data<double>(), 0);
  BFloat16 small;
  small.bits = 1;
  Tensor bfloat16 = Tensor::vector<BFloat16>(std::vector<BFloat16>{small, small});
  ASSERT_TRUE(flushDenormals(bfloat16, 4).ok());
  EXPECT_EQ(bfloat16.data<BFloat16>()->bits, 0);
}

TEST(Denormals, IntegersAreNone) {
  Tensor tensor = Tensor::scalar<int32_t>(1);
  ASSERT_TRUE(flushDenormals(tensor).ok());
  EXPECT_EQ(*tensor.data<int32_t>(), 1);
}

} // namespace
} // namespace sluice::rt
