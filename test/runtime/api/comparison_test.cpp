// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparison of tensors for --expected.
#include "runtime/api/comparison.h"

#include "runtime/io/tensor_text.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

std::string compare(const char *got, const char *expected, Tolerance tolerance = {}) {
  Result<Tensor> g = parseTensorLiteral(got, DType::kF32, Shape{}, 0);
  Result<Tensor> e = parseTensorLiteral(expected, DType::kF32, Shape{}, 0);
  return describeMismatch("y", *g, *e, tolerance);
}

TEST(Comparison, SpecialValuesAgreeWithThemselves) {
  EXPECT_EQ(compare("4xf32=nan,inf,-inf,-0", "4xf32=nan,inf,-inf,0"), "");
  EXPECT_NE(compare("f32=inf", "f32=-inf", {1, 1}), "");
  EXPECT_NE(compare("f32=1", "f32=inf", {1, 1}), "");
  EXPECT_NE(compare("f32=inf", "f32=1", {1, 1}), "");
  EXPECT_NE(compare("f32=nan", "f32=1", {1, 1}), "");
  EXPECT_NE(compare("f32=1", "f32=nan", {1, 1}), "");
  EXPECT_EQ(compare("c64=nan+infi", "c64=nan+infi"), "");
}

TEST(Comparison, NamesTheFirstDifference) {
  EXPECT_EQ(compare("2x2xi64=1,2,3,4", "2x2xi64=1,2,5,6"),
            "output 'y' at [1,0]: expected 5 but got 3; 2 of 4 elements differ (rtol 0, atol 0)");
  EXPECT_EQ(compare("bool=true", "bool=false"),
            "output 'y' at []: expected false but got true; 1 of 1 elements differ");
  EXPECT_EQ(compare("2xstring=a,b", "2xstring=a,c"),
            "output 'y' at [1]: expected \"c\" but got \"b\"; 1 of 2 elements differ");
}

TEST(Comparison, LargeIntegersAreExact) {
  EXPECT_NE(compare("i64=9223372036854775807", "i64=9223372036854775806"), "");
  EXPECT_NE(compare("u64=18446744073709551615", "u64=18446744073709551614", {0, 0.5}), "");
  EXPECT_EQ(compare("u64=18446744073709551615", "u64=18446744073709551614", {0, 1}), "");
}

TEST(Comparison, TolerancesDependOnTheDtype) {
  EXPECT_EQ(compare("f16=1.001", "f16=1", defaultTolerance(DType::kF16)), "");
  EXPECT_NE(compare("f32=1.001", "f32=1", defaultTolerance(DType::kF32)), "");
  EXPECT_EQ(compare("c128=1+1e-13i", "c128=1", defaultTolerance(DType::kC128)), "");
  EXPECT_NE(compare("i8=1", "i8=2", defaultTolerance(DType::kI8)), "");
}

} // namespace
