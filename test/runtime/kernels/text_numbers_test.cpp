// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as strings, numbers of strings, hashes, and strings made of many.
#include "runtime/kernels/text_hashes.h"
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/long_firing.h"

#include <cmath>
#include <limits>

namespace sluice::rt {
namespace {

using Texts = std::vector<std::string>;
constexpr float kInf = std::numeric_limits<float>::infinity();

struct Form {
  const char *fill = "", *form = "decimal";
  int64_t precision = -1, width = -1;
};
Texts asText(const Tensor &x, const Form &form = {}) {
  KernelResult result = callKernel(
      sluice_kernel_nd_as_text_any, {x}, {DType::kString},
      {textAttr(form.fill), textAttr(form.form), intAttr(form.precision), intAttr(form.width)});
  EXPECT_TRUE(result.ok()) << result.status.toString();
  return valuesOf<std::string>(*result);
}

TEST(AsText, Integers) {
  Tensor x = tensor<int32_t>({2}, {3, -4});
  EXPECT_EQ(asText(x), (Texts{"3", "-4"}));
  EXPECT_EQ(asText(x, {.width = 6}), (Texts{"     3", "    -4"}));
  EXPECT_EQ(asText(x, {.fill = "0", .width = 6}), (Texts{"000003", "-00004"}));
  EXPECT_EQ(asText(x, {.fill = "-", .width = 6}), (Texts{"3     ", "-4    "}));
  EXPECT_EQ(asText(x, {.fill = "+", .width = 6}), (Texts{"    +3", "    -4"}));
  EXPECT_EQ(asText(Tensor::scalar(UINT64_MAX)), Texts{"18446744073709551615"});
  EXPECT_EQ(asText(Tensor::scalar(INT64_MIN)), Texts{"-9223372036854775808"});
  EXPECT_EQ(asText(Tensor::scalar<uint8_t>(200)), Texts{"200"});
  EXPECT_EQ(asText(tensor<bool>({2}, {true, false}), {.width = 9}), (Texts{"true", "false"}));
}

TEST(AsText, Floats) {
  Tensor x = tensor<float>({4}, {1.5f, NAN, kInf, 1e20f});
  EXPECT_EQ(asText(x), (Texts{"1.500000", "nan", "inf", "100000002004087734272.000000"}));
  EXPECT_EQ(asText(x, {.form = "scientific"}),
            (Texts{"1.500000e+00", "nan", "inf", "1.000000e+20"}));
  EXPECT_EQ(asText(x, {.form = "shortest"}), (Texts{"1.5", "nan", "inf", "1e+20"}));
  EXPECT_EQ(asText(x, {.fill = "0", .precision = 2, .width = 6}),
            (Texts{"001.50", "   nan", "   inf", "100000002004087734272.00"}));
  EXPECT_EQ(asText(Tensor::scalar(Half(1.1f)), {.form = "shortest", .precision = 9}),
            Texts{"1.09960938"});
  EXPECT_EQ(asText(Tensor::scalar(std::complex<float>(1, 2)), {.precision = 1}),
            Texts{"(1.0,2.0)"});
  EXPECT_EQ(asText(Tensor::scalar(1e308), {.width = 1000})[0].size(), 1000u);
  EXPECT_EQ(asText(tensor<float>({0}, {})), Texts{});
}

TEST(AsText, Strings) {
  Tensor x = tensor<std::string>({2}, {std::string("a\0b", 3), "abcd"});
  EXPECT_EQ(asText(x), (Texts{std::string("a\0b", 3), "abcd"}));
  EXPECT_EQ(asText(x, {.fill = "-", .precision = 2, .width = 3}),
            (Texts{std::string("a\0 ", 3), "ab "}));
}

template <typename T> KernelResult parse(const Texts &values) {
  return callKernel(sluice_kernel_nd_parse_number_any,
                    {tensor<std::string>({static_cast<int64_t>(values.size())}, values)},
                    {DTypeOf<T>::value});
}
template <typename T> std::vector<T> numbersOf(const Texts &values) {
  KernelResult result = parse<T>(values);
  EXPECT_TRUE(result.ok()) << result.status.toString();
  return valuesOf<T>(*result);
}

TEST(ParseNumber, Floats) {
  EXPECT_EQ(
      numbersOf<float>({"1", " 1.5\n", "+.5", "-1e3", "1.", "0x1.8p3", "0X10", "-inf", "Infinity",
                        "1e50", "-1e50", "1e-50", "0x1p999", "0x1p-999"}),
      (std::vector<float>{1, 1.5f, .5f, -1000, 1, 12, 16, -kInf, kInf, kInf, -kInf, 0, kInf, 0}));
  EXPECT_EQ(numbersOf<double>({"1e50", "1e400", "0e999999999999"}),
            (std::vector<double>{1e50, HUGE_VAL, 0}));
  EXPECT_TRUE(std::isnan(numbersOf<float>({"nan"})[0]));
  EXPECT_TRUE(std::isnan(numbersOf<float>({"-NaN(1)"})[0]));
  for (const char *text :
       {"", " ", "1a", "-", "1 2", ".", "e5", "1e", "infi", "+-1", "--1", "0x", "0x-1", "-+1"})
    EXPECT_EQ(errorOf(parse<float>({text})).substr(0, 60),
              "StringToNumberOp could not correctly convert string: \"" + std::string(text) + "\"");
}

TEST(ParseNumber, Integers) {
  EXPECT_EQ(numbersOf<int32_t>({"-2147483648", "+7", " 00012 "}),
            (std::vector<int32_t>{INT32_MIN, 7, 12}));
  EXPECT_EQ(numbersOf<int64_t>({"9223372036854775807"}), std::vector<int64_t>{INT64_MAX});
  EXPECT_EQ(numbersOf<uint64_t>({"18446744073709551615"}), std::vector<uint64_t>{UINT64_MAX});
  EXPECT_FALSE(parse<int32_t>({"2147483648"}).ok());
  EXPECT_FALSE(parse<uint32_t>({"-1"}).ok());
  EXPECT_FALSE(parse<int64_t>({"0x10"}).ok());
  EXPECT_FALSE(parse<int64_t>({"1.5"}).ok());
}

TEST(HashBucket, Methods) {
  static const int64_t key[] = {1, 2};
  auto hash = [](const char *method, std::span<const int64_t> keys) {
    Attr numbers;
    numbers.kind = Attr::Kind::kInts;
    numbers.ints = keys;
    Tensor x = tensor<std::string>({2}, {"a", "hello world"});
    return valuesOf<int64_t>(*callKernel(sluice_kernel_nd_hash_bucket_any, {x}, {DType::kI64},
                                         {intAttr(1'000'000'007), numbers, textAttr(method)}));
  };
  EXPECT_EQ(hash("keyed", key), (std::vector<int64_t>{142192448, 503275796}));
  EXPECT_EQ(hash("fingerprint", {})[0], static_cast<int64_t>(fingerprint64("a") % 1'000'000'007));
  EXPECT_EQ(hash("murmur", {})[1],
            static_cast<int64_t>(murmur64("hello world", 0xdecafcaffe) % 1'000'000'007));
}

// Test vectors of the authors: bytes 0 to 14, and a key of bytes 0 to 15.
TEST(Hashes, AreThePublishedOnes) {
  std::string bytes;
  for (char c = 0; c < 15; ++c)
    bytes += c;
  EXPECT_EQ(sipHash24(bytes, 0x0706050403020100, 0x0f0e0d0c0b0a0908), 0xa129ca6149be45e5);
  EXPECT_EQ(fingerprint64(""), 0x9ae16a3b2f90404f);
}

TEST(FormatText, ShowsEnds) {
  auto format = [](const std::vector<Tensor> &data, const char *pattern, int64_t summarize) {
    KernelResult result = callKernel(sluice_kernel_nd_format_text_any, data, {DType::kString},
                                     {textAttr(pattern), textAttr("{}"), intAttr(summarize)});
    EXPECT_TRUE(result.ok());
    return valuesOf<std::string>(*result)[0];
  };
  EXPECT_EQ(format({}, "abc", 3), "abc");
  EXPECT_EQ(format({ramp<int32_t>({10}), Tensor::scalar(true)}, "<{}|{}>", 2), "<[0 1 ... 8 9]|1>");
  EXPECT_EQ(format({tensor<float>({2, 2}, {1.5f, 2, 3, 4})}, "{}", 3), "[[1.5 2]\n [3 4]]");
  EXPECT_EQ(format({ramp<int32_t>({2, 1, 2})}, "{}", -1), "[[[0 1]]\n\n [[2 3]]]");
  EXPECT_EQ(format({ramp<int32_t>({5, 5})}, "{}", 1), "[[0 ... 4]\n ...\n [20 ... 24]]");
  EXPECT_EQ(format({tensor<std::string>({2}, {"x\"\n", "\xc3\xa4"})}, "{}", 3),
            "[\"x\\\"\\n\" \"\xc3\xa4\"]");
  EXPECT_EQ(format({tensor<float>({0, 2}, {}), tensor<float>({2, 0}, {})}, "{}{}", 3),
            "[][\n ...]");
  EXPECT_EQ(format({ramp<int32_t>({3})}, "{}", 0), "[ ...]");
}

KernelResult reduceJoin(const std::vector<int32_t> &axes, bool keepsDims) {
  Tensor x = tensor<std::string>({2, 3}, {"a", "b", "c", "d", "e", "f"});
  return callKernel(sluice_kernel_nd_reduce_join_any,
                    {x, tensor<int32_t>({static_cast<int64_t>(axes.size())}, axes)},
                    {intAttr(keepsDims), textAttr(".")});
}

TEST(ReduceJoin, TheFirstAxisMovesFastest) {
  EXPECT_EQ(valuesOf<std::string>(*reduceJoin({0}, false)), (Texts{"a.d", "b.e", "c.f"}));
  EXPECT_EQ(valuesOf<std::string>(*reduceJoin({-1}, false)), (Texts{"a.b.c", "d.e.f"}));
  EXPECT_EQ(valuesOf<std::string>(*reduceJoin({0, 1}, false)), Texts{"a.d.b.e.c.f"});
  EXPECT_EQ(valuesOf<std::string>(*reduceJoin({1, 0}, false)), Texts{"a.b.c.d.e.f"});
  EXPECT_EQ(valuesOf<std::string>(*reduceJoin({}, false)), (Texts{"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(reduceJoin({1}, true)->shape(), Shape({2, 1}));
}

TEST(ReduceJoin, EmptyAndWrong) {
  auto joined = [](int32_t axis) {
    return callKernel(sluice_kernel_nd_reduce_join_any,
                      {tensor<std::string>({2, 0}, {}), Tensor::scalar(axis)},
                      {intAttr(0), textAttr(".")});
  };
  EXPECT_EQ(valuesOf<std::string>(*joined(1)), (Texts{"", ""}));
  EXPECT_EQ(joined(0)->shape(), Shape({0}));
  EXPECT_EQ(errorOf(reduceJoin({1, -1}, false)), "Duplicate reduction dimension -1");
  EXPECT_EQ(reduceJoin({2}, false).status.code(), Code::kOutOfRange);
}

} // namespace
} // namespace sluice::rt
