// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain numbers in JSON as elements of tensors.
#include "runtime/base/splitmix.h"
#include "runtime/io/tensor_json.h"

#include <bit>
#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

Result<Tensor> read(std::string_view text, DType dtype = DType::kInvalid) {
  Result<JsonPart> part = outlineJson(text);
  if (!part.ok())
    return part.status();
  return tensorFromJson(*part, dtype);
}

// The one value, and where it is refused a number that no text says.
template <typename T> T one(std::string_view text) {
  Result<Tensor> tensor = read(text, DTypeOf<T>::value);
  if constexpr (std::is_same_v<T, std::string>)
    return tensor.ok() ? tensor->data<T>()[0] : "refused";
  else
    return tensor.ok() ? tensor->data<T>()[0] : T(77);
}

std::string messageOf(std::string_view text, DType dtype = DType::kInvalid) {
  return read(text, dtype).status().message();
}

template <typename T> void expectBits(const std::string &text, T expected) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  T got = one<T>(text);
  EXPECT_EQ(std::bit_cast<Bits>(got), std::bit_cast<Bits>(expected))
      << text << ": " << got << " and not " << expected;
}

// As the C library reads it, which rounds correctly.
void expectNearest(const std::string &text) {
  expectBits<double>(text, std::strtod(text.c_str(), nullptr));
  if (float narrow = std::strtof(text.c_str(), nullptr); std::isfinite(narrow))
    expectBits<float>(text, narrow);
}

TEST(JsonElements, FloatsAreTheNearest) {
  for (const char *text : {"0",
                           "-0",
                           "0.0",
                           "-0.0",
                           "-0e99",
                           "1",
                           "-1",
                           "0.1",
                           "0.30000000000000004",
                           "1e22",
                           "1e23",
                           "1e-22",
                           "1e-23",
                           "123456789012345678",
                           "9007199254740993",
                           "9007199254740993.0000001",
                           "18446744073709551615",
                           "18446744073709551616",
                           "99999999999999999999",
                           "1E5",
                           "1e+5",
                           "1e-5",
                           "1.5e-10",
                           "0.000000000000000000000000000001",
                           "1e-400",
                           "-1e-400",
                           "0.00000000000000000000e500",
                           "1e-45",
                           "1.4e-45",
                           "7e-46",
                           "7.1e-46",
                           "1.1754942e-38",
                           "1.1754943508222875e-38",
                           "1.17549429e-38",
                           "5e-324",
                           "2e-324",
                           "2.5e-324",
                           "2.2250738585072011e-308",
                           "2.2250738585072014e-308",
                           "3.4028234663852886e38",
                           "3.4028235e38",
                           "3.4028235677973362e38",
                           "1.7976931348623157e308",
                           "16777217",
                           "16777217.0000000000000001",
                           "16777216.999999999999999",
                           "33554435",
                           "8388608.5",
                           "8388609.5",
                           "8388608.500000000000000000000000000000001",
                           "1.00000005960464477539062",
                           "1.000000059604644775390625",
                           "1.00000005960464477539063",
                           "0.1234567890123456789",
                           "12345678.12345678",
                           "1234567812345678",
                           "0.00000001",
                           "100000000",
                           "1e18446744073709551616",
                           "1e-18446744073709551616"})
    if (std::isfinite(std::strtod(text, nullptr)))
      expectNearest(text);
}

TEST(JsonElements, DrawnFloatsAreTheNearest) {
  SplitMix64 random(11);
  for (int i = 0; i < 200'000; ++i) {
    auto wide = std::bit_cast<double>(random.next());
    auto narrow = std::bit_cast<float>(static_cast<uint32_t>(random.next()));
    if (std::isfinite(wide))
      expectBits<double>(format("%.17g", wide), wide);
    if (std::isfinite(narrow)) {
      expectBits<float>(format("%.9g", static_cast<double>(narrow)), narrow);
      // Right between two floats, and a little to each side.
      double between =
          (static_cast<double>(narrow) + static_cast<double>(std::nextafter(narrow, FLT_MAX))) / 2;
      expectNearest(format("%.17g", between));
      expectNearest(format("%.120g", between));
    }
    expectNearest(format("%llu.%llue%d", static_cast<unsigned long long>(random.next() >> 40),
                         static_cast<unsigned long long>(random.next() >> random.next() % 64),
                         static_cast<int>(random.next() % 60) - 30));
  }
}

