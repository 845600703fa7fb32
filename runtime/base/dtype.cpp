// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types: table of sizes and names, conversion of the 16-bit floats.
#include "runtime/base/dtype.h"

#include "runtime/base/float_bits.h"

namespace sluice::rt {

namespace {
struct Info {
  std::string_view name;
  uint8_t size;
};
constexpr Info kInfo[kNumDTypes] = {
    {"f16", 2}, {"bf16", 2}, {"f32", 4}, {"f64", 8},  {"i8", 1},
    {"i16", 2}, {"i32", 4},  {"i64", 8}, {"u8", 1},   {"u16", 2},
    {"u32", 4}, {"u64", 8},  {"bool", 1}, {"c64", 8}, {"c128", 16},
    {"string", sizeof(std::string)}, {"handle", sizeof(void *)},
};
} // namespace

size_t sizeOf(DType dtype) { return kInfo[static_cast<size_t>(dtype)].size; }
std::string_view dtypeName(DType dtype) {
  return dtype == DType::kInvalid ? "invalid" : kInfo[static_cast<size_t>(dtype)].name;
}

std::optional<DType> dtypeFromName(std::string_view name) {
  for (int i = 0; i < kNumDTypes; ++i)
    if (kInfo[i].name == name)
      return static_cast<DType>(i);
  return std::nullopt;
}

Half::Half(float value) : bits(static_cast<uint16_t>(halfOfFloat(value).value)) {}
Half::operator float() const { return floatOfHalf(Bits{bits}); }

BFloat16::BFloat16(float value) : bits(static_cast<uint16_t>(bfloat16OfFloat(value).value)) {}
BFloat16::operator float() const { return floatOfBFloat16(Bits{bits}); }

} // namespace sluice::rt
