// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reducers of sums, means, products, extrema and logical reductions, for every element type.
#pragma once

#include "runtime/base/arithmetic.h"
#include "runtime/kernels/reduction.h"

namespace sluice::rt {

// An op on accumulators of type T: `identity`, `load` of an element, `combine`, `finish`.
template <typename T> struct Sum {
  using Accumulator = T;
  static constexpr T identity{};
  static T load(const T &x) { return x; }
  static T combine(const T &a, const T &b) { return wrapAdd(a, b); }
  static T finish(const T &a, int64_t) { return a; }
};
// Integers are added up with 64 bits: the mean fits again, whatever the sum is.
template <typename T>
using MeanAccumulator =
    std::conditional_t<!kIsInt<T>, T, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
template <typename Element> struct Mean : Sum<MeanAccumulator<Element>> {
  using T = MeanAccumulator<Element>;
  // The mean of no floats is NaN. The mean of no integers is 0, which TensorFlow leaves undefined.
  static T finish(const T &a, int64_t count) {
    if constexpr (kIsComplex<T>)
      return a / static_cast<typename T::value_type>(count);
    else if constexpr (!kIsInt<T>)
      return a / static_cast<T>(count);
    else if constexpr (std::is_signed_v<T>)
      return count == 0 ? T(0) : static_cast<T>(a / count);
    else
      return count == 0 ? T(0) : static_cast<T>(a / static_cast<uint64_t>(count));
  }
};
template <typename T> struct Prod : Sum<T> {
  static constexpr T identity{1};
  static T combine(const T &a, const T &b) { return wrapMul(a, b); }
};
template <typename T> struct Max : Sum<T> {
  static constexpr T identity = lowestValue<T>();
  static T combine(T a, T b) { return maxOrNan(a, b); }
};
template <typename T> struct Min : Sum<T> {
  static constexpr T identity = highestValue<T>();
  static T combine(T a, T b) { return minOrNan(a, b); }
};
template <typename T> struct All : Sum<T> {
  static constexpr T identity = true;
  static T combine(T a, T b) { return a & b; }
};
template <typename T> struct Any : Sum<T> {
  static constexpr T identity = false;
  static T combine(T a, T b) { return a | b; }
};
template <typename T> struct HalfSumOfSquares : Sum<T> {
  static T load(T x) { return x * x; }
  static T finish(T a, int64_t) { return a / 2; }
};

template <typename Op, typename T> struct ReducerOf {
  using Acc = typename Op::Accumulator;
  static constexpr int kLanes = 8;

  static void foldRun(void *acc, const void *in, int64_t n) {
    auto *x = static_cast<const T *>(in);
    Acc lanes[kLanes];
    for (Acc &lane : lanes)
      lane = Op::identity;
    int64_t i = 0;
    // The lanes are the vector; vectorising over i as well would only shuffle.
#pragma clang loop vectorize(disable)
    for (; i + kLanes <= n; i += kLanes)
      for (int lane = 0; lane < kLanes; ++lane)
        lanes[lane] = Op::combine(lanes[lane], Op::load(x[i + lane]));
#pragma clang loop vectorize(disable) unroll(disable)
    for (int lane = 0; i < n; ++i, ++lane)
      lanes[lane] = Op::combine(lanes[lane], Op::load(x[i]));
#pragma clang loop unroll(disable)
    for (int width = kLanes / 2; width > 0; width /= 2)
      for (int lane = 0; lane < width; ++lane)
        lanes[lane] = Op::combine(lanes[lane], lanes[lane + width]);
    auto *a = static_cast<Acc *>(acc);
    *a = Op::combine(*a, lanes[0]);
  }
  static void foldRow(void *acc, const void *in, int64_t n) {
    auto *x = static_cast<const T *>(in);
    auto *a = static_cast<Acc *>(acc);
    for (int64_t i = 0; i < n; ++i)
      a[i] = Op::combine(a[i], Op::load(x[i]));
  }
  static void merge(void *acc, const void *other, int64_t n) {
    auto *x = static_cast<const Acc *>(other);
    auto *a = static_cast<Acc *>(acc);
#pragma clang loop vectorize(disable) unroll(disable)
    for (int64_t i = 0; i < n; ++i)
      a[i] = Op::combine(a[i], x[i]);
  }
  static void finish(void *out, const void *acc, int64_t n, int64_t count) {
    auto *a = static_cast<const Acc *>(acc);
#pragma clang loop vectorize(disable) unroll(disable)
    for (int64_t i = 0; i < n; ++i)
      static_cast<T *>(out)[i] = static_cast<T>(Op::finish(a[i], count));
  }
  static constexpr Acc identity = Op::identity;
  static constexpr Reducer reducer{sizeof(T), sizeof(Acc), &identity, foldRun,
                                   foldRow,   merge,       finish};
};

} // namespace sluice::rt
