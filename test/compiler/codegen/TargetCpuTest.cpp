// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which features a CPU needs for code of one level, or of several, and that code has no others.
#include "compiler/codegen/cpu/TargetCpu.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <gtest/gtest.h>

namespace sluice::codegen {
namespace {

const llvm::Triple kX86("x86_64-unknown-linux-gnu");

rt::CpuFeatureSet required(llvm::ArrayRef<llvm::StringRef> marches) {
  return requiredCpuFeatures(kX86, marches);
}
bool contains(rt::CpuFeatureSet all, rt::CpuFeatureSet some) { return (some & ~all) == 0; }

TEST(TargetCpu, HigherLevelsNeedMore) {
  rt::CpuFeatureSet v1 = required({"x86-64"}), v2 = required({"x86-64-v2"}),
                    v3 = required({"x86-64-v3"}), v4 = required({"x86-64-v4"});
  EXPECT_EQ(v1, 0u);
  EXPECT_TRUE(contains(v3, v2));
  EXPECT_TRUE(contains(v4, v3));
  EXPECT_FALSE(contains(v1, v2));
  EXPECT_FALSE(contains(v2, v3));
  EXPECT_FALSE(contains(v3, v4));
  EXPECT_FALSE(contains(v3, required({"znver4"})));
}

TEST(TargetCpu, SeveralCpusNeedWhatAnyNeeds) {
  EXPECT_EQ(required({"x86-64-v2", "x86-64-v4"}), required({"x86-64-v4"}));
  EXPECT_EQ(required({"znver4", "graniterapids"}),
            required({"znver4"}) | required({"graniterapids"}));
}

TEST(TargetCpu, UnknownNamesNeedNothing) {
  EXPECT_EQ(required({}), 0u);
  EXPECT_EQ(required({"toaster"}), 0u);
  EXPECT_EQ(requiredCpuFeatures(llvm::Triple("aarch64-linux-gnu"), {"x86-64-v3"}), 0u);
}

// Whatever LLVM knows of a CPU: code for it has nothing but what every x86-64 CPU has, and what its
// program asks for.
TEST(TargetCpu, CodeHasNoFeatureThatIsNotAskedFor) {
  std::string problem;
  const llvm::Target *target = findTarget(kX86, problem);
  ASSERT_NE(target, nullptr) << problem;
  llvm::StringSet<> allowed;
  for (const rt::CpuFeature &feature : rt::kCpuFeatures)
    allowed.insert(feature.name);
  for (llvm::StringRef basic : {"64bit", "cmov", "cx8", "fxsr", "mmx", "sse", "sse2", "x87"})
    allowed.insert(basic);
  allowed.insert("vzeroupper"); // says where to put an instruction of avx
  llvm::SmallVector<llvm::StringRef> names = {"native"};
  llvm::X86::fillValidCPUArchList(names, /*Only64Bit=*/true);
  EXPECT_GT(names.size(), 60u);
  for (llvm::StringRef name : names) {
    if (name == "native" && !llvm::Triple(llvm::sys::getDefaultTargetTriple()).isX86())
      continue;
    TargetCpu cpu = targetCpu(*target, kX86, name);
    std::unique_ptr<llvm::MCSubtargetInfo> info(
        target->createMCSubtargetInfo(kX86, cpu.name, cpu.features));
    for (llvm::StringRef feature : {
#define X86_FEATURE(ENUM, NAME) NAME,
#include "llvm/TargetParser/X86TargetParser.def"
         })
      for (const llvm::SubtargetFeatureKV &enabled : info->getEnabledProcessorFeatures())
        EXPECT_TRUE(feature != enabled.Key || allowed.contains(feature))
            << name.str() << " has " << feature.str();
  }
}

// The compiler's way to find out and the program's.
TEST(TargetCpu, ThisMachineHasWhatNativeNeeds) {
  llvm::Triple here(llvm::sys::getDefaultTargetTriple());
  EXPECT_TRUE(contains(rt::machineCpuFeatures(), requiredCpuFeatures(here, {"native"})));
}

} // namespace
} // namespace sluice::codegen
