// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops of two operands that cannot fail.
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"

#include <string>

namespace sluice::rt {
namespace {

struct Add {
  static constexpr bool kCheap = true;
  template <typename T> static T apply(const T &x, const T &y) { return wrapAdd(x, y); }
  static std::string apply(const std::string &x, const std::string &y) { return x + y; }
};
struct Sub {
  static constexpr bool kCheap = true;
  template <typename T> static T apply(const T &x, const T &y) { return wrapSub(x, y); }
};
struct Mul {
  static constexpr bool kCheap = true;
  template <typename T> static T apply(const T &x, const T &y) { return wrapMul(x, y); }
};
struct Maximum {
  static constexpr bool kCheap = true;
  template <typename T> static T apply(T x, T y) { return maxOrNan(x, y); }
};
struct Minimum {
  static constexpr bool kCheap = true;
  template <typename T> static T apply(T x, T y) { return minOrNan(x, y); }
};
// 0 wherever the divisor is 0, whatever the dividend.
struct DivNoNan {
  static constexpr bool kCheap = true;
  template <typename T> static T apply(const T &x, const T &y) { return y == T(0) ? T(0) : x / y; }
};
struct LogicalAnd {
  static constexpr bool kCheap = true;
  static bool apply(bool x, bool y) { return x & y; }
};
struct LogicalOr {
  static constexpr bool kCheap = true;
  static bool apply(bool x, bool y) { return x | y; }
};

} // namespace

SLUICE_BINARY_KERNELS(nd_add, NUMBER_STRING, Add, nullptr)
SLUICE_BINARY_KERNELS(nd_sub, NUMBER, Sub, nullptr)
SLUICE_BINARY_KERNELS(nd_mul, NUMBER, Mul, nullptr)
SLUICE_BINARY_KERNELS(nd_maximum, REAL, Maximum, nullptr)
SLUICE_BINARY_KERNELS(nd_minimum, REAL, Minimum, nullptr)
SLUICE_BINARY_KERNELS(nd_div_no_nan, FLOAT_COMPLEX, DivNoNan, nullptr)
SLUICE_BINARY_KERNELS(nd_logical_and, BOOL, LogicalAnd, nullptr)
SLUICE_BINARY_KERNELS(nd_logical_or, BOOL, LogicalOr, nullptr)

} // namespace sluice::rt
