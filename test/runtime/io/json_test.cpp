// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON, base64 and tensors in JSON.
#include "runtime/io/base64.h"
#include "runtime/io/json.h"
#include "runtime/io/tensor_json.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

std::string encode(std::string_view text) {
  std::string out;
  appendBase64({reinterpret_cast<const unsigned char *>(text.data()), text.size()}, out);
  return out;
}

std::string decode(std::string_view text) {
  std::optional<size_t> size = base64DecodedSize(text);
  if (!size)
    return "refused";
  std::string out(*size, '\0');
  return decodeBase64(text, reinterpret_cast<unsigned char *>(out.data())) ? out : "refused";
}

TEST(Base64, RoundTrips) {
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  std::string all;
  for (int i = 0; i < 256; ++i) {
    all += static_cast<char>(i);
    EXPECT_EQ(decode(encode(all)), all);
  }
}

TEST(Base64, RefusesBadText) {
  for (const char *text : {"A", "AA", "AAA", "====", "A===", "AA=A",
                           "AB==", "AAB=", "A A=", "AA\n=", "AAAA=", "AA-_", "\xff\xff\xff\xff"})
    EXPECT_EQ(decode(text), "refused") << text;
}

TEST(Json, ParsesValues) {
  Result<Json> json =
      parseJson(R"({"a":[1,-2,3.5,true,null,"x\u00e4\n"],"b":{},"c":18446744073709551615})");
  ASSERT_TRUE(json.ok()) << json.status().toString();
  const Json *a = json->find("a");
  EXPECT_EQ(a->items[0].integer, 1);
  EXPECT_EQ(a->items[0].real, 1);
  EXPECT_EQ(a->items[1].integer, -2);
  EXPECT_EQ(a->items[2].real, 3.5);
  EXPECT_TRUE(a->items[3].boolean);
  EXPECT_TRUE(a->items[4].is(Json::Kind::kNull));
  EXPECT_EQ(a->items[5].string, "x\xc3\xa4\n");
  EXPECT_TRUE(json->find("c")->is(Json::Kind::kReal));
  EXPECT_EQ(json->find("d"), nullptr);
}

TEST(Json, IntegersBeyond64BitsAreReal) {
  Result<Json> json = parseJson("[9223372036854775807,9223372036854775808,-9223372036854775808]");
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(json->items[0].integer, INT64_MAX);
  EXPECT_TRUE(json->items[0].is(Json::Kind::kInteger));
  EXPECT_TRUE(json->items[1].is(Json::Kind::kReal));
  EXPECT_EQ(json->items[1].real, 0x1p63);
  EXPECT_EQ(json->items[2].integer, INT64_MIN);
}

// What is quoted of the text in messages is cut.
TEST(Json, MessagesAreShort) {
  std::string message = parseJson("\"" + std::string(1000, 'x') + "\x01\"").status().message();
  EXPECT_EQ(message.size(), std::string("not a JSON text: ").size() + 300 + 3);
  EXPECT_TRUE(message.ends_with("xxx..."));
  EXPECT_FALSE(parseJson("nul").status().message().ends_with("..."));
  std::string key(150, 'k');
  EXPECT_EQ(parseJson("{\"" + key + "\":1,\"a\":2,\"" + key + "\":3}").status().message(),
            "not a JSON text: member '" + key.substr(0, 100) + "' occurs twice in one object");
  std::string dtype = "{\"dtype\":\"" + key + "\",\"shape\":[]}";
  EXPECT_EQ(tensorFromJson(*parseJson(dtype)).status().message(),
            "expected a dtype such as \"float32\" but got \"" + key.substr(0, 40) + "\"...");
  std::string member = R"({"dtype":"int8","shape":[],")" + key + "\":1}";
  EXPECT_EQ(tensorFromJson(*parseJson(member)).status().message(),
            "expected only 'dtype', 'shape' and 'b64' in the int8 tensor but got \"" +
                key.substr(0, 40) + "\"...");
}

TEST(Json, RefusesBadText) {
  for (const char *text :
       {"", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "nul", "1 2", "\"\\ud800\"", "\"\xff\"",
        "[1e999]", "'a'", "{\"a\":1,\"a\":2}", "\"\n\"", "// x\n1", "NaN"})
    EXPECT_FALSE(parseJson(text).ok()) << text;
}

