// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of tensors: texts, keys, and what is copied.
#include "compiler/import/bundle/Region.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace sluice::import {
namespace {

graphdef::TensorSlice slice(const std::vector<std::pair<int64_t, int64_t>> &ranges) {
  graphdef::TensorSlice result;
  for (auto [start, length] : ranges) {
    auto *extent = result.add_extent();
    extent->set_start(start);
    if (length >= 0)
      extent->set_length(length);
  }
  return result;
}

TEST(Region, TextsOfParts) {
  auto part = parsePart("10 4 2,5:-");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->shape, (llvm::SmallVector<int64_t, 4>{10, 4}));
  EXPECT_EQ(part->region.starts, (llvm::SmallVector<int64_t, 4>{2, 0}));
  EXPECT_EQ(part->region.sizes, (llvm::SmallVector<int64_t, 4>{5, 4}));
  EXPECT_EQ(parsePart("3 0,0")->region.elements(), 0);
  for (const char *text : {"", "10", "10 4 0,5", "10 4 0,5:-:-", "10 4 6,5:-", "10 4 -1,2:-",
                           "10 4 1,-2:-", "x 0,1", "-3 -", "9223372036854775807 4 -:-",
                           "4 9223372036854775807,1", "4 1,9223372036854775807", "4 1", "4 1,2,3"})
    EXPECT_FALSE(parsePart(text)) << text;
}

TEST(Region, OfSlices) {
  EXPECT_TRUE(Region::of(slice({{0, -1}, {1, 2}}), {5, 3}));
  EXPECT_FALSE(Region::of(slice({{0, -1}}), {5, 3}));
  EXPECT_FALSE(Region::of(slice({{0, -1}, {2, 2}}), {5, 3}));
  EXPECT_FALSE(Region::of(slice({{-1, 2}, {0, 1}}), {5, 3}));
  EXPECT_FALSE(Region::of(slice({{1, -1}, {0, 1}}), {5, 3})); // from 1 to the end and one beyond
}

// As other programs write them.
TEST(Region, Keys) {
  EXPECT_EQ(keyOfRegion("v", slice({{0, -1}})), std::string("\0v\0\1\1\1\x80\x7f", 8));
  EXPECT_EQ(keyOfRegion("v", slice({{3, 63}})), std::string("\0v\0\1\1\1\x83\xbf", 8));
  EXPECT_EQ(keyOfRegion("v", slice({{64, 8191}})), std::string("\0v\0\1\1\1\xc0\x40\xdf\xff", 10));
  EXPECT_EQ(keyOfRegion("v", slice({{8192, 1048576}})),
            std::string("\0v\0\1\1\1\xe0\x20\x00\xf0\x10\x00\x00", 13));
  EXPECT_EQ(keyOfRegion(std::string("a\0b\xff", 4), slice({})), std::string("\0a\0\xff"
                                                                            "b\xff\0\0\1\0",
                                                                            10));
  EXPECT_EQ(keyOfRegion("v", slice({{INT64_MAX, 1}})).substr(6, 10),
            std::string("\xff\xc0\x7f\xff\xff\xff\xff\xff\xff\xff", 10));
}

TEST(Region, CopiesWhatIsShared) {
  std::vector<float> whole(5 * 4 * 3);
  std::iota(whole.begin(), whole.end(), 0.0f);
  llvm::StringRef bytes(reinterpret_cast<const char *>(whole.data()), 4 * whole.size());
  Region all = Region::whole({5, 4, 3});
  auto part = *Region::of(slice({{1, 3}, {2, 2}, {0, 2}}), {5, 4, 3});
  std::vector<float> got(12, -1);
  copyShared(all, bytes, part, reinterpret_cast<char *>(got.data()), 4);
  EXPECT_EQ(got, (std::vector<float>{18, 19, 21, 22, 30, 31, 33, 34, 42, 43, 45, 46}));
  // And back, into zeros.
  std::vector<float> back(60);
  copyShared(part, {reinterpret_cast<const char *>(got.data()), 48}, all,
             reinterpret_cast<char *>(back.data()), 4);
  for (size_t i = 0; i < 60; ++i)
    EXPECT_EQ(back[i], llvm::is_contained(got, static_cast<float>(i)) ? whole[i] : 0) << i;
  std::vector<float> scalar(1);
  copyShared(Region::whole({}), bytes.drop_front(8), Region::whole({}),
             reinterpret_cast<char *>(scalar.data()), 4);
  EXPECT_EQ(scalar[0], 2);
  auto elsewhere = *Region::of(slice({{0, 1}, {0, 1}, {0, 1}}), {5, 4, 3});
  copyShared(elsewhere, bytes, part, reinterpret_cast<char *>(got.data()), 4);
  EXPECT_EQ(got[0], 18);
}

} // namespace
} // namespace sluice::import
