// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of tensors: texts, keys, and what is copied.
#include "runtime/io/bundle/region.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace sluice::rt {
namespace {

TensorSlice slice(const std::vector<std::pair<int64_t, int64_t>> &ranges) {
  TensorSlice result;
  for (auto [start, size] : ranges) {
    result.starts.push_back(start);
    result.sizes.push_back(size);
  }
  return result;
}

using Numbers = std::vector<int64_t>;

TEST(Region, TextsOfParts) {
  auto part = parsePart("10 4 2,5:-");
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(part->shape, (Numbers{10, 4}));
  EXPECT_EQ(part->region.starts, (Numbers{2, 0}));
  EXPECT_EQ(part->region.sizes, (Numbers{5, 4}));
  EXPECT_EQ(part->slice, slice({{2, 5}, {0, -1}}));
  EXPECT_EQ(textOf(part->region, part->shape), "2,5:-");
  EXPECT_EQ(parsePart("10 4 +2,5:-")->region, part->region);
  EXPECT_EQ(parsePart("0 -")->region.elements(), 0);
  // As TensorFlow has it, also which code.
  for (const char *text : {"", "10", "-", "10 4", "10 4 -1,2:-", "10 4 1,-2:-", "x 0,1", "-3 -",
                           "3 0,0", "10 4  0,5:-", "10 4 - :-", "9223372036854775807 4 -:-", "4 1",
                           "4 1,2,3", "4 1,x", "4 +-1,1"})
    EXPECT_EQ(parsePart(text).status().code(), Code::kInvalidArgument) << text;
  for (const char *text : {"10 4 0,5", "10 4 0,5:-:-", "10 4 6,5:-", "4 9223372036854775807,1",
                           "4 1,9223372036854775807", "4 4,1"})
    EXPECT_EQ(parsePart(text).status().code(), Code::kInternal) << text;
}

TEST(Region, OfSlices) {
  EXPECT_TRUE(Region::of(slice({{0, -1}, {1, 2}}), Numbers{5, 3}));
  EXPECT_FALSE(Region::of(slice({{0, -1}}), Numbers{5, 3}));
  EXPECT_FALSE(Region::of(slice({{0, -1}, {2, 2}}), Numbers{5, 3}));
  EXPECT_FALSE(Region::of(slice({{-1, 2}, {0, 1}}), Numbers{5, 3}));
  EXPECT_FALSE(
      Region::of(slice({{1, -1}, {0, 1}}), Numbers{5, 3})); // from 1 to the end and one beyond
}

// As other programs write them.
TEST(Region, Keys) {
  EXPECT_EQ(keyOfSlice("v", slice({{0, -1}})), std::string("\0v\0\1\1\1\x80\x7f", 8));
  EXPECT_EQ(keyOfSlice("v", slice({{3, 63}})), std::string("\0v\0\1\1\1\x83\xbf", 8));
  EXPECT_EQ(keyOfSlice("v", slice({{64, 8191}})), std::string("\0v\0\1\1\1\xc0\x40\xdf\xff", 10));
  EXPECT_EQ(keyOfSlice("v", slice({{8192, 1048576}})),
            std::string("\0v\0\1\1\1\xe0\x20\x00\xf0\x10\x00\x00", 13));
  EXPECT_EQ(keyOfSlice(std::string("a\0b\xff", 4), slice({})), std::string("\0a\0\xff"
                                                                           "b\xff\0\0\1\0",
                                                                           10));
  EXPECT_EQ(keyOfSlice("v", slice({{INT64_MAX, 1}})).substr(6, 10),
            std::string("\xff\xc0\x7f\xff\xff\xff\xff\xff\xff\xff", 10));
}

TEST(Region, CopiesWhatIsShared) {
  std::vector<float> whole(5 * 4 * 3);
  std::iota(whole.begin(), whole.end(), 0.0f);
  Region all = Region::whole(Numbers{5, 4, 3});
  auto part = *Region::of(slice({{1, 3}, {2, 2}, {0, 2}}), Numbers{5, 4, 3});
  std::vector<float> got(12, -1);
  copyShared(all, whole.data(), part, got.data(), DType::kF32);
  EXPECT_EQ(got, (std::vector<float>{18, 19, 21, 22, 30, 31, 33, 34, 42, 43, 45, 46}));
  // And back, into zeros.
  std::vector<float> back(60);
  copyShared(part, got.data(), all, back.data(), DType::kF32);
  for (size_t i = 0; i < 60; ++i)
    EXPECT_EQ(back[i], std::ranges::count(got, static_cast<float>(i)) ? whole[i] : 0) << i;
  std::vector<float> scalar(1);
  copyShared(Region::whole({}), whole.data() + 2, Region::whole({}), scalar.data(), DType::kF32);
  EXPECT_EQ(scalar[0], 2);
  auto elsewhere = *Region::of(slice({{0, 1}, {0, 1}, {0, 1}}), Numbers{5, 4, 3});
  copyShared(elsewhere, whole.data(), part, got.data(), DType::kF32);
  EXPECT_EQ(got[0], 18);
  std::vector<std::string> texts{"a", "b", "c"}, two(2);
  copyShared(Region::whole(Numbers{3}), texts.data(), *Region::of(slice({{1, 2}}), Numbers{3}),
             two.data(), DType::kString);
  EXPECT_EQ(two, (std::vector<std::string>{"b", "c"}));
}

} // namespace
} // namespace sluice::rt
