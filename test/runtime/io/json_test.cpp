// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON, and tensors in JSON.
#include "runtime/io/json.h"
#include "runtime/io/json_events.h"
#include "runtime/io/tensor_json.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

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
  std::string key(150, 'k');
  EXPECT_EQ(parseJson("{\"" + key + "\":1,\"a\":2,\"" + key + "\":3}").status().message(),
            "not a JSON text: member '" + key.substr(0, 100) + "' occurs twice in one object");
  EXPECT_EQ(parseJson("1" + std::string(400, '0')).status().message(),
            "not a JSON text: a number beyond the range of 64-bit floats: '1" +
                std::string(99, '0') + "'");
  std::string dtype = "{\"dtype\":\"" + key + "\",\"shape\":[]}";
  EXPECT_EQ(tensorFromJson(*outlineJson(dtype)).status().message(),
            "expected a dtype such as \"float32\" but got \"" + key.substr(0, 40) + "\"...");
  std::string member = R"({"dtype":"int8","shape":[],")" + key + "\":1}";
  EXPECT_EQ(tensorFromJson(*outlineJson(member)).status().message(),
            "expected only 'dtype', 'shape' and 'b64' or 'data' in the int8 tensor but got \"" +
                key.substr(0, 40) + "\"...");
}

// Trees and outlines are of the same texts.
TEST(Json, SaysWhatIsWrong) {
  const std::pair<std::string, const char *> rows[] = {
      {"", "expected a value but got the end of the text"},
      {" ", "expected a value but got the end of the text"},
      {"{", "expected the name of a member in double quotes but got the end of the text"},
      {"[1,]", "expected a value but got ']' at byte 3"},
      {"[1 2]", "expected ',' or ']' but got '2' at byte 3"},
      {"[01]", "expected ',' or ']' but got '1' at byte 2"},
      {"{\"a\":1,}", "expected the name of a member in double quotes but got '}' at byte 7"},
      {"{\"a\":1;}", "expected ',' or '}' but got ';' at byte 6"},
      {"{\"a\" 1}", "expected ':' but got '1' at byte 5"},
      {"{a:1}", "expected the name of a member in double quotes but got 'a' at byte 1"},
      {"[1}", "expected ',' or ']' but got '}' at byte 2"},
      {"nul", "expected a value but got 'n' at byte 0"},
      {"truE", "expected a value but got 't' at byte 0"},
      {"NaN", "expected a value but got 'N' at byte 0"},
      {"[-Infinity]", "expected a number but got '-' at byte 1"},
      {"[1.]", "expected a number but got '1' at byte 1"},
      {"[.5]", "expected a value but got '.' at byte 1"},
      {"[1e]", "expected a number but got '1' at byte 1"},
      {"[1,1e+]", "expected a number but got '1' at byte 3"},
      {"[+1]", "expected a value but got '+' at byte 1"},
      {"[0x10]", "expected ',' or ']' but got 'x' at byte 2"},
      {"1 2", "expected nothing behind the value but got '2' at byte 2"},
      {"`a`", "expected a value but got '`' at byte 0"},
      {"// x\n1", "expected a value but got '/' at byte 0"},
      {"\f1", "expected a value but got the byte 0x0c at byte 0"},
      {"\xef\xbb\xbf{}", "expected a value but got the byte 0xef at byte 0"},
      {"\"abc", "the string at byte 0 does not end"},
      {"\"a\\\"", "the string at byte 0 does not end"},
      {"[\"\n\"]", "the string at byte 1 has a control character without an escape at byte 2"},
      {"\"ab\xff\"", "the string at byte 0 is not UTF-8 at byte 3"},
      {"\"\xed\xa0\x80\"", "the string at byte 0 is not UTF-8 at byte 1"},
      {R"({"a":1,"a":2})", "member 'a' occurs twice in one object"},
      {R"([{"a":1,"b":{},"\u0061":2}])", "member 'a' occurs twice in one object"},
  };
  for (const auto &[text, message] : rows) {
    std::string expected = std::string("not a JSON text: ") + message;
    EXPECT_EQ(parseJson(text).status().message(), expected) << text;
    EXPECT_EQ(outlineJson(text).status().message(), expected) << text;
  }
  for (const char *text : {R"("\ud800")", R"("\ud800\u0041")", R"("\udc00")", R"("\x41")",
                           R"("\u12g4")", R"("\u12")", R"("\ud800\udc")"})
    EXPECT_EQ(parseJson(text).status().message(),
              "not a JSON text: the string at byte 0 has an escape that stands for no character at "
              "byte 1")
        << text;
}

// A vector of text is looked at in one step: what ends a string may be anywhere in it.
TEST(Json, FindsTheEndsOfLongStrings) {
  for (size_t length = 0; length < 200; ++length) {
    std::string text = '"' + std::string(length, 'x');
    EXPECT_EQ(parseJson(text + '"')->string.size(), length);
    EXPECT_EQ(parseJson(text + "\\\"\\n\"")->string, text.substr(1) + "\"\n");
    EXPECT_EQ(parseJson(text + "\xc3\xa4\"")->string, text.substr(1) + "\xc3\xa4");
    EXPECT_EQ(parseJson(text + R"(\u00e4\u20ac\ud83d\uDE00")")->string,
              text.substr(1) + "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    EXPECT_FALSE(parseJson(text + "\x1f\"").ok());
    EXPECT_FALSE(parseJson(text + "\xc3\"").ok());
    EXPECT_FALSE(parseJson(text).ok());
  }
}

// Whichever it is, and wherever it stands.
TEST(Json, NumbersEndAtTheFirstOtherCharacter) {
  const std::string digits = "1081726354908172635490817263549081726354";
  for (size_t size = 1; size < digits.size(); ++size)
    EXPECT_EQ(endOfJsonNumber(digits.data(), digits.data() + size), digits.data() + size);
  for (int c = 0; c < 256; ++c) {
    const bool goesOn = (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E';
    for (size_t place = 1; place < 20 && !goesOn; ++place)
      for (size_t size : {place + 1, size_t{20}, digits.size()}) {
        std::string text = digits.substr(0, size);
        text[place] = static_cast<char>(c);
        EXPECT_EQ(endOfJsonNumber(text.data(), text.data() + size), text.data() + place) << c;
      }
  }
}

TEST(Json, RefusesNumbersBeyondRange) {
  EXPECT_FALSE(parseJson("[1e999]").ok());
  EXPECT_FALSE(parseJson("-1e999").ok());
  EXPECT_EQ(parseJson("1e-999")->real, 0);
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
  Result<JsonPart> part = outlineJson(text);
  if (!part.ok())
    return part.status();
  return tensorFromJson(*part);
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
      {R"({"dtype":"float32","shape":[]})",
       "expected either a base64 string 'b64' or an array 'data' in the tensor"},
      {R"({"dtype":"float32","shape":[],"b64":"AAAAAA==","data":[1]})",
       "expected either a base64 string 'b64' or an array 'data' in the tensor"},
      {R"({"dtype":"float32","shape":[],"b64":"AAAAAA==","x":1})",
       "expected only 'dtype', 'shape' and 'b64' or 'data' in the float32 tensor but got \"x\""},
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