TEST(JsonElements, HalvesAreTheNearest) {
  EXPECT_EQ(static_cast<float>(one<Half>("1.5")), 1.5f);
  EXPECT_EQ(static_cast<float>(one<Half>("65504")), 65504.0f);
  EXPECT_EQ(static_cast<float>(one<Half>("65519.99")), 65504.0f);
  EXPECT_EQ(static_cast<float>(one<Half>("65520")), 77.0f);
  EXPECT_EQ(static_cast<float>(one<Half>("-1e9")), 77.0f);
  // Between 1 and the next: rounding to a float first would lose what decides.
  EXPECT_EQ(static_cast<float>(one<Half>("1.00048828125")), 1.0f);
  EXPECT_EQ(static_cast<float>(one<Half>("1.000488281250001")), 1.0009765625f);
  EXPECT_EQ(static_cast<float>(one<BFloat16>("1.00390625")), 1.0f);
  EXPECT_EQ(static_cast<float>(one<BFloat16>("1.003906250000001")), 1.0078125f);
  EXPECT_EQ(static_cast<float>(one<BFloat16>("-3.3895313892515355e38")), -3.3895313892515355e38f);
  EXPECT_EQ(static_cast<float>(one<BFloat16>("3.4e38")), 77.0f);
  EXPECT_EQ(one<Half>("1e-30").bits, 0);
  EXPECT_EQ(one<Half>("-1e-30").bits, 0x8000);
}

