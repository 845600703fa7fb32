// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines and numbers as TensorFlow reads them.
#include "runtime/io/records/csv.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using Fields = std::vector<std::string>;

Fields split(std::string_view line, const CsvForm &form = {}) {
  Result<Fields> fields = splitCsv(line, form);
  EXPECT_TRUE(fields.ok()) << line << ": " << fields.status().toString();
  return fields.ok() ? *fields : Fields();
}
std::string faultOf(std::string_view line, const CsvForm &form = {}) {
  Result<Fields> fields = splitCsv(line, form);
  EXPECT_FALSE(fields.ok()) << line;
  EXPECT_EQ(fields.status().code(), Code::kInvalidArgument);
  return fields.status().message();
}

TEST(Csv, Fields) {
  EXPECT_EQ(split("1,a"), (Fields{"1", "a"}));
  EXPECT_EQ(split(""), Fields{});
  EXPECT_EQ(split(","), (Fields{"", ""}));
  EXPECT_EQ(split("1,"), (Fields{"1", ""}));
  EXPECT_EQ(split(",,a"), (Fields{"", "", "a"}));
  EXPECT_EQ(split("\na,\rb"), (Fields{"a", "b"}));
  EXPECT_EQ(split("a,\n"), Fields{"a"});
  EXPECT_EQ(split("\"a,b\",2"), (Fields{"a,b", "2"}));
  EXPECT_EQ(split("\"a\"\"b\",\"\""), (Fields{"a\"b", ""}));
  EXPECT_EQ(split("\"a\nb\""), Fields{"a\nb"});
  EXPECT_EQ(split("a\tb", {.delimiter = '\t'}), (Fields{"a", "b"}));
  EXPECT_EQ(split("a\"b,\"c\"", {.quotes = false}), (Fields{"a\"b", "\"c\""}));
  EXPECT_EQ(split("a\"b", {.delimiter = '"'}), (Fields{"a", "b"}));
}

TEST(Csv, Columns) {
  const int64_t columns[] = {1, 3};
  CsvForm form{.columns = columns};
  EXPECT_EQ(split("1,2,3,4,5", form), (Fields{"2", "4"}));
  EXPECT_EQ(split("1,2,3,", form), (Fields{"2", ""}));
  EXPECT_EQ(split("1,2", form), Fields{"2"});
  EXPECT_EQ(split("1,2,", form), Fields{"2"}); // the third is none of them
  EXPECT_EQ(split("1,", form), Fields{""});
  EXPECT_EQ(split("\"a\nb\",\"c,d\",2", form), Fields{"c,d"});
  EXPECT_EQ(split("1,2,3,4,5\"", form), (Fields{"2", "4"})); // what follows is not looked at
}

TEST(Csv, Faults) {
  constexpr const char *kPlain = "Unquoted fields cannot have quotes/CRLFs inside";
  constexpr const char *kInside = "Quote inside a string has to be escaped by another quote";
  constexpr const char *kEnd = "Quoted field has to end with quote followed by delim or end";
  EXPECT_EQ(faultOf("a\"b"), kPlain);
  EXPECT_EQ(faultOf("a\r\n"), kPlain);
  EXPECT_EQ(faultOf("a\nb"), kPlain);
  EXPECT_EQ(faultOf("a\rb", {.quotes = false}), kPlain);
  EXPECT_EQ(faultOf("a\nb", {.quotes = false}), kPlain);
  EXPECT_EQ(faultOf("\"a\"b\",2"), kInside);
  EXPECT_EQ(faultOf("\"a\" ,b"), kInside);
  EXPECT_EQ(faultOf("\"ab"), kEnd);
  EXPECT_EQ(faultOf("\""), kEnd);
  EXPECT_EQ(faultOf("\"a\"\""), kEnd);
}

template <typename T> std::optional<T> number(std::string_view text) {
  Tensor tensor = Tensor::scalar(T(7));
  return storeField(text, tensor, 0) ? std::optional<T>(*tensor.data<T>()) : std::nullopt;
}

TEST(Csv, Integers) {
  EXPECT_EQ(number<int32_t>(" 12 "), 12);
  EXPECT_EQ(number<int32_t>("\t\n\v\f\r 12\r\f\v\n\t"), 12);
  EXPECT_EQ(number<int32_t>("2147483647"), INT32_MAX);
  EXPECT_EQ(number<int64_t>("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(number<int64_t>("9223372036854775808"), std::nullopt);
  EXPECT_EQ(number<int32_t>("-2147483648"), INT32_MIN);
  EXPECT_EQ(number<int64_t>("9223372036854775807"), INT64_MAX);
  for (const char *text :
       {"x", "+12", "- 12", "0x12", "2147483648", "-2147483649", "", " ", "1.0", "1 2"})
    EXPECT_EQ(number<int32_t>(text), std::nullopt) << text;
}

TEST(Csv, Floats) {
  constexpr float kInf = INFINITY;
  using Case = std::pair<const char *, float>;
  for (auto [text, wanted] : std::initializer_list<Case>{{"1.5", 1.5f},
                                                         {" 1.5\t", 1.5f},
                                                         {"+1.5", 1.5f},
                                                         {"-1.5", -1.5f},
                                                         {".5", 0.5f},
                                                         {"5.", 5.0f},
                                                         {"1e400", kInf},
                                                         {"-1e400", -kInf},
                                                         {"1e-60", 0.0f},
                                                         {"1e39", kInf},
                                                         {"inf", kInf},
                                                         {"-Inf", -kInf},
                                                         {"+inf", kInf},
                                                         {"0x10", 16.0f},
                                                         {"-0X1f", -31.0f},
                                                         {"0.000001e60", kInf},
                                                         {"1000000e-99", 0.0f},
                                                         {"1e99999999999999999999", kInf},
                                                         {"1e-99999999999999999999", 0.0f}})
    EXPECT_EQ(number<float>(text), wanted) << text;
  // Digits that are many, and an exponent that brings them back.
  const std::string zeros(400, '0');
  EXPECT_EQ(number<float>("1" + zeros), kInf);
  EXPECT_EQ(number<float>("1" + zeros + ".5"), kInf);
  EXPECT_EQ(number<float>("0." + zeros + "1"), 0.0f);
  EXPECT_EQ(number<float>("0." + zeros + "1e+9"), 0.0f);
  EXPECT_EQ(number<float>("1" + zeros + "E-9"), kInf);
  EXPECT_EQ(number<float>("1" + zeros + "e-400"), 1.0f);
  EXPECT_EQ(number<float>("0." + zeros + "1e+999"), kInf);
  EXPECT_EQ(number<float>("1e+400"), kInf);
  EXPECT_EQ(number<double>("1e309"), INFINITY);
  EXPECT_EQ(number<double>("1e-400"), 0.0);
  EXPECT_EQ(number<double>("0x1fffffffff"), 137438953471.0);
  EXPECT_TRUE(std::isnan(*number<float>("NaN")));
  EXPECT_TRUE(std::isnan(*number<double>("-nan")));
  EXPECT_EQ(number<float>(" "), 0.0f);
  EXPECT_EQ(number<double>("1e39"), 1e39);
  for (const char *text : {"infinity", "0x1p3", "1.5f", "1,", "1e", "-", "+", "1_0", "1e5 x", "1d",
                           "--1", "+-1", "-+1", "nan(1)", "0x", "0x1.8", "."})
    EXPECT_EQ(number<float>(text), std::nullopt) << text;
}

} // namespace
} // namespace sluice::rt
