// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CPU says of itself.
#include "runtime/base/cpu_features.h"
#include "runtime/base/status.h"

#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace sluice::rt {
namespace {

TEST(CpuFeatures, NamesAreDistinct) {
  std::set<std::string> names;
  for (const CpuFeature &feature : kCpuFeatures)
    EXPECT_TRUE(names.insert(feature.name).second) << feature.name;
}

#if defined(__x86_64__)
// Where the compiler's own header has the bits.
TEST(CpuFeatures, LieWhereTheCpuHasThem) {
  const std::pair<const char *, unsigned> bits[] = {
      {"sse3", bit_SSE3},
      {"ssse3", bit_SSSE3},
      {"fma", bit_FMA},
      {"cx16", bit_CMPXCHG16B},
      {"sse4.1", bit_SSE41},
      {"sse4.2", bit_SSE42},
      {"movbe", bit_MOVBE},
      {"popcnt", bit_POPCNT},
      {"avx", bit_AVX},
      {"f16c", bit_F16C},
      {"bmi", bit_BMI},
      {"avx2", bit_AVX2},
      {"bmi2", bit_BMI2},
      {"avx512f", bit_AVX512F},
      {"avx512dq", bit_AVX512DQ},
      {"avx512ifma", bit_AVX512IFMA},
      {"avx512cd", bit_AVX512CD},
      {"avx512bw", bit_AVX512BW},
      {"avx512vl", bit_AVX512VL},
      {"avx512vbmi", bit_AVX512VBMI},
      {"avx512vbmi2", bit_AVX512VBMI2},
      {"gfni", bit_GFNI},
      {"avx512vnni", bit_AVX512VNNI},
      {"avx512bitalg", bit_AVX512BITALG},
      {"avx512vpopcntdq", bit_AVX512VPOPCNTDQ},
      {"avx512fp16", bit_AVX512FP16},
      {"avxvnni", bit_AVXVNNI},
      {"avx512bf16", bit_AVX512BF16},
      {"avxifma", bit_AVXIFMA},
      {"avxneconvert", bit_AVXNECONVERT},
      {"sahf", bit_LAHF_LM},
      {"lzcnt", bit_LZCNT},
      {"sse4a", bit_SSE4a},
      {"xop", bit_XOP},
      {"fma4", bit_FMA4},
      {"tbm", bit_TBM},
  };
  ASSERT_EQ(std::size(bits), std::size(kCpuFeatures));
  for (size_t i = 0; i < std::size(bits); ++i) {
    EXPECT_STREQ(kCpuFeatures[i].name, bits[i].first);
    EXPECT_EQ(1u << kCpuFeatures[i].bit, bits[i].second) << bits[i].first;
  }
}

// Which leaf says so, in which register, and which registers the system has to keep.
TEST(CpuFeatures, AreAskedForWhereTheyBelong) {
  const std::set<std::string> avx = {"fma",  "avx",     "f16c",    "avx2",        "xop",
                                     "fma4", "avxvnni", "avxifma", "avxneconvert"};
  std::string places;
  for (const CpuFeature &feature : kCpuFeatures) {
    const std::string name = feature.name;
    WideRegisters needs = name.starts_with("avx512") ? WideRegisters::kAvx512
                          : avx.contains(name)     ? WideRegisters::kAvx
                                                   : WideRegisters::kNone;
    EXPECT_EQ(feature.needs, needs) << name;
    std::string place = format(" %x.%u%c", feature.leaf, feature.subleaf,
                               "abcd"[static_cast<int>(feature.place)]);
    if (!places.ends_with(place))
      places += place;
  }
  EXPECT_EQ(places, " 1.0c 7.0b 7.0c 7.0d 7.1a 7.1d 80000001.0c");
}

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
