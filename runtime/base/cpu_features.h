// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What machine code for x86-64 may need beyond the instructions that every such CPU has.
//
// The compiler makes code of no other features than these, and the program asks its machine for
// them: whatever else a CPU's name stands for, no program contains it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace sluice::rt {

enum class CpuidRegister : uint8_t { kEax, kEbx, kEcx, kEdx };
// Registers that are of no use unless the operating system keeps them for each thread.
enum class WideRegisters : uint8_t { kNone, kAvx, kAvx512 };

// Named as compilers do, with the place of its bit in what the CPUID instruction says.
struct CpuFeature {
  const char *name;
  uint32_t leaf, subleaf;
  CpuidRegister place;
  uint8_t bit;
  WideRegisters needs;
};

inline constexpr CpuFeature kCpuFeatures[] = {
    {"sse3", 1, 0, CpuidRegister::kEcx, 0, WideRegisters::kNone},
    {"ssse3", 1, 0, CpuidRegister::kEcx, 9, WideRegisters::kNone},
    {"fma", 1, 0, CpuidRegister::kEcx, 12, WideRegisters::kAvx},
    {"cx16", 1, 0, CpuidRegister::kEcx, 13, WideRegisters::kNone},
    {"sse4.1", 1, 0, CpuidRegister::kEcx, 19, WideRegisters::kNone},
    {"sse4.2", 1, 0, CpuidRegister::kEcx, 20, WideRegisters::kNone},
    {"movbe", 1, 0, CpuidRegister::kEcx, 22, WideRegisters::kNone},
    {"popcnt", 1, 0, CpuidRegister::kEcx, 23, WideRegisters::kNone},
    {"avx", 1, 0, CpuidRegister::kEcx, 28, WideRegisters::kAvx},
    {"f16c", 1, 0, CpuidRegister::kEcx, 29, WideRegisters::kAvx},
    {"bmi", 7, 0, CpuidRegister::kEbx, 3, WideRegisters::kNone},
    {"avx2", 7, 0, CpuidRegister::kEbx, 5, WideRegisters::kAvx},
    {"bmi2", 7, 0, CpuidRegister::kEbx, 8, WideRegisters::kNone},
    {"avx512f", 7, 0, CpuidRegister::kEbx, 16, WideRegisters::kAvx512},
    {"avx512dq", 7, 0, CpuidRegister::kEbx, 17, WideRegisters::kAvx512},
    {"avx512ifma", 7, 0, CpuidRegister::kEbx, 21, WideRegisters::kAvx512},
    {"avx512cd", 7, 0, CpuidRegister::kEbx, 28, WideRegisters::kAvx512},
    {"avx512bw", 7, 0, CpuidRegister::kEbx, 30, WideRegisters::kAvx512},
    {"avx512vl", 7, 0, CpuidRegister::kEbx, 31, WideRegisters::kAvx512},
    {"avx512vbmi", 7, 0, CpuidRegister::kEcx, 1, WideRegisters::kAvx512},
    {"avx512vbmi2", 7, 0, CpuidRegister::kEcx, 6, WideRegisters::kAvx512},
    {"gfni", 7, 0, CpuidRegister::kEcx, 8, WideRegisters::kNone},
    {"avx512vnni", 7, 0, CpuidRegister::kEcx, 11, WideRegisters::kAvx512},
    {"avx512bitalg", 7, 0, CpuidRegister::kEcx, 12, WideRegisters::kAvx512},
    {"avx512vpopcntdq", 7, 0, CpuidRegister::kEcx, 14, WideRegisters::kAvx512},
    {"avx512fp16", 7, 0, CpuidRegister::kEdx, 23, WideRegisters::kAvx512},
    {"avxvnni", 7, 1, CpuidRegister::kEax, 4, WideRegisters::kAvx},
    {"avx512bf16", 7, 1, CpuidRegister::kEax, 5, WideRegisters::kAvx512},
    {"avxifma", 7, 1, CpuidRegister::kEax, 23, WideRegisters::kAvx},
    {"avxneconvert", 7, 1, CpuidRegister::kEdx, 5, WideRegisters::kAvx},
    {"sahf", 0x80000001, 0, CpuidRegister::kEcx, 0, WideRegisters::kNone},
    {"lzcnt", 0x80000001, 0, CpuidRegister::kEcx, 5, WideRegisters::kNone},
    {"sse4a", 0x80000001, 0, CpuidRegister::kEcx, 6, WideRegisters::kNone},
    {"xop", 0x80000001, 0, CpuidRegister::kEcx, 11, WideRegisters::kAvx},
    {"fma4", 0x80000001, 0, CpuidRegister::kEcx, 16, WideRegisters::kAvx},
    {"tbm", 0x80000001, 0, CpuidRegister::kEcx, 21, WideRegisters::kNone},
};

// A bit for each entry of the table, the first one lowest.
using CpuFeatureSet = uint64_t;
static_assert(sizeof(kCpuFeatures) / sizeof(kCpuFeatures[0]) <= 64);

// The bits of features of the table.
constexpr CpuFeatureSet cpuFeaturesNamed(std::initializer_list<std::string_view> names) {
  CpuFeatureSet result = 0, bit = 1;
  for (const CpuFeature &feature : kCpuFeatures) {
    for (std::string_view name : names)
      result |= name == feature.name ? bit : 0;
    bit <<= 1;
  }
  return result;
}

// What this machine's CPU has; nothing on other architectures.
CpuFeatureSet machineCpuFeatures();

} // namespace sluice::rt
