// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types: table of sizes and names, conversion of the 16-bit floats.
#include "runtime/base/dtype.h"

#include <bit>
#include <cmath>
#include <cstring>

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

BFloat16::BFloat16(float value) {
  uint32_t u = std::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    bits = static_cast<uint16_t>((u >> 16) | 0x40);
  else
    bits = static_cast<uint16_t>((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}
BFloat16::operator float() const {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

Half::Half(float value) {
  uint32_t u = std::bit_cast<uint32_t>(value);
  uint16_t sign = static_cast<uint16_t>((u >> 16) & 0x8000);
  u &= 0x7fffffff;
  if (u > 0x7f800000) { // NaN
    bits = sign | 0x7e00;
  } else if (u >= 0x477ff000) { // rounds to 65536 or more
    bits = sign | 0x7c00;
  } else if (u < 0x38800000) { // subnormal half: let float addition round at bit 2^-24
    float magnitude = std::bit_cast<float>(u);
    uint32_t r = std::bit_cast<uint32_t>(magnitude + 0.5f);
    bits = static_cast<uint16_t>(sign | (r - 0x3f000000));
  } else {
    uint32_t rounded = u + 0xfff + ((u >> 13) & 1) - (112u << 23);
    bits = static_cast<uint16_t>(sign | (rounded >> 13));
  }
}
Half::operator float() const {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t exponent = (bits >> 10) & 0x1f, mantissa = bits & 0x3ff;
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000 | (mantissa << 13));
  if (exponent != 0)
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

} // namespace sluice::rt
