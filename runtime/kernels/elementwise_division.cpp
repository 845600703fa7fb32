// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division, remainders and powers. The integer versions look at the second operand first, because
// their loops cannot report an error.
#include "runtime/kernels/declare.h"
#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/math_functions.h"

#include <bit>

namespace sluice::rt {
namespace {

// Integer division truncates; the least integer divided by -1 is itself.
template <typename T> T truncatedQuotient(T x, T y) {
  if constexpr (std::is_signed_v<T>)
    if (y == T(-1))
      return wrapNeg(x);
  return static_cast<T>(x / y);
}

struct TrueDiv {
  static constexpr bool kCheap = true;
  template <typename T> static T apply(const T &x, const T &y) { return x / y; }
};
struct TruncDiv {
  static constexpr bool kCheap = false;
  template <typename T> static T apply(T x, T y) { return truncatedQuotient(x, y); }
};
struct FloorDiv {
  static constexpr bool kCheap = false;
  template <typename T> static T apply(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::floor(x / y);
    } else {
      T quotient = truncatedQuotient(x, y);
      bool below = truncatedRemainder(x, y) != 0 && (x < T(0)) != (y < T(0));
      return static_cast<T>(quotient - below);
    }
  }
};

template <typename U> bool holds(const void *elements, int64_t n, bool (*test)(U)) {
  auto *values = static_cast<const U *>(elements);
#pragma clang loop vectorize(disable) unroll(disable)
  for (int64_t i = 0; i < n; ++i)
    if (test(values[i]))
      return true;
  return false;
}
template <typename U> bool holdsZero(const void *elements, int64_t n) {
  return holds<U>(elements, n, [](U v) { return v == 0; });
}
template <typename U> bool holdsNegative(const void *elements, int64_t n) {
  return holds<U>(elements, n, [](U v) { return v < 0; });
}

using Test = bool (*)(const void *elements, int64_t n);
// `tests` are for elements of 1, 2, 4 and 8 bytes. Without outputs no element is ever used.
bool secondOperandHolds(KernelCall &call, const Test (&tests)[4]) {
  const Tensor &y = call.input(1);
  Test test = tests[std::countr_zero(sizeOf(y.dtype()))];
  return test(y.raw(), y.elements()) && call.output(0).elements() > 0;
}
// Only the size of an integer matters to being zero.
Status checkDivisor(KernelCall &call) {
  if (secondOperandHolds(call, {holdsZero<uint8_t>, holdsZero<uint16_t>, holdsZero<uint32_t>,
                                holdsZero<uint64_t>}))
    return invalidArgument("Integer division by zero");
  return okStatus();
}
Status checkExponent(KernelCall &call) {
  if (secondOperandHolds(call, {holdsNegative<int8_t>, holdsNegative<int16_t>,
                                holdsNegative<int32_t>, holdsNegative<int64_t>}))
    return invalidArgument("Integers to negative integer powers are not allowed");
  return okStatus();
}

using Check = Status (*)(KernelCall &);
template <typename Op, typename T, Check check> Status runChecked(KernelCall &call) {
  SLUICE_RETURN_IF_ERROR(check(call));
  return runElementwise(call, BinaryKernel<Op, T, T>::loop);
}

// `check` guards integers only; without it the op cannot fail.
template <typename Op, typename T, Check check> constexpr Kernel divisionKernel() {
  if constexpr (kIsInt<T>)
    return {broadcastShapeRule, runChecked<Op, T, check>, Kernel::kInPlace};
  else
    return BinaryKernel<Op, T, T>::kernel();
}

template <typename T> constexpr Kernel nd_div_kernel() {
  return divisionKernel<std::conditional_t<kIsInt<T>, TruncDiv, TrueDiv>, T, checkDivisor>();
}
template <typename T> constexpr Kernel nd_floor_div_kernel() {
  return divisionKernel<FloorDiv, T, checkDivisor>();
}
template <typename T> constexpr Kernel nd_floor_mod_kernel() {
  return divisionKernel<FloorMod, T, checkDivisor>();
}
template <typename T> constexpr Kernel nd_trunc_mod_kernel() {
  return divisionKernel<TruncMod, T, checkDivisor>();
}
template <typename T> constexpr Kernel nd_pow_kernel() {
  if constexpr (std::is_unsigned_v<T> || !kIsInt<T>)
    return BinaryKernel<Pow, T, T>::kernel(transcendentalWork);
  else
    return divisionKernel<Pow, T, checkExponent>();
}

} // namespace

SLUICE_DEFINE_KERNELS(nd_div, NUMBER)
SLUICE_DEFINE_KERNELS(nd_floor_div, REAL)
SLUICE_DEFINE_KERNELS(nd_floor_mod, REAL)
SLUICE_DEFINE_KERNELS(nd_trunc_mod, REAL)
SLUICE_DEFINE_KERNELS(nd_pow, NUMBER)

} // namespace sluice::rt
