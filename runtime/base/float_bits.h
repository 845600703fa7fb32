// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of f32 as integers, and what makes 16-bit floats of them.
//
// Conversions are templates, as element functions are (runtime/elements/vocabulary.h): the runtime
// instantiates them with `Bits`, the compiler with values of the IR, so both have the same bits.
// They have neither branches nor denormals of f32, so they become vectors and do not depend on the
// mode of the thread.
#pragma once

#include <bit>
#include <cstdint>

namespace sluice::rt {

// Wraps around and never traps.
struct Bits {
  uint32_t value;
  friend Bits operator+(Bits a, Bits b) { return {a.value + b.value}; }
  friend Bits operator-(Bits a, Bits b) { return {a.value - b.value}; }
  friend Bits operator&(Bits a, Bits b) { return {a.value & b.value}; }
  friend Bits operator|(Bits a, Bits b) { return {a.value | b.value}; }
  friend Bits operator<<(Bits a, int count) { return {a.value << count}; }
  friend Bits like(Bits, uint32_t constant) { return {constant}; }
  // Copies the sign.
  friend Bits operator>>(Bits a, int count) {
    return {static_cast<uint32_t>(static_cast<int32_t>(a.value) >> count)};
  }
  friend bool equals(Bits a, Bits b) { return a.value == b.value; }
  // Of what is not negative.
  friend bool less(Bits a, Bits b) { return a.value < b.value; }
  friend Bits select(bool condition, Bits yes, Bits no) { return condition ? yes : no; }
};
inline Bits bitsOf(float x) { return {std::bit_cast<uint32_t>(x)}; }
inline float floatOf(Bits bits) { return std::bit_cast<float>(bits.value); }
inline float wholeNumber(Bits bits) { return static_cast<float>(static_cast<int32_t>(bits.value)); }

// ---- f16 ----------------------------------------------------------------------------------------

// The f32 of a half, which is in the low 16 bits of what is else 0.
template <typename I> auto floatOfHalf(I half) {
  constexpr uint32_t kBias = 112u << 23; // exponents of f32 are so much more
  I magnitude = (half & like(half, 0x7fff)) << 13, exponent = half & like(half, 0x7c00);
  I normal = magnitude + like(half, kBias), infiniteOrNan = magnitude + like(half, 2 * kBias);
  // As the fraction of 2^-14, which is then taken away: the rest is exact.
  I leastNormal = like(half, kBias + (1u << 23));
  I denormal = bitsOf(floatOf(magnitude + leastNormal) - floatOf(leastNormal));
  I found = select(equals(exponent, like(half, 0)), denormal,
                   select(equals(exponent, like(half, 0x7c00)), infiniteOrNan, normal));
  return floatOf(found | ((half & like(half, 0x8000)) << 16));
}

// The half of an f32, rounded to nearest even, in the low 16 bits.
template <typename F> auto halfOfFloat(F x) {
  auto bits = bitsOf(x);
  auto magnitude = bits & like(bits, 0x7fffffff), infinite = like(bits, 0x7f800000);
  // From here on, and a bit before, halves are infinite.
  auto tooLarge = like(bits, 0x47800000);
  auto held = select(less(magnitude, tooLarge), magnitude, tooLarge);
  auto odd = (held >> 13) & like(bits, 1);
  auto normal = (held + odd - like(bits, (112u << 23) - 0xfff)) >> 13;
  // The sum is rounded where the fraction of a denormal half ends.
  auto half = like(bits, 0x3f000000);
  auto denormal = bitsOf(floatOf(magnitude) + floatOf(half)) - half;
  auto found = select(less(magnitude, like(bits, 0x38800000)), denormal, normal);
  found = select(less(infinite, magnitude), like(bits, 0x7e00), found);
  return found | ((bits >> 16) & like(bits, 0x8000));
}

// ---- bf16 ---------------------------------------------------------------------------------------

// The f32 of a bfloat16, which is in the low 16 bits.
template <typename I> auto floatOfBFloat16(I bits) { return floatOf(bits << 16); }

// The bfloat16 of an f32, rounded to nearest even, in the low 16 bits; those above are anything.
template <typename F> auto bfloat16OfFloat(F x) {
  auto bits = bitsOf(x);
  auto upper = bits >> 16;
  auto rounded = (bits + like(bits, 0x7fff) + (upper & like(bits, 1))) >> 16;
  auto isNan = less(like(bits, 0x7f800000), bits & like(bits, 0x7fffffff));
  return select(isNan, upper | like(bits, 0x40), rounded);
}

} // namespace sluice::rt
