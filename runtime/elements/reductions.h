// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reductions do with elements: the number they begin with, how two are combined, and what
// becomes of the last one. The order is that of runtime/kernels/reduction.cpp.
#pragma once

#include "runtime/elements/arithmetic.h"

namespace sluice::rt::element {

// Lowest and highest are infinite where the type has that.
enum class Identity { kZero, kOne, kLowest, kHighest };

struct Sum {
  static constexpr Identity kIdentity = Identity::kZero;
  // Whether integers are accumulated with 64 bits.
  static constexpr bool kWidens = false;
  template <typename N> static N load(const N &x) { return x; }
  template <typename N> static N combine(const N &x, const N &y) { return wrapAdd(x, y); }
  // `count` elements are in the accumulator: an int64_t, or what code knows only when it runs.
  template <typename N, typename Count> static N finish(const N &accumulator, const Count &) {
    return accumulator;
  }
};

// The mean of no floats is NaN. That of no integers is 0, which TensorFlow leaves undefined.
struct Mean : Sum {
  static constexpr bool kWidens = true; // the mean fits again, whatever the sum is
  template <typename N, typename Count> static N finish(const N &sum, const Count &count) {
    if constexpr (kIsComplex<N>)
      return sum / static_cast<typename N::value_type>(count);
    else if constexpr (kIsInt<N> && std::is_same_v<Count, int64_t>)
      return count == 0 ? like(sum, 0) : truncatedQuotient(sum, like(sum, count));
    else if constexpr (kIsInt<N>) // which makes a divisor of 0 harmless
      return truncatedQuotient(sum, like(sum, count));
    else
      return over(sum, like(sum, count));
  }
};

struct Prod : Sum {
  static constexpr Identity kIdentity = Identity::kOne;
  template <typename N> static N combine(const N &x, const N &y) { return wrapMul(x, y); }
};
struct Max : Sum {
  static constexpr Identity kIdentity = Identity::kLowest;
  template <typename N> static N combine(const N &x, const N &y) { return Maximum::apply(x, y); }
};
struct Min : Sum {
  static constexpr Identity kIdentity = Identity::kHighest;
  template <typename N> static N combine(const N &x, const N &y) { return Minimum::apply(x, y); }
};
struct All : Sum {
  static constexpr Identity kIdentity = Identity::kOne;
  template <typename N> static N combine(const N &x, const N &y) { return both(x, y); }
};
struct Any : Sum {
  template <typename N> static N combine(const N &x, const N &y) { return either(x, y); }
};

struct HalfSumOfSquares : Sum {
  template <typename N> static N load(const N &x) { return wrapMul(x, x); }
  template <typename N, typename Count> static N finish(const N &sum, const Count &) {
    return over(sum, like(sum, 2));
  }
};

} // namespace sluice::rt::element
