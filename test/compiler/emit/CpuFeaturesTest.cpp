// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which features a CPU needs for code of one level, or of several.
#include "compiler/emit/CpuFeatures.h"

#include <gtest/gtest.h>

namespace sluice::emit {
namespace {

using Features = std::array<uint32_t, 4>;

bool contains(const Features &all, const Features &some) {
  for (size_t i = 0; i < all.size(); ++i)
    if (some[i] & ~all[i])
      return false;
  return true;
}

#if defined(__x86_64__)
TEST(CpuFeatures, HigherLevelsNeedMore) {
  Features v2 = requiredCpuFeatures({"x86-64-v2"}), v3 = requiredCpuFeatures({"x86-64-v3"}),
           v4 = requiredCpuFeatures({"x86-64-v4"});
  EXPECT_TRUE(contains(v3, v2));
  EXPECT_TRUE(contains(v4, v3));
  EXPECT_FALSE(contains(v2, v3));
  EXPECT_FALSE(contains(v3, v4));
  EXPECT_FALSE(contains(v3, requiredCpuFeatures({"znver4"})));
}

TEST(CpuFeatures, SeveralCpusNeedWhatAnyNeeds) {
  EXPECT_EQ(requiredCpuFeatures({"x86-64-v2", "x86-64-v4"}), requiredCpuFeatures({"x86-64-v4"}));
  EXPECT_TRUE(
      contains(requiredCpuFeatures({"x86-64-v3", "native"}), requiredCpuFeatures({"native"})));
}
#endif

TEST(CpuFeatures, UnknownNamesNeedNothing) {
  EXPECT_EQ(requiredCpuFeatures({}), Features());
  EXPECT_EQ(requiredCpuFeatures({"toaster"}), Features());
}

} // namespace
} // namespace sluice::emit
