// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of features to the numbers that GCC's and LLVM's runtime libraries agree on.
#include "compiler/emit/CpuFeatures.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

namespace sluice::emit {

using namespace llvm;

// Features that the runtime libraries do not know are not asked for.
static void require(StringRef feature, std::array<uint32_t, 4> &mask) {
  static const std::pair<StringRef, unsigned> known[] = {
#define X86_FEATURE_COMPAT(ENUM, NAME, PRIORITY, NUMBER) {NAME, NUMBER},
#include "llvm/TargetParser/X86TargetParser.def"
  };
  for (auto [name, number] : known)
    if (name == feature && number / 32 < mask.size())
      mask[number / 32] |= 1u << number % 32;
}

static void requireHost(std::array<uint32_t, 4> &mask) {
  for (const auto &feature : sys::getHostCPUFeatures())
    if (feature.getValue())
      require(feature.getKey(), mask);
}

std::array<uint32_t, 4> requiredCpuFeatures(ArrayRef<StringRef> cpus) {
  std::array<uint32_t, 4> mask = {};
  if (!Triple(sys::getDefaultTargetTriple()).isX86())
    return mask;
  for (StringRef cpu : cpus) {
    if (cpu == "native") {
      requireHost(mask);
      continue;
    }
    if (X86::parseArchX86(cpu, /*Only64Bit=*/true) == X86::CK_None)
      continue;
    SmallVector<StringRef> features;
    X86::getFeaturesForCPU(cpu, features);
    for (StringRef feature : features)
      require(feature, mask);
  }
  return mask;
}

} // namespace sluice::emit
