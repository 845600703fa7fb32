// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element functions of signs, sums, products, extrema, roundings, comparisons and logic.
#pragma once

#include "runtime/elements/vocabulary.h"

#include <string>

namespace sluice::rt::element {

template <typename N> auto isNan(const N &x) { return differs(x, x); }

// ---- One operand --------------------------------------------------------------------------------

struct Neg {
  template <typename N> static N apply(const N &x) { return wrapNeg(x); }
};

// The lowest integer stays as it is.
struct Abs {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsFloat<N>)
      return magnitude(x);
    else if constexpr (kIsSigned<N>)
      return select(less(x, like(x, 0)), wrapNeg(x), x);
    else
      return x;
  }
};

// A NaN stays; both zeros give +0. Complex: the number on the unit circle.
struct Sign {
  template <typename N> static N apply(const N &x) {
    if constexpr (kIsComplex<N>) {
      return x == N(0) ? N(0) : x / std::abs(x);
    } else {
      N zero = like(x, 0);
      N result = select(less(zero, x), like(x, 1), zero);
      if constexpr (kIsFloat<N> || kIsSigned<N>)
        result = select(less(x, zero), like(x, -1), result);
      if constexpr (kIsFloat<N>)
        result = select(isNan(x), x, result);
      return result;
    }
  }
};

struct Sqrt {
  template <typename N> static N apply(const N &x) { return squareRoot(x); }
};
struct Rsqrt {
  template <typename N> static N apply(const N &x) { return over(like(x, 1), squareRoot(x)); }
};

struct Floor {
  template <typename N> static N apply(const N &x) { return roundedDown(x); }
};
struct Ceil {
  template <typename N> static N apply(const N &x) { return roundedUp(x); }
};
struct Round {
  template <typename N> static N apply(const N &x) { return roundedToEven(x); }
};

struct LogicalNot {
  template <typename N> static N apply(const N &x) { return opposite(x); }
};

struct IsNan {
  template <typename N> static auto apply(const N &x) { return isNan(x); }
};
struct IsInf {
  template <typename N> static auto apply(const N &x) {
    return equals(magnitude(x), like(x, std::numeric_limits<float>::infinity()));
  }
};
struct IsFinite {
  template <typename N> static auto apply(const N &x) {
    return less(magnitude(x), like(x, std::numeric_limits<float>::infinity()));
  }
};

// ---- Two operands -------------------------------------------------------------------------------

struct Add {
  template <typename N> static N apply(const N &x, const N &y) { return wrapAdd(x, y); }
  static std::string apply(const std::string &x, const std::string &y) { return x + y; }
};
struct Sub {
  template <typename N> static N apply(const N &x, const N &y) { return wrapSub(x, y); }
};
struct Mul {
  template <typename N> static N apply(const N &x, const N &y) { return wrapMul(x, y); }
};
// 0 wherever the divisor is 0, whatever the dividend.
struct DivNoNan {
  template <typename N> static N apply(const N &x, const N &y) {
    return select(equals(y, like(y, 0)), like(x, 0), over(x, y));
  }
};

// A NaN in either operand is the result.
struct Maximum {
  template <typename N> static N apply(const N &x, const N &y) {
    N larger = select(less(y, x), x, y);
    if constexpr (kIsFloat<N>)
      return select(isNan(x), x, larger);
    else
      return larger;
  }
};
struct Minimum {
  template <typename N> static N apply(const N &x, const N &y) {
    N smaller = select(less(x, y), x, y);
    if constexpr (kIsFloat<N>)
      return select(isNan(x), x, smaller);
    else
      return smaller;
  }
};

struct LogicalAnd {
  template <typename N> static N apply(const N &x, const N &y) { return both(x, y); }
};
struct LogicalOr {
  template <typename N> static N apply(const N &x, const N &y) { return either(x, y); }
};

struct Less {
  template <typename N> static auto apply(const N &x, const N &y) { return less(x, y); }
};
struct LessEqual {
  template <typename N> static auto apply(const N &x, const N &y) { return lessOrEqual(x, y); }
};
struct Greater {
  template <typename N> static auto apply(const N &x, const N &y) { return less(y, x); }
};
struct GreaterEqual {
  template <typename N> static auto apply(const N &x, const N &y) { return lessOrEqual(y, x); }
};
struct Equal {
  template <typename N> static auto apply(const N &x, const N &y) { return equals(x, y); }
};
struct NotEqual {
  template <typename N> static auto apply(const N &x, const N &y) { return differs(x, y); }
};

} // namespace sluice::rt::element
