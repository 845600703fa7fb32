// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of strings, and strings that are changed.
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/long_firing.h"

namespace sluice::rt {
namespace {

using Texts = std::vector<std::string>;

Tensor texts(const Shape &shape, const Texts &values) { return tensor<std::string>(shape, values); }
KernelResult substring(const Tensor &x, const Tensor &at, const Tensor &size, const char *unit) {
  return callKernel(sluice_kernel_nd_substring_any, {x, at, size}, {textAttr(unit)});
}

TEST(Substring, CountsFromEitherEnd) {
  Tensor x = texts({3}, {"hello", "abcde", "a\xc3\xa4z\xe2\x82\xac"});
  auto at = [&](int32_t position, int32_t size, const char *unit) {
    KernelResult result = substring(x, Tensor::scalar(position), Tensor::scalar(size), unit);
    EXPECT_TRUE(result.ok()) << result.status.toString();
    return valuesOf<std::string>(*result);
  };
  EXPECT_EQ(at(1, 2, "byte"), (Texts{"el", "bc", "\xc3\xa4"}));
  EXPECT_EQ(at(-3, 100, "byte"), (Texts{"llo", "cde", "\xe2\x82\xac"}));
  EXPECT_EQ(at(1, -5, "byte"), (Texts{"ello", "bcde", "\xc3\xa4z\xe2\x82\xac"}));
  EXPECT_EQ(at(1, 2, "character"), (Texts{"el", "bc", "\xc3\xa4z"}));
  EXPECT_EQ(at(-3, 2, "character"), (Texts{"ll", "cd", "\xc3\xa4z"}));
  EXPECT_EQ(at(1, -5, "character"), (Texts{"", "", ""}));
}

TEST(Substring, Broadcasts) {
  Tensor at = tensor<int64_t>({2}, {1, 2}), size = tensor<int64_t>({2}, {1, 2});
  KernelResult rows = substring(texts({2, 1}, {"hello", "abcde"}), at, size, "byte");
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->shape(), Shape({2, 2}));
  EXPECT_EQ(valuesOf<std::string>(*rows), (Texts{"e", "ll", "b", "cd"}));
  EXPECT_EQ(valuesOf<std::string>(*substring(texts({}, {"hello"}), at, size, "byte")),
            (Texts{"e", "ll"}));
  EXPECT_EQ(
      substring(texts({0}, {}), Tensor::scalar<int32_t>(1), Tensor::scalar<int32_t>(1), "byte")
          ->shape(),
      Shape({0}));
}

TEST(Substring, Errors) {
  Tensor one = Tensor::scalar<int32_t>(1);
  for (const char *unit : {"byte", "character"}) {
    for (int32_t position : {6, -6, INT32_MIN, INT32_MAX})
      EXPECT_EQ(errorOf(substring(texts({1}, {"hello"}), Tensor::scalar(position), one, unit)),
                "pos " + std::to_string(position) + " out of range for string at index 0");
    EXPECT_TRUE(substring(texts({1}, {"hello"}), Tensor::scalar<int32_t>(5), one, unit).ok());
  }
  EXPECT_EQ(errorOf(substring(texts({2}, {"a", "b"}), tensor<int32_t>({1}, {1}), one, "byte")),
            "pos and len should have the same shape, got: [1] vs. []");
  Tensor vector = tensor<int32_t>({2}, {0, 0});
  EXPECT_EQ(substring(texts({1, 1, 1}, {"a"}), vector, vector, "byte").status.code(),
            Code::kUnimplemented);
  EXPECT_EQ(substring(texts({3}, {"a", "b", "c"}), vector, vector, "byte").status.code(),
            Code::kInvalidArgument);
}

TEST(TextLength, OfBytesAndCharacters) {
  Tensor x = texts({3}, {"a\xc3\xa4\x80\xff", "", "abc"});
  auto lengths = [&](const char *unit) {
    return valuesOf<int32_t>(
        *callKernel(sluice_kernel_nd_text_length_any, {x}, {DType::kI32}, {textAttr(unit)}));
  };
  EXPECT_EQ(lengths("byte"), (std::vector<int32_t>{5, 0, 3}));
  EXPECT_EQ(lengths("character"), (std::vector<int32_t>{3, 0, 3}));
}

KernelResult split(const Tensor &x, const char *separator, const char *at, bool keepsEmpty,
                   int64_t limit) {
  return callKernel(sluice_kernel_nd_split_texts_any, {x, Tensor::string(separator)},
                    {DType::kI64, DType::kString, DType::kI64},
                    {textAttr(at), intAttr(keepsEmpty), intAttr(limit)});
}
Texts partsOf(const char *text, const char *separator, int64_t limit) {
  return valuesOf<std::string>(
      split(texts({1}, {text}), separator, "whole", true, limit).outputs[1]);
}

TEST(SplitTexts, AtWhole) {
  EXPECT_EQ(partsOf("aa,b,,c,", ",", -1), (Texts{"aa", "b", "", "c", ""}));
  EXPECT_EQ(partsOf("aa,b,,c,", ",", 2), (Texts{"aa", "b", ",c,"}));
  EXPECT_EQ(partsOf("aa,b", "a", 0), (Texts{"aa,b"}));
  EXPECT_EQ(partsOf("", ",", -1), Texts{""});
  EXPECT_EQ(partsOf(" a\tb\n\v c ", "", -1), (Texts{"a", "b", "c"}));
  EXPECT_EQ(partsOf("a b  c ", "", 2), (Texts{"a", "b", "c "}));
  EXPECT_EQ(partsOf("  a  ", "", 1), (Texts{"a", ""}));
  EXPECT_EQ(partsOf("  a  ", "", 2), Texts{"a"});
  EXPECT_EQ(partsOf("", "", 1), Texts{});
  EXPECT_EQ(partsOf(" ", "", 0), Texts{" "});
}

TEST(SplitTexts, AtBytes) {
  auto parts = [](const char *bytes, bool keepsEmpty) {
    return valuesOf<std::string>(
        split(texts({2}, {"a, b,", ""}), bytes, "bytes", keepsEmpty, -1).outputs[1]);
  };
  EXPECT_EQ(parts(" ,", false), (Texts{"a", "b"}));
  EXPECT_EQ(parts(" ,", true), (Texts{"a", "", "b", ""}));
  EXPECT_EQ(parts("", true), (Texts{"a", ",", " ", "b", ","}));
}

TEST(SplitTexts, IsASparseMatrix) {
  KernelResult result = split(texts({3}, {"a b", "", "c"}), "", "whole", true, -1);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(valuesOf<int64_t>(result.outputs[0]), (std::vector<int64_t>{0, 0, 0, 1, 2, 0}));
  EXPECT_EQ(valuesOf<int64_t>(result.outputs[2]), (std::vector<int64_t>{3, 2}));
  KernelResult none = split(texts({0}, {}), "", "whole", true, -1);
  EXPECT_EQ(none->shape(), Shape({0, 2}));
  EXPECT_EQ(valuesOf<int64_t>(none.outputs[2]), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(errorOf(split(texts({1, 1}, {"a"}), "", "whole", true, -1)),
            "input must be a vector, got shape: [1,1]");
  EXPECT_EQ(
      errorOf(callKernel(sluice_kernel_nd_split_texts_any, {texts({1}, {"a"}), texts({1}, {"a"})},
                         {DType::kI64, DType::kString, DType::kI64},
                         {textAttr("whole"), intAttr(1), intAttr(-1)})),
      "sep must be a scalar, got shape: [1]");
}

KernelResult edit(const Texts &values, const char *how) {
  return callKernel(sluice_kernel_nd_edit_texts_any,
                    {texts({static_cast<int64_t>(values.size())}, values)}, {textAttr(how)});
}

TEST(EditTexts, SpaceAndCase) {
  EXPECT_EQ(valuesOf<std::string>(*edit({" \ta b\n", "", " "}, "strip")), (Texts{"a b", "", ""}));
  EXPECT_EQ(valuesOf<std::string>(*edit({"aZ[`{@\xc3\x84"}, "lower")), Texts{"az[`{@\xc3\x84"});
  EXPECT_EQ(valuesOf<std::string>(*edit({"aZ[`{@\xc3\xa4"}, "upper")), Texts{"AZ[`{@\xc3\xa4"});
}

TEST(EditTexts, CaseOfUnicode) {
  auto one = [](const char *text, const char *how) {
    return valuesOf<std::string>(*edit({text}, how))[0];
  };
  // An umlaut, a sharp s, an I with a dot, sigmas inside and at the end, one of four bytes.
  EXPECT_EQ(one("a\u00c4\u00df\u0130", "lower_utf8"), "a\u00e4\u00dfi\u0307");
  EXPECT_EQ(one("a\u00e4\u00df\ufb01", "upper_utf8"), "A\u00c4SSFI");
  EXPECT_EQ(one("\u03a3\u03a3 \u03a3 \u03a3.b \u039f\u03a3'", "lower_utf8"),
            "\u03c3\u03c2 \u03c3 \u03c3.b \u03bf\u03c2'");
  EXPECT_EQ(one("\U00010400", "lower_utf8"), "\U00010428");
  EXPECT_EQ(one("A\xff\xe2\x82", "lower_utf8"), "a\ufffd\ufffd");
  EXPECT_EQ(one("\xed\xa0\x80", "upper_utf8"), "\ufffd\ufffd\ufffd");
  EXPECT_EQ(one("", "upper_utf8"), "");
}

TEST(EditTexts, Base64) {
  const Texts bytes = {"", "a", "ab", "abc", "\xff\xfe\xfd\xfb"};
  const Texts plain = {"", "YQ", "YWI", "YWJj", "__79-w"},
              padded = {"", "YQ==", "YWI=", "YWJj", "__79-w=="};
  EXPECT_EQ(valuesOf<std::string>(*edit(bytes, "encode_base64")), plain);
  EXPECT_EQ(valuesOf<std::string>(*edit(bytes, "pad_base64")), padded);
  EXPECT_EQ(valuesOf<std::string>(*edit(plain, "decode_base64")), bytes);
  EXPECT_EQ(valuesOf<std::string>(*edit(padded, "decode_base64")), bytes);
  EXPECT_EQ(valuesOf<std::string>(*edit({"YR"}, "decode_base64")), Texts{"a"});
  for (const char *text : {"Y", "YWJjY", "=", "YQ==="})
    EXPECT_EQ(errorOf(edit({text}, "decode_base64")), "Base64 string length cannot be 1 modulo 4.");
  for (const char *text : {"+/+/", "YQ=", "YQ\n", "YQ==YQ==", "====", "\xc3\xa9"})
    EXPECT_EQ(errorOf(edit({text}, "decode_base64")), "Invalid character found in base64.") << text;
}

} // namespace
} // namespace sluice::rt
