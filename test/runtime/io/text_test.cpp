// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements, literals and tensors as text.
#include "runtime/io/number_text.h"
#include "runtime/io/tensor_text.h"

#include <algorithm>
#include <clocale>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>

using namespace sluice::rt;

namespace {

template <typename T> std::string text(T value) {
  std::string out;
  appendElement(Tensor::scalar(value), 0, out);
  return out;
}

Result<Tensor> literal(std::string_view text) {
  return parseTensorLiteral(text, DType::kF32, Shape{2, Shape::kUnknown}, 0);
}

TEST(NumberText, PrintsTheShortestForm) {
  EXPECT_EQ(text(0.1f), "0.1");
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(1.0f / 3), "0.33333334");
  EXPECT_EQ(text(16777216.0f), "16777216");
  EXPECT_EQ(text(9999999.0f), "9999999");
  EXPECT_EQ(text(999999999999999.0), "999999999999999");
  EXPECT_EQ(text(1e15), "1e+15");
  EXPECT_EQ(text(5e-324), "5e-324");
  EXPECT_EQ(text(1000000.0f), "1000000");
  EXPECT_EQ(text(1e7f), "1e+07");
  EXPECT_EQ(text(-0.0), "-0");
  EXPECT_EQ(text(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
  EXPECT_EQ(text(Half(0.1f)), "0.1");
  EXPECT_EQ(text(Half(65504.0f)), "65504");
  EXPECT_EQ(text(BFloat16(3.14159f)), "3.14");
  EXPECT_EQ(text(static_cast<double>(NAN)), "nan");
  EXPECT_EQ(text(-std::numeric_limits<float>::infinity()), "-inf");
  EXPECT_EQ(text(int8_t{-128}), "-128");
  EXPECT_EQ(text(UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(text(true), "true");
  EXPECT_EQ(text(std::complex<float>(1.5f, -2)), "1.5-2i");
  EXPECT_EQ(text(std::complex<double>(0, 1e-20)), "0+1e-20i");
}

TEST(NumberText, ReadsBackWhatItPrints) {
  uint64_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    uint64_t bits = state ^ state >> 29;
    double d;
    float f;
    std::memcpy(&d, &bits, 8);
    std::memcpy(&f, &bits, 4);
    Half h;
    h.bits = static_cast<uint16_t>(bits);
    auto check = [](auto value) {
      if (std::isnan(static_cast<double>(value)))
        return;
      Tensor back = Tensor::scalar(value);
      *back.data<char>() ^= 1;
      ASSERT_TRUE(parseElement(text(value), back, 0).ok()) << text(value);
      EXPECT_EQ(std::memcmp(back.raw(), &value, sizeof(value)), 0) << text(value);
    };
    check(d);
    check(f);
    check(h);
  }
}

TEST(NumberText, DoesNotDependOnTheLocale) {
  // Where the machine has none of these locales, the test shows nothing but does no harm.
  const char *found = nullptr;
  for (const char *name : {"de_DE.UTF-8", "tr_TR.UTF-8", "fr_FR.UTF-8"})
    if (!found)
      found = std::setlocale(LC_ALL, name);
  EXPECT_EQ(text(0.5f), "0.5");
  Result<Tensor> t = literal("f32=1.5");
  ASSERT_TRUE(t.ok());
  EXPECT_EQ(t->data<float>()[0], 1.5f);
  std::setlocale(LC_ALL, "C");
}

TEST(NumberText, QuotesText) {
  EXPECT_EQ(quoted("a\"\\\n\t\x01"), "\"a\\\"\\\\\\n\\t\\x01\"");
  EXPECT_EQ(quoted("\xc3\xa4\xff"), "\"\xc3\xa4\\xff\"");
  EXPECT_EQ(quoted("\xc2\x9b"), "\"\\xc2\\x9b\"");
  EXPECT_EQ(quoted("abcdef", 3), "\"abc\"...");
  EXPECT_EQ(quoted("abc", 3), "\"abc\"");
  EXPECT_EQ(quoted("\x1f ~\x7f\xc2\x9f"), "\"\\x1f ~\\x7f\\xc2\\x9f\"");
  EXPECT_EQ(quoted("\xc2\xa0"), "\"\xc2\xa0\"");
  EXPECT_EQ(quoted("a'\"b", 200, '\''), "'a\\'\"b'");
}

TEST(TensorLiteral, ReadsValues) {
  Result<Tensor> t = literal("2x2xf32=1,2.5,-3e2,+4");
  ASSERT_TRUE(t.ok()) << t.status().toString();
  EXPECT_EQ(t->shape(), (Shape{2, 2}));
  EXPECT_EQ(t->data<float>()[2], -300);
  EXPECT_EQ(literal("i64=-9223372036854775808")->data<int64_t>()[0], INT64_MIN);
  EXPECT_EQ(literal("float32=3")->data<float>()[0], 3);
  EXPECT_EQ(literal("3xbool=true,0,1")->data<bool>()[2], true);
  EXPECT_EQ(literal("0xf32=")->elements(), 0);
  EXPECT_EQ(literal("2x0xi8=")->elements(), 0);
  EXPECT_EQ(literal("3xi32=7")->data<int32_t>()[2], 7);
  EXPECT_EQ(literal("string=a,b")->data<std::string>()[0], "a,b");
  EXPECT_EQ(literal("2xstring=a,b")->data<std::string>()[1], "b");
  EXPECT_EQ(literal("2xstring=a")->data<std::string>()[1], "a");
  EXPECT_EQ(static_cast<float>(literal("f16=0.5")->data<Half>()[0]), 0.5f);
  EXPECT_EQ(literal("2x3xf64=zeros")->data<double>()[5], 0);
}

TEST(TensorLiteral, ReadsComplexNumbers) {
  auto c = [](std::string text) {
    return literal("c128=" + text)->data<std::complex<double>>()[0];
  };
  EXPECT_EQ(c("1+2i"), std::complex<double>(1, 2));
  EXPECT_EQ(c("-1.5-2e-3j"), std::complex<double>(-1.5, -2e-3));
  EXPECT_EQ(c("3"), std::complex<double>(3, 0));
  EXPECT_EQ(c("-2i"), std::complex<double>(0, -2));
  EXPECT_EQ(c("1e+2+1e-2i"), std::complex<double>(100, 0.01));
  EXPECT_TRUE(std::isinf(c("1+infi").imag()));
}

TEST(TensorLiteral, RefusesBadText) {
  for (const char *text :
       {"", "1", "=1", "f32", "f33=1", "2f32=1,2", "2x=1", "x2xf32=1", "-1xf32=1", "2x2xf32=1,2,3",
        "2xf32=1,2,3", "2xf32=1,", "2xf32=,1", "2xf32=", "f32=", "f32=1,2", "f32=1.5x", "f32=0x10",
        "f32=1e39", "f32= 1", "f32=1 ", "f32=++1", "f32=+-1", "f16=70000", "i8=128", "u8=-1",
        "u8=256", "i32=1.5", "i32=1e3", "i32=99999999999", "bool=2", "bool=True", "c64=i",
        "c64=1+2", "c64=1+2i3", "c64=1+ 2i", "handle=1", "resource=1", "string=", "0xf32=1",
        "99999999999999999999xf32=1", "4294967296x4294967296xf32=zeros", "rand", "zeros",
        "2x\xffxf32=1"}) {
    if (std::string_view(text) == "string=")
      continue; // the empty string
    EXPECT_FALSE(literal(text).ok()) << text;
  }
  std::string deep;
  for (int i = 0; i < 300; ++i)
    deep += "1x";
  EXPECT_FALSE(literal(deep + "f32=1").ok());
  setMemoryLimit(1 << 20);
  EXPECT_EQ(literal("1000000000000000xf32=zeros").status().code(), Code::kResourceExhausted);
  setMemoryLimit(0);
}

TEST(TensorLiteral, MessagesQuoteTheBeginningOfLongWords) {
  std::string word(70, 'w');
  auto messageOf = [](const std::string &text) { return literal(text).status().message(); };
  EXPECT_EQ(messageOf("i8=" + word),
            "expected a value of i8 within its range but got \"" + word.substr(0, 60) + "\"...");
  EXPECT_EQ(messageOf(word), "expected @FILE, zeros, rand or a literal like 2x2xf32=1,2,3,4 but "
                             "got \"" +
                                 word.substr(0, 60) + "\"...");
  EXPECT_EQ(messageOf(word + "=1"), "expected a dtype such as f32, i64 or bool but got \"" +
                                        word.substr(0, 40) + "\"...");
  EXPECT_EQ(messageOf(word + "xf32=1"), "expected dims and dtype like 2x3xf32 but got \"" +
                                            word.substr(0, 60) + "\"...");
}

TEST(TensorLiteral, MayHaveAsManyDimsAsAShape) {
  std::string deep;
  for (int i = 0; i < Shape::kMaxRank; ++i)
    deep += "1x";
  EXPECT_EQ(literal(deep + "f32=1")->rank(), Shape::kMaxRank);
  EXPECT_EQ(literal("1x" + deep + "f32=1").status().message(), "expected at most 254 dims");
}

TEST(TensorLiteral, RandomNumbersAreInTheirRange) {
  Result<Tensor> t = literal("1000xf32=rand");
  ASSERT_TRUE(t.ok());
  float low = 1, high = 0;
  for (float f : t->values<float>()) {
    low = std::min(low, f);
    high = std::max(high, f);
  }
  EXPECT_GE(low, 0);
  EXPECT_LT(low, 0.05f);
  EXPECT_LT(high, 1);
  EXPECT_GT(high, 0.95f);
  for (int32_t i : literal("100xi32=rand")->values<int32_t>())
    EXPECT_TRUE(i >= 0 && i < 10);
  // All values occur, and about as often as others.
  std::map<int32_t, int> digits;
  for (int32_t i : literal("1000xi32=rand")->values<int32_t>())
    ++digits[i];
  EXPECT_EQ(digits.size(), 10u);
  for (auto [digit, times] : digits)
    EXPECT_GT(times, 60) << digit;
  auto spread = [](auto values) {
    float low = 1, high = 0;
    for (auto value : values) {
      low = std::min(low, static_cast<float>(value));
      high = std::max(high, static_cast<float>(value));
    }
    EXPECT_LT(high, 1);
    return high - low;
  };
  EXPECT_GT(spread(literal("1000xf16=rand")->values<Half>()), 0.95f);
  EXPECT_GT(spread(literal("1000xf64=rand")->values<double>()), 0.95f);
  Result<Tensor> complex = literal("1000xc64=rand");
  EXPECT_GT(spread(std::span(complex->data<float>(), 2000)), 0.95f);
  Result<Tensor> flags = literal("1000xbool=rand");
  auto set = std::ranges::count(flags->values<bool>(), true);
  EXPECT_TRUE(set > 400 && set < 600) << set;
  EXPECT_FALSE(literal("100xstring=rand")->data<std::string>()[0].empty()); // the text itself
}

TEST(TensorText, PrintsNestedBrackets) {
  EXPECT_EQ(tensorText(*literal("f32=1.5"), false), "f32[] = 1.5");
  EXPECT_EQ(tensorText(*literal("3xi32=1,2,3"), false), "i32[3] = [1, 2, 3]");
  EXPECT_EQ(tensorText(*literal("0xi32="), false), "i32[0] = []");
  EXPECT_EQ(tensorText(*literal("2xstring=a\",b"), false), "string[2] = [\"a\\\"\", \"b\"]");
  EXPECT_EQ(tensorText(*literal("2x1x2xi32=1,2,3,4"), false),
            "i32[2,1,2] =\n[[[1, 2]],\n [[3, 4]]]");
}

// Dims of up to six are shown whole, and so are tensors of up to a thousand elements.
TEST(TensorText, AbbreviatesOnlyWhatIsLong) {
  auto ellipses = [](const char *text) {
    std::string shown = tensorText(*literal(text), false);
    int count = 0;
    for (size_t at = 0; (at = shown.find("...", at)) != shown.npos; at += 3)
      ++count;
    return count;
  };
  EXPECT_EQ(ellipses("1000xi32=7"), 0);
  EXPECT_EQ(ellipses("1001xi32=7"), 1);
  EXPECT_EQ(ellipses("6x200xi32=7"), 6);
  EXPECT_EQ(ellipses("7x200xi32=7"), 6 + 1);
  EXPECT_EQ(ellipses("200x6xi32=7"), 1);
}

TEST(TensorText, AbbreviatesLongTensors) {
  EXPECT_EQ(tensorText(*literal("2000xi32=7"), false), "i32[2000] = [7, 7, 7, ..., 7, 7, 7]");
  EXPECT_GT(tensorText(*literal("2000xi32=7"), true).size(), 5000u);
  std::string matrix = tensorText(*literal("200x200xi32=7"), false);
  EXPECT_NE(matrix.find(",\n ...,\n "), std::string::npos) << matrix;
  EXPECT_LT(matrix.size(), 400u);
}

} // namespace
