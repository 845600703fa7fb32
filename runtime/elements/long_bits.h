// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of f64 as integers, which wrap around and never trap; those of f32 are in
// runtime/base/float_bits.h. Shifts to the right fill with zeros.
#pragma once

#include <bit>
#include <cstdint>

namespace sluice::rt {

struct LongBits {
  uint64_t value;
  friend LongBits operator+(LongBits a, LongBits b) { return {a.value + b.value}; }
  friend LongBits operator-(LongBits a, LongBits b) { return {a.value - b.value}; }
  friend LongBits operator*(LongBits a, LongBits b) { return {a.value * b.value}; }
  friend LongBits operator&(LongBits a, LongBits b) { return {a.value & b.value}; }
  friend LongBits operator|(LongBits a, LongBits b) { return {a.value | b.value}; }
  friend LongBits operator<<(LongBits a, int count) { return {a.value << count}; }
  friend LongBits operator>>(LongBits a, int count) { return {a.value >> count}; }
  template <typename C> friend LongBits like(LongBits, C constant) {
    return {static_cast<uint64_t>(constant)};
  }
  friend bool equals(LongBits a, LongBits b) { return a.value == b.value; }
  friend LongBits select(bool condition, LongBits yes, LongBits no) { return condition ? yes : no; }
  // The high half of the product of numbers without signs.
  friend LongBits highProduct(LongBits a, LongBits b) {
    return {static_cast<uint64_t>(static_cast<unsigned __int128>(a.value) * b.value >> 64)};
  }
  // By less than 64 places.
  friend LongBits shiftedLeft(LongBits a, LongBits places) { return {a.value << places.value}; }
  friend LongBits shiftedRight(LongBits a, LongBits places) { return {a.value >> places.value}; }
};
inline LongBits bitsOf(double x) { return {std::bit_cast<uint64_t>(x)}; }
inline double floatOf(LongBits bits) { return std::bit_cast<double>(bits.value); }

} // namespace sluice::rt
