// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors and error codes are compared as the fixtures' rules say.
#include "tools/sluice-conformance/compare.h"

#include "gtest/gtest.h"

#include <limits>

using namespace sluice::conformance;

namespace {

template <typename T>
Tensor tensor(const char *dtype, std::vector<int64_t> shape, std::vector<T> elements) {
  Tensor result;
  result.dtype = dtype;
  result.shape = std::move(shape);
  result.bytes.assign(reinterpret_cast<const char *>(elements.data()), elements.size() * sizeof(T));
  return result;
}

Tensor floats(std::vector<float> elements) {
  return tensor<float>("float32", {static_cast<int64_t>(elements.size())}, elements);
}

bool agree(const Tensor &got, const Tensor &want) {
  return !findMismatch(got, want, Depth::kValues);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Compare, Float32HasRelativeAndAbsoluteTolerance) {
  EXPECT_TRUE(agree(floats({100.0009f}), floats({100})));
  EXPECT_FALSE(agree(floats({100.01f}), floats({100})));
  EXPECT_TRUE(agree(floats({9e-7f}), floats({0})));
  EXPECT_FALSE(agree(floats({2e-6f}), floats({0})));
}

TEST(Compare, Float64IsStricter) {
  EXPECT_FALSE(
      agree(tensor<double>("float64", {}, {1 + 1e-9}), tensor<double>("float64", {}, {1})));
  EXPECT_TRUE(
      agree(tensor<double>("float64", {}, {1 + 1e-13}), tensor<double>("float64", {}, {1})));
}

TEST(Compare, HalfAndBfloat16AreDecoded) {
  // 1.0 and the next larger numbers.
  EXPECT_TRUE(agree(tensor<uint16_t>("float16", {1}, {0x3c01}),
                    tensor<uint16_t>("float16", {1}, {0x3c00})));
  EXPECT_FALSE(agree(tensor<uint16_t>("float16", {1}, {0x3c10}),
                     tensor<uint16_t>("float16", {1}, {0x3c00})));
  EXPECT_TRUE(agree(tensor<uint16_t>("bfloat16", {1}, {0x3f81}),
                    tensor<uint16_t>("bfloat16", {1}, {0x3f80})));
  EXPECT_FALSE(agree(tensor<uint16_t>("bfloat16", {1}, {0x3f90}),
                     tensor<uint16_t>("bfloat16", {1}, {0x3f80})));
}

TEST(Compare, NanAgreesOnlyWithNan) {
  EXPECT_TRUE(agree(floats({kNan}), floats({kNan})));
  EXPECT_FALSE(agree(floats({0}), floats({kNan})));
  EXPECT_FALSE(agree(floats({kNan}), floats({0})));
}

TEST(Compare, InfinityAgreesOnlyWithItself) {
  EXPECT_TRUE(agree(floats({-kInf}), floats({-kInf})));
  EXPECT_FALSE(agree(floats({kInf}), floats({-kInf})));
  EXPECT_FALSE(agree(floats({3e38f}), floats({kInf})));
}

TEST(Compare, ComplexPartsShareTheScaleOfTheNumber) {
  Tensor want = tensor<float>("complex64", {1}, {1000, 0});
  EXPECT_TRUE(agree(tensor<float>("complex64", {1}, {1000, 0.005f}), want));
  EXPECT_FALSE(agree(tensor<float>("complex64", {1}, {1000, 0.5f}), want));
  EXPECT_TRUE(agree(tensor<float>("complex64", {1}, {kNan, 1}),
                    tensor<float>("complex64", {1}, {2, kNan})));
}

TEST(Compare, IntegersAreExactAndSigned) {
  Tensor want = tensor<int32_t>("int32", {2}, {7, -3});
  EXPECT_TRUE(agree(want, want));
  EXPECT_EQ(findMismatch(tensor<int32_t>("int32", {2}, {7, -4}), want, Depth::kValues),
            "element 1: expected -3 but got -4");
}

TEST(Compare, StringsAreExact) {
  Tensor a, b;
  a.dtype = b.dtype = "string";
  a.shape = b.shape = {2};
  a.strings = {"x", std::string("y\0z", 3)};
  b.strings = {"x", "y"};
  EXPECT_TRUE(agree(a, a));
  EXPECT_FALSE(agree(b, a));
}

TEST(Compare, DtypeAndShapeAlwaysCount) {
  EXPECT_EQ(
      findMismatch(floats({1, 2}), tensor<int32_t>("int32", {2}, {1, 2}), Depth::kShapeAndDtype),
      "expected dtype int32 but got float32");
  EXPECT_EQ(findMismatch(floats({1, 2}), tensor<float>("float32", {2, 1}, {1, 2}), Depth::kValues),
            "expected shape [2,1] but got [2]");
}

TEST(Compare, RandomRunsCompareNoValues) {
  EXPECT_EQ(findMismatch(floats({1}), floats({5}), Depth::kShapeAndDtype), std::nullopt);
}

TEST(Compare, EmptyTensorsAgree) {
  EXPECT_TRUE(agree(tensor<float>("float32", {0, 3}, {}), tensor<float>("float32", {0, 3}, {})));
}

TEST(Compare, PlainNumbersTakeTheToleranceOfTheValue) {
  EXPECT_EQ(findMismatch(tensor<float>("float32", {}, {1.000001f}), 1.0, "float32", Depth::kValues),
            std::nullopt);
  EXPECT_NE(findMismatch(tensor<float>("float32", {}, {1.1f}), 1.0, "float32", Depth::kValues), std::nullopt);
  EXPECT_NE(findMismatch(tensor<int32_t>("int32", {}, {1}), 1.0, "float32", Depth::kValues), std::nullopt);
}

TEST(Compare, ExceptionNamesBecomeCodes) {
  EXPECT_EQ(errorCodeOf("InvalidArgumentError"), "INVALID_ARGUMENT");
  EXPECT_EQ(errorCodeOf("OutOfRangeError"), "OUT_OF_RANGE");
  EXPECT_EQ(errorCodeOf("CancelledError"), "CANCELLED");
  EXPECT_EQ(errorCodeOf("INVALID_ARGUMENT"), "INVALID_ARGUMENT");
}

} // namespace
