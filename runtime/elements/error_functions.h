// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function and its complement, each as one fixed sequence of operations, as those of
// polynomials_f32.h are.
//
// erf is within 1.7 units in the last place, erfc within 6.5, down to the least normal float, below
// which it is 0. erf passes denormals on where they are allowed.
#pragma once

#include "runtime/elements/widths.h"

namespace sluice::rt::element::special {

// For |x| <= 1.
template <typename F> [[gnu::always_inline]] F erfNearZero(F x) {
  // erf(x) = x + x * polynomial(x^2)
  constexpr auto kCoefficients =
      chosen<F>({0x1.06eba2p-3f, -0x1.812688p-2f, 0x1.ce0ba2p-4f, -0x1.b5bd8ap-6f, 0x1.42bd4ap-8f,
                 -0x1.28b7ccp-11f},
                {0x1.06eba8214db68p-3, -0x1.812746b0379c2p-2, 0x1.ce2f21a04100cp-4,
                 -0x1.b82ce31206002p-6, 0x1.565bccfa9522bp-8, -0x1.c02db0722dddep-11,
                 0x1.f9a2bf6220665p-14, -0x1.f4ca93916a174p-17, 0x1.b982714bb614ap-20,
                 -0x1.5c16a91ab5ad6p-23, 0x1.d7830fba9ca6ep-27, -0x1.acdb9892c084bp-31});
  return fused(x, polynomial(x * x, kCoefficients), x);
}

// For x from 0.45 to where it is 0, which lies before exp(-x^2) is. With t = (x - k) / (x + k) it
// is exp(-x^2) * polynomial(t) / (x + k).
template <typename F> [[gnu::always_inline]] F erfcFromZero(F x) {
  constexpr auto kMiddle = chosen<F>(2, 4);
  constexpr auto kCoefficients = chosen<F>(
      {0x1.058672p+0f, -0x1.5fd386p-1f, 0x1.1e2ddap-2f, -0x1.2a8ae4p-5f, -0x1.60549p-6f,
       0x1.a93c86p-8f, 0x1.8f54a2p-9f, -0x1.ca1332p-11f, -0x1.174256p-11f, 0x1.81881p-14f},
      {0x1.18932bf08e154p+0,   -0x1.f3fe31ecb49bfp-1,  0x1.8be202d26c6fdp-1,
       -0x1.14eacb1ad033ap-1,  0x1.52cac2371060cp-2,   -0x1.645fd8a4bc47fp-3,
       0x1.38dbd2c8c39d5p-4,   -0x1.b00c052c03e71p-6,  0x1.908f473d58c82p-8,
       -0x1.269b52c528ee8p-12, -0x1.dd2851065757ap-12, 0x1.72cdb079cdc7cp-13,
       -0x1.e7cddea34b2d1p-19, -0x1.3c6fe84ab54e1p-16, 0x1.3ae1f58e41efep-18,
       0x1.7e76eed9bb5b7p-20,  -0x1.c3e2af3366f6bp-21, -0x1.482ec5a9dd6e1p-24,
       0x1.fe1c6b88431d6p-24,  0x1.ab7bf8907d8b7p-30,  -0x1.98ccee5baf35bp-27,
       -0x1.5b71b622f65ddp-34});
  using W = WidthOf<F>;
  F middle = like(x, kMiddle), inverse = like(x, 1) / (x + middle);
  F square = x * x, lost = fused(x, x, wrapNeg(square));
  F t = (x - middle) * inverse;
  F result = W::expInRange(wrapNeg(square)) * (polynomial(t, kCoefficients) * inverse);
  return fused(wrapNeg(lost), result, result);
}

template <typename F> [[gnu::always_inline]] F erf(F x) {
  // From here on erf(x) is 1.
  constexpr auto kOne = chosen<F>(4, 6);
  F size = magnitude(x), one = like(x, 1);
  F large = one - erfcFromZero(atMost(size, kOne));
  return withSign(select(less(size, one), erfNearZero(x), large), x);
}

template <typename F> [[gnu::always_inline]] F erfc(F x) {
  // From here on erfc(x) is no normal float.
  constexpr auto kZero = chosen<F>(9.25f, 26.6);
  F size = magnitude(x), zero = like(x, 0), one = like(x, 1);
  F far = erfcFromZero(atMost(size, kZero));
  far = select(less(far, like(x, WidthOf<F>::kLeastNormal)), zero, far);
  far = select(less(x, zero), like(x, 2) - far, far);
  return select(less(size, like(x, 0.5f)), one - erfNearZero(x), far);
}

} // namespace sluice::rt::element::special
