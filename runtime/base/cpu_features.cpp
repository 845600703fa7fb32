// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the CPU, and the operating system for the registers that it keeps. Compiled for every CPU of
// the architecture (runtime/CMakeLists.txt).
#include "runtime/base/cpu_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace sluice::rt {

#if defined(__x86_64__)

namespace {

struct CpuidAnswer {
  unsigned registers[4] = {}; // in the order of CpuidRegister

  // Zeros where the CPU has no such leaf.
  CpuidAnswer(uint32_t leaf, uint32_t subleaf) {
    if (subleaf > 0 && subleaf > CpuidAnswer(leaf, 0).registers[0])
      return;
    __get_cpuid_count(leaf, subleaf, &registers[0], &registers[1], &registers[2], &registers[3]);
  }
  bool has(CpuidRegister place, unsigned bit) const {
    return registers[static_cast<unsigned>(place)] >> bit & 1;
  }
};

// The bits of XCR0: which registers the operating system keeps.
uint32_t keptRegisters() {
  constexpr unsigned kBitOfXgetbv = 27;
  if (!CpuidAnswer(1, 0).has(CpuidRegister::kEcx, kBitOfXgetbv))
    return 0;
  uint32_t low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

bool isKept(WideRegisters registers, uint32_t kept) {
  constexpr uint32_t kAvxBits = 0x6, kAvx512Bits = 0xe6;
  const uint32_t needed = registers == WideRegisters::kAvx512 ? kAvx512Bits
                          : registers == WideRegisters::kAvx  ? kAvxBits
                                                              : 0;
  return (kept & needed) == needed;
}

} // namespace

CpuFeatureSet machineCpuFeatures() {
  const uint32_t kept = keptRegisters();
  CpuFeatureSet result = 0, bit = 1;
  const CpuFeature *asked = kCpuFeatures; // asking takes long on a virtual machine
  CpuidAnswer answer(asked->leaf, asked->subleaf);
  for (const CpuFeature &feature : kCpuFeatures) {
    if (feature.leaf != asked->leaf || feature.subleaf != asked->subleaf)
      answer = CpuidAnswer(feature.leaf, feature.subleaf);
    asked = &feature;
    if (answer.has(feature.place, feature.bit) && isKept(feature.needs, kept))
      result |= bit;
    bit <<= 1;
  }
  return result;
}

#else

CpuFeatureSet machineCpuFeatures() { return 0; }

#endif

} // namespace sluice::rt
