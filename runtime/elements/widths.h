// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the two kinds of floats have of what special functions are made of, so that each of these is
// written once for both; its coefficients, of which f32 needs fewer, are beside it.
#pragma once

#include "runtime/elements/trigonometry_f32.h"
#include "runtime/elements/trigonometry_f64.h"

#include <type_traits>

namespace sluice::rt::element::special {

struct Single {
  using Number = float;
  static constexpr float kInfinity = f32::kInfinity, kNan = f32::kNan;
  static constexpr float kLeastNormal = f32::kLeastNormal;
  static constexpr float kPiHigh = 0x1.921fb6p+1f, kPiLow = -0x1.777a5cp-24f;
  template <typename F> static F expInRange(F x) { return f32::expInRange(x); }
  template <typename F> static F log(F x) { return f32::log(x); }
  template <typename F, typename I> static F sineOf(I quarters, F high, F low) {
    return f32::sineOf(f32::Angle<F, I>{quarters, high, low});
  }
};
struct Double {
  using Number = double;
  static constexpr double kInfinity = f64::kInfinity, kNan = f64::kNan;
  static constexpr double kLeastNormal = f64::kLeastNormal;
  static constexpr double kPiHigh = 0x1.921fb54442d18p+1, kPiLow = 0x1.1a62633145c07p-53;
  template <typename F> static F expInRange(F x) { return f64::expInRange(x); }
  template <typename F> static F log(F x) { return f64::log(x); }
  template <typename F, typename I> static F sineOf(I quarters, F high, F low) {
    return f64::sineOf(f64::Angle<F, I>{quarters, high, low});
  }
};
template <typename F> using WidthOf = std::conditional_t<kIsF32<F>, Single, Double>;

// The constant that a kind of floats has.
template <typename F> constexpr auto chosen(float single, double wide) {
  if constexpr (kIsF32<F>)
    return single;
  else
    return wide;
}
template <typename F, int n, int m>
constexpr auto chosen(const float (&single)[n], const double (&wide)[m]) {
  if constexpr (kIsF32<F>)
    return std::to_array(single);
  else
    return std::to_array(wide);
}
template <typename F, typename C, size_t n>
[[gnu::always_inline]] F polynomial(F x, const std::array<C, n> &c) {
  F sum = like(x, c[n - 1]);
  for (size_t i = n - 1; i-- > 0;)
    sum = fused(sum, x, like(x, c[i]));
  return sum;
}

// sin(πx), or cos(πx), for 0 <= x <= 1/2.
template <typename F> [[gnu::always_inline]] F halfTurn(F x, bool isCosine) {
  using W = WidthOf<F>;
  auto isFar = less(like(x, 0.25f), x);
  F rest = select(isFar, like(x, 0.5f) - x, x);
  F high = rest * like(x, W::kPiHigh);
  F low = fused(rest, like(x, W::kPiHigh), wrapNeg(high)) + rest * like(x, W::kPiLow);
  // Denormals of it would count where these do not count as zero.
  constexpr auto kTiny = chosen<F>(0x1p-90f, 0x1p-900);
  low = select(less(rest, like(x, kTiny)), like(x, 0), low);
  auto zero = like(bitsOf(x), 0u), one = like(bitsOf(x), 1u);
  auto quarters = isCosine ? select(isFar, zero, one) : select(isFar, one, zero);
  return W::sineOf(quarters, high, low);
}

} // namespace sluice::rt::element::special
