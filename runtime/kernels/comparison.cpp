// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise comparisons; results are bools.
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"

namespace sluice::rt {
namespace {

struct Less {
  static constexpr bool kCheap = true;
  template <typename T> static bool apply(T x, T y) { return x < y; }
};
struct LessEqual {
  static constexpr bool kCheap = true;
  template <typename T> static bool apply(T x, T y) { return x <= y; }
};
struct Greater {
  static constexpr bool kCheap = true;
  template <typename T> static bool apply(T x, T y) { return x > y; }
};
struct GreaterEqual {
  static constexpr bool kCheap = true;
  template <typename T> static bool apply(T x, T y) { return x >= y; }
};
struct Equal {
  static constexpr bool kCheap = true;
  template <typename T> static bool apply(const T &x, const T &y) { return x == y; }
};
struct NotEqual {
  static constexpr bool kCheap = true;
  template <typename T> static bool apply(const T &x, const T &y) { return !(x == y); }
};

} // namespace

SLUICE_COMPARISON_KERNELS(nd_less, REAL, Less)
SLUICE_COMPARISON_KERNELS(nd_less_equal, REAL, LessEqual)
SLUICE_COMPARISON_KERNELS(nd_greater, REAL, Greater)
SLUICE_COMPARISON_KERNELS(nd_greater_equal, REAL, GreaterEqual)
SLUICE_COMPARISON_KERNELS(nd_equal, COMPARABLE, Equal)
SLUICE_COMPARISON_KERNELS(nd_not_equal, COMPARABLE, NotEqual)

} // namespace sluice::rt