TEST(JsonElements, NumbersBeyondTheRangeAreRefused) {
  EXPECT_EQ(one<float>("3.4028236e38"), 77.0f);
  EXPECT_EQ(one<float>("-1e39"), 77.0f);
  EXPECT_EQ(one<double>("1e400"), 77.0);
  EXPECT_EQ(one<double>("1.7976931348623159e308"), 77.0);
  EXPECT_EQ(one<double>("0.00001e400"), 77.0);
  EXPECT_EQ(one<double>("100000e-400"), 0.0);
  EXPECT_EQ(one<double>("1e18446744073709551616"), 77.0);
  EXPECT_EQ(one<double>("1e-18446744073709551616"), 0.0);
  EXPECT_EQ(one<double>("1" + std::string(400, '0')), 77.0);
  EXPECT_EQ(one<double>("1" + std::string(400, '0') + "e-400"), 1.0);
  EXPECT_EQ(one<double>("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(one<double>("0." + std::string(400, '0') + "1e401"), 1.0);
  EXPECT_EQ(one<double>("1." + std::string(400, '0') + "1"), 1.0);
}

TEST(JsonElements, IntegersAreExact) {
  EXPECT_EQ(one<int8_t>("-128"), -128);
  EXPECT_EQ(one<int8_t>("128"), 77);
  EXPECT_EQ(one<uint8_t>("255"), 255);
  EXPECT_EQ(one<uint8_t>("256"), 77);
  EXPECT_EQ(one<uint8_t>("-0"), 0);
  EXPECT_EQ(one<uint8_t>("-1"), 77);
  EXPECT_EQ(one<int16_t>("-32769"), 77);
  EXPECT_EQ(one<uint16_t>("65535"), 65535);
  EXPECT_EQ(one<int32_t>("-2147483648"), INT32_MIN);
  EXPECT_EQ(one<int32_t>("2147483648"), 77);
  EXPECT_EQ(one<uint32_t>("4294967295"), UINT32_MAX);
  EXPECT_EQ(one<int64_t>("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(one<int64_t>("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(one<int64_t>("9223372036854775808"), 77);
  EXPECT_EQ(one<int64_t>("9007199254740993"), 9007199254740993);
  EXPECT_EQ(one<uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(one<uint64_t>("18446744073709551616"), 77u);
  EXPECT_EQ(one<uint64_t>("184467440737095516150"), 77u);
  for (const char *text : {"1.0", "1e2", "1.5", "1E0", "12345678.0", "true", "null"})
    EXPECT_EQ(one<int32_t>(text), 77) << text;
}

TEST(JsonElements, OtherDtypes) {
  EXPECT_TRUE(one<bool>("true"));
  EXPECT_FALSE(one<bool>("false"));
  EXPECT_EQ(messageOf("1", DType::kBool),
            "expected a value of bool within its range as element 0 but got \"1\"");
  EXPECT_EQ(messageOf("[true,\"true\"]", DType::kBool),
            "expected a value of bool within its range as element 1 but got \"true\"");
  EXPECT_EQ(messageOf("[0,true]", DType::kF32),
            "expected a value of f32 within its range as element 1 but got \"true\"");
  EXPECT_EQ(one<std::complex<float>>("-2.5"), std::complex<float>(-2.5f, 0));
  EXPECT_EQ(one<std::complex<double>>("\"1-2i\""), std::complex<double>(1, -2));
  EXPECT_TRUE(std::isnan(one<float>("\"nan\"")));
  EXPECT_EQ(one<double>("\"-inf\""), -INFINITY);
  EXPECT_EQ(one<int32_t>("\"12\""), 12);
  EXPECT_EQ(one<float>("\"many\""), 77.0f);
  EXPECT_EQ(one<std::string>(R"("a\"\u20ac]")"), "a\"\xe2\x82\xac]");
  Result<Tensor> words = read(R"([["a","[1,2]"],["","\\"]])", DType::kString);
  ASSERT_TRUE(words.ok()) << words.status().toString();
  EXPECT_EQ(words->shape(), (Shape{2, 2}));
  EXPECT_EQ(words->data<std::string>()[1], "[1,2]");
  EXPECT_EQ(words->data<std::string>()[3], "\\");
  EXPECT_EQ(messageOf("[1]", DType::kString),
            "expected a value of string within its range as element 0 but got \"1\"");
  EXPECT_EQ(messageOf("[1]", DType::kHandle), "expected a dtype that can be fed but got handle");
}

TEST(JsonElements, ListsTellTheShape) {
  const std::pair<const char *, Shape> rows[] = {{"1", Shape{}},
                                                 {"[]", Shape{0}},
                                                 {"[ 1 , 2 ,\t3\n]", Shape{3}},
                                                 {"[[1,2],[3,4]]", Shape{2, 2}},
                                                 {"[[],[],[]]", Shape{3, 0}},
                                                 {"[[[1]],[[2]]]", Shape{2, 1, 1}},
                                                 {"[[[]]]", Shape{1, 1, 0}}};
  for (const auto &[text, shape] : rows) {
    Result<Tensor> tensor = read(text, DType::kI32);
    ASSERT_TRUE(tensor.ok()) << text << tensor.status().toString();
    EXPECT_EQ(tensor->shape(), shape) << text;
    for (int64_t i = 0; i < tensor->elements(); ++i)
      EXPECT_EQ(tensor->data<int32_t>()[i], i + 1) << text;
  }
  for (const char *text : {"[1,[2]]", "[[1],2]", "[[],[[]]]", "[[[]],[]]", "[[[1]],[1]]", "[[],1]"})
    EXPECT_TRUE(messageOf(text, DType::kI32).starts_with("expected lists of equal ")) << text;
  EXPECT_EQ(messageOf("[[1,2],[3]]", DType::kI32),
            "expected lists of equal lengths but got one of 2 and one of 1");
  EXPECT_EQ(messageOf("[[1],[]]", DType::kI32),
            "expected lists of equal lengths but got one of 1 and one of 0");
  EXPECT_EQ(messageOf("[1,[2]]", DType::kI32), "expected lists of equal depth");
  EXPECT_EQ(messageOf("[1,{\"a\":[1,2]}]", DType::kI32),
            "expected numbers, bools or strings in lists but got an object");
}

TEST(JsonElements, DataBesideDtypeAndShape) {
  for (const char *text : {R"({"dtype":"int32","shape":[2,2],"data":[1,2,3,4]})",
                           R"({"data":[[1,2],[3,4]],"shape":[2,2],"dtype":"int32"})",
                           R"({"dtype":"int32","data":[[1,2],[3,4]]})"}) {
    Result<Tensor> tensor = read(text, DType::kF32);
    ASSERT_TRUE(tensor.ok()) << text << tensor.status().toString();
    EXPECT_EQ(tensor->dtype(), DType::kI32);
    EXPECT_EQ(tensor->shape(), (Shape{2, 2}));
    EXPECT_EQ(tensor->data<int32_t>()[3], 4);
  }
  EXPECT_TRUE(read(R"({"dtype":"bool","shape":[0,2],"data":[]})").ok());
  EXPECT_TRUE(read(R"({"dtype":"float32","shape":[],"data":[1]})").ok());
  EXPECT_TRUE(read(R"({"dtype":"float32","shape":[],"data":1})").ok());
  const std::pair<const char *, const char *> rows[] = {
      {R"({"dtype":"float32","shape":[2,2],"data":[1,2,3]})",
       "expected 4 values for shape [2,2] but got 3"},
      {R"({"dtype":"float32","shape":[2,2],"data":[1,2,3,4,5]})",
       "expected 4 values for shape [2,2] but got 5"},
      {R"({"dtype":"float32","shape":[4],"data":[[1,2],[3,4]]})",
       "expected 'data' in one list, or in lists of shape [4], but got [2,2]"},
      {R"({"dtype":"float32","shape":[1000000000000],"data":[1]})",
       "expected 1000000000000 values for shape [1000000000000] but got 1"},
      {R"({"dtype":"float32","shape":[1],"data":"AAAAAA=="})",
       "expected an array of values as 'data' in the tensor"},
      {R"({"dtype":"float32","shape":[1],"data":["AAAAAA=="]})",
       "expected a value of f32 within its range as element 0 but got \"AAAAAA==\""},
      {R"({"dtype":"float32","shape":[[1]],"data":[1]})",
       "expected whole numbers of at least 0 in 'shape'"},
      {R"({"dtype":"uint8","data":[1,2,256]})",
       "expected a value of u8 within its range as element 2 but got \"256\""},
  };
  for (const auto &[text, message] : rows)
    EXPECT_EQ(messageOf(text), message) << text;
}

TEST(JsonElements, Base64MayHaveEscapes) {
  Result<Tensor> t = read(R"({"dtype":"float32","shape":[1],"b64":"\u0041ACA\/w=="})");
  ASSERT_TRUE(t.ok()) << t.status().toString();
  EXPECT_EQ(t->data<float>()[0], -INFINITY);
}

// They take no memory but the tensor's; strings do.
TEST(JsonElements, OnlyStringsInListsCountAsValues) {
  Limits limits;
  limits.set(Limit::kJsonValues, 3);
  EXPECT_TRUE(outlineJson("[1,[2,3],4,5]", limits).ok());
  EXPECT_TRUE(outlineJson("[\"1\",\"2\"]", limits).ok());
  EXPECT_FALSE(outlineJson("[\"1\",\"2\",\"3\"]", limits).ok());
  EXPECT_FALSE(outlineJson("[{},{},{}]", limits).ok());
  EXPECT_FALSE(outlineJson("[{\"a\":1,\"b\":2}]", limits).ok());
}

TEST(JsonElements, PlainTextRoundTrips) {
  SplitMix64 random(3);
  for (int d = 0; d < static_cast<int>(DType::kString); ++d) {
    Result<Tensor> t = Tensor::allocate(static_cast<DType>(d), Shape{3, 33});
    for (size_t i = 0; i < t->bytes(); ++i)
      t->data<unsigned char>()[i] = static_cast<unsigned char>(random.next() >> 58);
    for (int64_t i = 0; t->dtype() == DType::kBool && i < t->elements(); ++i)
      t->data<unsigned char>()[i] &= 1;
    std::string text;
    ASSERT_TRUE(appendTensorJson(*t, text, TensorText::kPlain).ok());
    Result<Tensor> back = read(text);
    ASSERT_TRUE(back.ok()) << text << back.status().toString();
    EXPECT_EQ(back->shape(), t->shape());
    EXPECT_EQ(std::memcmp(back->raw(), t->raw(), t->bytes()), 0) << text;
  }
  std::string text;
  float odd[] = {-0.0f, NAN, INFINITY, -INFINITY};
  ASSERT_TRUE(appendTensorJson(Tensor::vector<float>(odd), text, TensorText::kPlain).ok());
  EXPECT_EQ(text, R"({"dtype":"float32","shape":[4],"data":[-0,"nan","inf","-inf"]})");
}

} // namespace
