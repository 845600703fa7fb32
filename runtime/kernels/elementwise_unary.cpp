// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cheap elementwise ops of one operand.
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"

#include <cmath>

namespace sluice::rt {
namespace {

struct Neg {
  template <typename T> static T apply(const T &x) { return wrapNeg(x); }
};

struct Abs {
  template <typename T> static T apply(T x) {
    if constexpr (std::is_floating_point_v<T>)
      return std::abs(x);
    else
      return x < T(0) ? wrapNeg(x) : x;
  }
};

// A NaN stays; both zeros give +0. Complex: the number on the unit circle.
struct Sign {
  template <typename T> static T apply(const T &x) {
    if constexpr (kIsComplex<T>)
      return x == T(0) ? T(0) : x / std::abs(x);
    else
      return x != x ? x : static_cast<T>((x > T(0)) - (x < T(0)));
  }
};

struct Floor {
  template <typename T> static T apply(T x) { return std::floor(x); }
};
struct Ceil {
  template <typename T> static T apply(T x) { return std::ceil(x); }
};
// Half to even, which is the rounding mode of every thread.
struct Round {
  template <typename T> static T apply(T x) { return std::nearbyint(x); }
};

struct LogicalNot {
  static bool apply(bool x) { return !x; }
};

struct IsNan {
  template <typename T> static bool apply(T x) { return x != x; }
};
struct IsInf {
  template <typename T> static bool apply(T x) {
    return std::abs(x) == std::numeric_limits<T>::infinity();
  }
};
struct IsFinite {
  template <typename T> static bool apply(T x) {
    return std::abs(x) < std::numeric_limits<T>::infinity();
  }
};

} // namespace

SLUICE_UNARY_KERNELS(nd_neg, NUMBER, Neg, nullptr)
SLUICE_UNARY_KERNELS(nd_abs, REAL, Abs, nullptr)
SLUICE_UNARY_KERNELS(nd_sign, NUMBER, Sign, nullptr)
SLUICE_UNARY_KERNELS(nd_floor, FLOAT, Floor, nullptr)
SLUICE_UNARY_KERNELS(nd_ceil, FLOAT, Ceil, nullptr)
SLUICE_UNARY_KERNELS(nd_round, FLOAT, Round, nullptr)
SLUICE_UNARY_KERNELS(nd_logical_not, BOOL, LogicalNot, nullptr)
SLUICE_UNARY_PREDICATE_KERNELS(nd_is_nan, FLOAT, IsNan)
SLUICE_UNARY_PREDICATE_KERNELS(nd_is_inf, FLOAT, IsInf)
SLUICE_UNARY_PREDICATE_KERNELS(nd_is_finite, FLOAT, IsFinite)

} // namespace sluice::rt
