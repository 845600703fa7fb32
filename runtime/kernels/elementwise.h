// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes kernels from element functions (runtime/elements/), which work on the compute type.
#pragma once

#include "runtime/base/arithmetic.h"
#include "runtime/kernels/broadcast.h"
#include "runtime/kernels/shape_rules.h"

// Inputs and output either are the same elements or do not overlap, so lanes are independent.
// Not every loop that this stands before can be vectorised; that is no mistake.
#define SLUICE_INDEPENDENT_LOOP _Pragma("clang loop vectorize(assume_safety) interleave_count(2)")
#pragma clang diagnostic ignored "-Wpass-failed"

namespace sluice::rt {

// Element types whose loops are worth three specialised versions.
template <typename T> inline constexpr bool kIsVectorElement = std::is_arithmetic_v<T>;

// What an element costs, for pieces: what is cheap takes as long as its memory, and so do functions
// of f32, which are computed in vectors.
template <typename T> constexpr int64_t costOfElement(bool isFunction = false) {
  if constexpr (std::is_same_v<T, std::string>)
    return 256;
  else if constexpr (kIsVectorElement<T>)
    return static_cast<int64_t>(sizeof(T)) * (isFunction && sizeof(T) > sizeof(float) ? 4 : 1);
  else
    return isFunction ? 128 : 16;
}

template <typename Op, typename In, typename Out, WorkFn work = nullptr> struct UnaryKernel {
  // Long functions are inlined as well, as loops are vectors of them.
  [[gnu::always_inline]] static Out element(const In &x) {
    return static_cast<Out>(Op::apply(static_cast<const Compute<In> &>(x)));
  }
  static void scalar(const void *const *in, void *out) {
    *static_cast<Out *>(out) = element(*static_cast<const In *>(in[0]));
  }
  static void loop(const void *const *in, const int64_t *, void *out, int64_t n) {
    auto *x = static_cast<const In *>(in[0]);
    auto *o = static_cast<Out *>(out);
    SLUICE_INDEPENDENT_LOOP
    for (int64_t i = 0; i < n; ++i)
      o[i] = element(x[i]);
  }
  static Status run(KernelCall &call) {
    return runElementwise(call, loop, costOfElement<In>(work != nullptr));
  }

  static constexpr Kernel kernel() {
    uint32_t flags = std::is_same_v<In, Out> ? Kernel::kInPlace : Kernel::kNone;
    return {sameShapeRule, run, flags, scalar, work};
  }
};

// `cheap`: worth loops of its own for operands that stay the same.
template <typename Op, typename In, typename Out, bool cheap = true> struct BinaryKernel {
  [[gnu::always_inline]] static Out element(const In &x, const In &y) {
    return static_cast<Out>(
        Op::apply(static_cast<const Compute<In> &>(x), static_cast<const Compute<In> &>(y)));
  }
  static void scalar(const void *const *in, void *out) {
    *static_cast<Out *>(out) =
        element(*static_cast<const In *>(in[0]), *static_cast<const In *>(in[1]));
  }
  static void loop(const void *const *in, const int64_t *strides, void *out, int64_t n) {
    auto *x = static_cast<const In *>(in[0]);
    auto *y = static_cast<const In *>(in[1]);
    auto *o = static_cast<Out *>(out);
    if constexpr (cheap && kIsVectorElement<In>) {
      if (strides[0] && strides[1]) {
        SLUICE_INDEPENDENT_LOOP
        for (int64_t i = 0; i < n; ++i)
          o[i] = element(x[i], y[i]);
      } else if (strides[0]) {
        const In same = *y;
        SLUICE_INDEPENDENT_LOOP
        for (int64_t i = 0; i < n; ++i)
          o[i] = element(x[i], same);
      } else {
        const In same = *x;
        SLUICE_INDEPENDENT_LOOP
        for (int64_t i = 0; i < n; ++i)
          o[i] = element(same, y[i]);
      }
    } else {
#pragma clang loop vectorize(disable) unroll(disable)
      for (int64_t i = 0; i < n; ++i)
        o[i] = element(x[i * strides[0]], y[i * strides[1]]);
    }
  }
  static Status run(KernelCall &call) {
    return runElementwise(call, loop, cheap ? costOfElement<In>() : 4 * costOfElement<In>());
  }

  static constexpr Kernel kernel(WorkFn work = nullptr) {
    uint32_t flags = std::is_same_v<In, Out> ? Kernel::kInPlace : Kernel::kNone;
    return {broadcastShapeRule, run, flags, scalar, work};
  }
};

} // namespace sluice::rt

// Kernels of `NAME` for every type of `SET`, whose element function is `FUNCTION`.
#define SLUICE_UNARY_KERNELS(NAME, SET, FUNCTION, WORK)                                            \
  template <typename T> static constexpr ::sluice::rt::Kernel NAME##_kernel() {                    \
    return ::sluice::rt::UnaryKernel<::sluice::rt::element::FUNCTION, T, T, WORK>::kernel();       \
  }                                                                                                \
  SLUICE_DEFINE_KERNELS(NAME, SET)
#define SLUICE_PREDICATE_KERNELS(NAME, SET, FUNCTION)                                              \
  template <typename T> static constexpr ::sluice::rt::Kernel NAME##_kernel() {                    \
    return ::sluice::rt::UnaryKernel<::sluice::rt::element::FUNCTION, T, bool>::kernel();          \
  }                                                                                                \
  SLUICE_DEFINE_KERNELS(NAME, SET)
#define SLUICE_BINARY_KERNELS(NAME, SET, FUNCTION)                                                 \
  template <typename T> static constexpr ::sluice::rt::Kernel NAME##_kernel() {                    \
    return ::sluice::rt::BinaryKernel<::sluice::rt::element::FUNCTION, T, T>::kernel();            \
  }                                                                                                \
  SLUICE_DEFINE_KERNELS(NAME, SET)
#define SLUICE_COMPARISON_KERNELS(NAME, SET, FUNCTION)                                             \
  template <typename T> static constexpr ::sluice::rt::Kernel NAME##_kernel() {                    \
    return ::sluice::rt::BinaryKernel<::sluice::rt::element::FUNCTION, T, bool>::kernel();         \
  }                                                                                                \
  SLUICE_DEFINE_KERNELS(NAME, SET)
