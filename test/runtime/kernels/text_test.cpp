// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings made of strings and of numbers.
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/long_firing.h"

namespace sluice::rt {
namespace {

const Kernel &kJoin = sluice_kernel_nd_join_texts_any;
const Kernel &kDecimal = sluice_kernel_nd_decimal_any;
using Texts = std::vector<std::string>;

Tensor texts(const Shape &shape, const Texts &values) { return tensor<std::string>(shape, values); }

TEST(JoinTexts, ScalarsGoWithEveryPosition) {
  auto join = [](const std::vector<Tensor> &inputs, const char *separator) {
    KernelResult result = callKernel(kJoin, inputs, {textAttr(separator)});
    EXPECT_TRUE(result.ok()) << result.status.toString();
    return result;
  };
  KernelResult rows = join({texts({}, {"a"}), texts({2}, {"b", ""}), texts({}, {"c"})}, "/");
  EXPECT_EQ(rows->shape(), Shape({2}));
  EXPECT_EQ(valuesOf<std::string>(*rows), (Texts{"a/b/c", "a//c"}));
  EXPECT_EQ(valuesOf<std::string>(*join({texts({}, {"a"})}, "/")), Texts{"a"});
  EXPECT_EQ(join({texts({}, {"a"}), texts({2, 0}, {})}, "")->shape(), Shape({2, 0}));
  EXPECT_EQ(errorOf(callKernel(kJoin, {texts({1}, {"a"}), texts({2}, {"b", "c"})}, {textAttr("")})),
            "expected scalars and strings of one shape but got the shapes [1] and [2]");
}

TEST(JoinTexts, Shapes) {
  std::vector<Attr> none = {textAttr("")};
  EXPECT_EQ(inferShape(kJoin, {{}, {}}, none), "[]");
  EXPECT_EQ(inferShape(kJoin, {{}, {2, 3}, {}}, none), "[2,3]");
  EXPECT_EQ(inferShape(kJoin, {{}, kAnyShape}, none), "<unknown>");
  EXPECT_EQ(inferShape(kJoin, {kAnyShape, {2, Shape::kUnknown}, {Shape::kUnknown, 3}}, none),
            "[2,3]");
}

TEST(Decimal, DigitsAndWidth) {
  KernelResult result = callKernel(kDecimal, {tensor<int32_t>({4}, {3, -3, 123456, 0})},
                                   {DType::kString}, {intAttr(5)});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(valuesOf<std::string>(*result), (Texts{"00003", "-0003", "123456", "00000"}));
  result = callKernel(kDecimal, {Tensor::scalar(UINT64_MAX)}, {DType::kString}, {intAttr(0)});
  EXPECT_EQ(valuesOf<std::string>(*result), Texts{"18446744073709551615"});
}

} // namespace
} // namespace sluice::rt