TEST(Json, LimitsDepth) {
  auto nested = [](int n) {
    return std::string(static_cast<size_t>(n), '[') + std::string(static_cast<size_t>(n), ']');
  };
  EXPECT_TRUE(parseJson(nested(64)).ok());
  EXPECT_FALSE(parseJson(nested(65)).ok());
  Limits limits;
  limits.set(Limit::kJsonDepth, 2);
  limits.set(Limit::kJsonValues, 3);
  EXPECT_TRUE(parseJson("[[1]]", limits).ok());
  EXPECT_FALSE(parseJson("[[[]]]", limits).ok());
  EXPECT_FALSE(parseJson("[1,2,3]", limits).ok());
  EXPECT_FALSE(parseJson(std::string(20'000'000, '[')).ok());
  std::string objects;
  for (int i = 0; i < 100'000; ++i)
    objects += "{\"a\":";
  EXPECT_FALSE(parseJson(objects).ok());
}

TEST(Json, WritesStringsAndNumbers) {
  auto text = [](std::string_view s) {
    std::string out;
    appendJsonString(s, out);
    return out;
  };
  EXPECT_EQ(text("a\"b\\c\n\x01\x7f"), "\"a\\\"b\\\\c\\n\\u0001\\u007f\"");
  EXPECT_EQ(text("\x1f ~"), "\"\\u001f ~\"");
  const std::string wide = "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80";
  EXPECT_EQ(text(wide), '"' + wide + '"');
  for (const char *bad : {"\xff", "\xc0", "\x80"})
    EXPECT_EQ(text(bad), "\"\\ufffd\"");
  EXPECT_EQ(text("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
  EXPECT_EQ(text("\xe2\x82"), "\"\\ufffd\\ufffd\"");
  auto number = [](double d) {
    std::string out;
    appendJsonNumber(d, out);
    return out;
  };
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(12), "12");
  EXPECT_EQ(number(-0.0), "-0");
  EXPECT_EQ(number(1e300), "1e+300");
  EXPECT_EQ(number(0.0 / 0.0), "null");
}

Result<Tensor> parse(std::string_view text) {
  Result<Json> json = parseJson(text);
  if (!json.ok())
    return json.status();
  return tensorFromJson(*json);
}

TEST(TensorJson, ReadsFixtures) {
  Result<Tensor> t = parse(R"({"dtype":"float32","shape":[2,1],"b64":"AACAPwAAAEA="})");
  ASSERT_TRUE(t.ok()) << t.status().toString();
  EXPECT_EQ(t->data<float>()[1], 2);
  EXPECT_EQ(t->shape(), (Shape{2, 1}));
  t = parse(R"({"dtype":"string","shape":[2],"data":["Zm9v",""]})");
  ASSERT_TRUE(t.ok()) << t.status().toString();
  EXPECT_EQ(t->data<std::string>()[0], "foo");
  EXPECT_EQ(t->data<std::string>()[1], "");
}

TEST(TensorJson, RoundTripsEveryDtype) {
  for (int d = 0; d <= static_cast<int>(DType::kString); ++d) {
    auto dtype = static_cast<DType>(d);
    for (const Shape &shape : {Shape{}, Shape{5}, Shape{2, 3}, Shape{3, 0}}) {
      Result<Tensor> t = Tensor::allocate(dtype, shape);
      for (int64_t i = 0; i < t->elements() && dtype == DType::kString; ++i)
        t->data<std::string>()[i] = std::string(static_cast<size_t>(i), static_cast<char>(i));
      for (size_t i = 0; isPlain(dtype) && i < t->bytes(); ++i)
        t->data<unsigned char>()[i] = static_cast<unsigned char>(dtype == DType::kBool ? i % 2 : i);
      std::string text;
      ASSERT_TRUE(appendTensorJson(*t, text).ok());
      Result<Tensor> back = parse(text);
      ASSERT_TRUE(back.ok()) << text << back.status().toString();
      EXPECT_EQ(back->dtype(), dtype);
      EXPECT_EQ(back->shape(), shape);
      std::string again;
      ASSERT_TRUE(appendTensorJson(*back, again).ok());
      EXPECT_EQ(again, text);
    }
  }
}

TEST(TensorJson, RefusesBadTensors) {
  const std::pair<const char *, const char *> rows[] = {
      {R"(1)", "expected a tensor object with 'dtype', 'shape' and 'b64' or 'data'"},
      {R"([])", "expected a tensor object with 'dtype', 'shape' and 'b64' or 'data'"},
      {R"({})", "expected a string 'dtype' in the tensor"},
      {R"({"shape":[],"b64":"AAAAAA=="})", "expected a string 'dtype' in the tensor"},
      {R"({"dtype":"float33","shape":[],"b64":"AAAAAA=="})",
       "expected a dtype such as \"float32\" but got \"float33\""},
      {R"({"dtype":"resource","shape":[],"b64":"AAAAAA=="})",
       "expected a dtype such as \"float32\" but got \"resource\""},
      {R"({"dtype":1,"shape":[],"b64":"AAAAAA=="})", "expected a string 'dtype' in the tensor"},
      {R"({"dtype":"float32","b64":"AAAAAA=="})", "expected an array 'shape' in the tensor"},
      {R"({"dtype":"float32","shape":[-1],"b64":""})",
       "expected whole numbers of at least 0 in 'shape'"},
      {R"({"dtype":"float32","shape":[1.0],"b64":"AAAAAA=="})",
       "expected whole numbers of at least 0 in 'shape'"},
      {R"({"dtype":"float32","shape":["1"],"b64":"AAAAAA=="})",
       "expected whole numbers of at least 0 in 'shape'"},
      {R"({"dtype":"float32","shape":2,"b64":"AAAAAA=="})",
       "expected an array 'shape' in the tensor"},
      {R"({"dtype":"float32","shape":[4294967296,4294967296],"b64":""})",
       "element count of shape [4294967296,4294967296] overflows 64 bits"},
      {R"({"dtype":"float32","shape":[4611686018427387904],"b64":""})",
       "byte size of shape [4611686018427387904] overflows 64 bits"},
      {R"({"dtype":"float32","shape":[1000000000000],"b64":"AAAAAA=="})",
       "expected 4000000000000 bytes of data for f32[1000000000000] but got 4"},
      {R"({"dtype":"float32","shape":[],"b64":"AAAAAAA="})",
       "expected 4 bytes of data for f32[] but got 5"},
      {R"({"dtype":"float32","shape":[],"b64":"AAAA"})",
       "expected 4 bytes of data for f32[] but got 3"},
      {R"({"dtype":"float32","shape":[],"b64":"AAAAA!=="})", "expected base64 text in 'b64'"},
      {R"({"dtype":"float32","shape":[],"b64":7})", "expected a base64 string 'b64' in the tensor"},
      {R"({"dtype":"float32","shape":[]})", "expected a base64 string 'b64' in the tensor"},
      {R"({"dtype":"float32","shape":[],"data":["AAAA"]})",
       "expected only 'dtype', 'shape' and 'b64' in the float32 tensor but got \"data\""},
      {R"({"dtype":"float32","shape":[],"b64":"AAAAAA==","x":1})",
       "expected only 'dtype', 'shape' and 'b64' in the float32 tensor but got \"x\""},
      {R"({"dtype":"bool","shape":[],"b64":"Ag=="})",
       "expected 0 or 1 as bool but got 2 at element 0"},
      {R"({"dtype":"string","shape":[2],"data":["AAAA"]})",
       "expected 2 strings for shape [2] but got 1"},
      {R"({"dtype":"string","shape":[1],"data":[1]})",
       "expected base64 text in every item of 'data'"},
      {R"({"dtype":"string","shape":[1],"data":["A"]})",
       "expected base64 text in every item of 'data'"},
      {R"({"dtype":"string","shape":[1],"data":["!!!!"]})",
       "expected base64 text in every item of 'data'"},
      {R"({"dtype":"string","shape":[],"b64":"AAAA"})",
       "expected only 'dtype', 'shape' and 'data' in the string tensor but got \"b64\""},
  };
  for (const auto &[text, message] : rows)
    EXPECT_EQ(parse(text).status().toString(), std::string("INVALID_ARGUMENT: ") + message) << text;
  std::string dims = "1";
  for (int i = 0; i < Shape::kMaxRank; ++i) {
    EXPECT_TRUE(parse(R"({"dtype":"int8","b64":"AA==","shape":[)" + dims + "]}").ok()) << dims;
    dims += ",1";
  }
  EXPECT_EQ(parse(R"({"dtype":"int8","b64":"AA==","shape":[)" + dims + "]}").status().message(),
            format("expected a shape of at most %d dims but got %d", Shape::kMaxRank,
                   Shape::kMaxRank + 1));
}

TEST(TensorJson, WritesShapes) {
  const std::pair<Shape, const char *> rows[] = {{Shape{}, "[]"},
                                                 {Shape{2, 3}, "[2,3]"},
                                                 {Shape{Shape::kUnknown, 0}, "[null,0]"},
                                                 {Shape::unknownRank(), "null"}};
  for (const auto &[shape, text] : rows) {
    std::string out = "x";
    appendShapeJson(shape, out);
    EXPECT_EQ(out, std::string("x") + text);
  }
}

} // namespace
