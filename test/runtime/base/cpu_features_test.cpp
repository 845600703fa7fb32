// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CPU says of itself.
#include "runtime/base/cpu_features.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

namespace sluice::rt {
namespace {

TEST(CpuFeatures, NamesAreDistinct) {
  std::set<std::string> names;
  for (const CpuFeature &feature : kCpuFeatures)
    EXPECT_TRUE(names.insert(feature.name).second) << feature.name;
}

#if defined(__x86_64__)
bool has(const char *name) {
  CpuFeatureSet bit = 1;
  for (const CpuFeature &feature : kCpuFeatures) {
    if (std::strcmp(feature.name, name) == 0)
      return machineCpuFeatures() & bit;
    bit <<= 1;
  }
  ADD_FAILURE() << name << " is not in the table";
  return false;
}

// The compiler's own runtime library asks for the same bits.
TEST(CpuFeatures, AreThoseThatTheCompilerSees) {
#define EXPECT_SAME(NAME) EXPECT_EQ(has(NAME), __builtin_cpu_supports(NAME) != 0) << NAME
  EXPECT_SAME("sse3");
  EXPECT_SAME("ssse3");
  EXPECT_SAME("sse4.1");
  EXPECT_SAME("sse4.2");
  EXPECT_SAME("popcnt");
  EXPECT_SAME("avx");
  EXPECT_SAME("fma");
  EXPECT_SAME("bmi");
  EXPECT_SAME("avx2");
  EXPECT_SAME("bmi2");
  EXPECT_SAME("avx512f");
  EXPECT_SAME("avx512dq");
  EXPECT_SAME("avx512ifma");
  EXPECT_SAME("avx512cd");
  EXPECT_SAME("avx512bw");
  EXPECT_SAME("avx512vl");
  EXPECT_SAME("avx512vbmi");
  EXPECT_SAME("avx512vbmi2");
  EXPECT_SAME("gfni");
  EXPECT_SAME("avx512vnni");
  EXPECT_SAME("avx512bitalg");
  EXPECT_SAME("avx512vpopcntdq");
  EXPECT_SAME("sse4a");
  EXPECT_SAME("xop");
  EXPECT_SAME("fma4");
#undef EXPECT_SAME
}
#endif

} // namespace
} // namespace sluice::rt
