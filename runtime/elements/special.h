// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element functions of special functions (special.def).
#pragma once

#include "runtime/elements/angles.h"
#include "runtime/elements/error_functions.h"
#include "runtime/elements/gamma_functions.h"
#include "runtime/elements/quantiles.h"

namespace sluice::rt::element {

struct Erf {
  template <typename N> [[gnu::always_inline]] static N apply(const N &x) {
    return special::erf(x);
  }
};
struct Erfc {
  template <typename N> [[gnu::always_inline]] static N apply(const N &x) {
    return special::erfc(x);
  }
};
struct Erfinv {
  template <typename N> [[gnu::always_inline]] static N apply(const N &x) {
    return special::inverseErf(x);
  }
};
struct Ndtri {
  template <typename N> [[gnu::always_inline]] static N apply(const N &x) {
    return special::normalQuantile(x);
  }
};
struct Lgamma {
  template <typename N> [[gnu::always_inline]] static N apply(const N &x) {
    return special::logGamma(x);
  }
};
struct Digamma {
  template <typename N> [[gnu::always_inline]] static N apply(const N &x) {
    return special::digamma(x);
  }
};
struct Atan2 {
  template <typename N> [[gnu::always_inline]] static N apply(const N &y, const N &x) {
    return special::angleOfPoint(y, x);
  }
};

} // namespace sluice::rt::element
