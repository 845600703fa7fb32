// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Examples and the values of their features, also where bytes are damaged.
#include "runtime/io/records/example.h"
#include "test/runtime/io/records/example_by_hand.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using namespace by_hand;

std::vector<float> floatsOf(std::string_view feature) {
  Result<Feature> parsed = parseFeature(feature);
  EXPECT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->dtype, DType::kF32);
  FeatureValues values(DType::kF32);
  EXPECT_TRUE(values.append(*parsed));
  Tensor tensor = *Tensor::allocate(DType::kF32, Shape({static_cast<int64_t>(values.size())}));
  values.copyTo(tensor, 0, 0, values.size());
  return {tensor.values<float>().begin(), tensor.values<float>().end()};
}

TEST(Example, FeaturesInTheirOrder) {
  std::string bytes = field(7, "unknown") +
                      example({entry("a", floatList({1})), entry("b", int64List({2}))}) +
                      example({entry("a", bytesList({"x"}))});
  Result<std::vector<NamedFeature>> features = parseExample(bytes);
  ASSERT_TRUE(features.ok());
  ASSERT_EQ(features->size(), 3u);
  EXPECT_EQ((*features)[0].name, "a");
  EXPECT_EQ((*features)[1].name, "b");
  EXPECT_EQ((*features)[2].bytes, bytesList({"x"}));
  EXPECT_TRUE(parseExample("")->empty());
  // The name may come behind the feature.
  features = parseExample(field(1, field(1, field(2, floatList({1})) + field(1, "n"))));
  ASSERT_TRUE(features.ok());
  EXPECT_EQ((*features)[0].name, "n");
}

TEST(Example, WhatIsNone) {
  EXPECT_FALSE(parseExample("\x08\x01").ok()); // a number where features belong
  std::string whole = example({entry("a", floatList({1, 2}))});
  for (size_t size = 1; size < whole.size(); ++size)
    EXPECT_EQ(parseExample(whole.substr(0, size)).status().code(), Code::kInvalidArgument) << size;
  for (const std::string &features :
       {field(1, field(1, "a")), field(1, field(2, floatList({1}))),
        field(1, field(1, "a") + field(1, "b") + field(2, "")), field(2, "x"),
        field(1, field(1, "a") + field(2, "") + field(2, "")),
        field(1, field(1, "a") + field(3, "")), field(1, "\x08\x01" + field(2, "")),
        field(1, field(1, "a") + "\x10\x01"), field(1, field(1, "a") + field(2, "") + field(3, "")),
        std::string("\x08\x01")})
    EXPECT_FALSE(parseExample(field(1, features)).ok());
}

TEST(Example, Lists) {
  EXPECT_EQ(floatsOf(floatList({1, 2.5f})), (std::vector<float>{1, 2.5f}));
  EXPECT_EQ(floatsOf(floatList({})), std::vector<float>{});
  MessageWriter single;
  single.fixed32(1, 0x3f800000);
  EXPECT_EQ(floatsOf(field(2, single.text() + field(1, single.text().substr(1)))),
            (std::vector<float>{1, 1}));
  // The first list is the one that counts.
  EXPECT_EQ(floatsOf(floatList({1}) + int64List({2})), std::vector<float>{1});
  EXPECT_EQ(parseFeature("")->dtype, DType::kInvalid);
  EXPECT_EQ(parseFeature(field(4, "x")).status().message(), "Unsupported datatype.");
  EXPECT_FALSE(parseFeature("\x10\x01").ok());
  EXPECT_FALSE(parseFeature(std::string_view("\x0a\x05", 2)).ok());

  FeatureValues integersRead(DType::kI64);
  EXPECT_TRUE(integersRead.append(*parseFeature(int64List({-1, 300}))));
  EXPECT_TRUE(integersRead.append(*parseFeature(field(3, "\x08\x05"))));
  Tensor tensor = *Tensor::allocate(DType::kI64, Shape({4}));
  integersRead.copyTo(tensor, 1, 0, 3);
  EXPECT_EQ(tensor.data<int64_t>()[1], -1);
  EXPECT_EQ(tensor.data<int64_t>()[2], 300);
  EXPECT_EQ(tensor.data<int64_t>()[3], 5);
  // The middle of them.
  integersRead.copyTo(tensor, 0, 1, 2);
  EXPECT_EQ(tensor.data<int64_t>()[0], 300);
  EXPECT_EQ(tensor.data<int64_t>()[1], 5);
  EXPECT_EQ(tensor.data<int64_t>()[2], 300);
  integersRead.clear();
  EXPECT_EQ(integersRead.size(), 0u);
}

TEST(Example, DamagedLists) {
  auto isDamaged = [](DType dtype, const std::string &list) {
    return !FeatureValues(dtype).append({dtype, list});
  };
  EXPECT_TRUE(isDamaged(DType::kF32, field(1, "abc")));
  EXPECT_TRUE(isDamaged(DType::kF32, "\x08\x01"));
  EXPECT_TRUE(isDamaged(DType::kF32, field(2, "abcd")));
  EXPECT_TRUE(isDamaged(DType::kI64, field(1, "\x80")));
  EXPECT_TRUE(isDamaged(DType::kI64, "\x0a\x05"));
  EXPECT_TRUE(isDamaged(DType::kI64, std::string("\x0d\0\0\0\0", 5)));
  EXPECT_TRUE(isDamaged(DType::kString, "\x08\x01"));
  EXPECT_TRUE(isDamaged(DType::kString, "\x0a\x05x"));
}

} // namespace
} // namespace sluice::rt
