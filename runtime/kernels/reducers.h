// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes reducers (reduction.h) from what reductions do with elements (runtime/elements/), for every
// element type.
#pragma once

#include "runtime/elements/reductions.h"
#include "runtime/kernels/reduction.h"

namespace sluice::rt {

template <typename Op, typename T>
using AccumulatorOf =
    std::conditional_t<!Op::kWidens || !kIsInt<T>, Compute<T>,
                       std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

template <element::Identity identity, typename Acc> constexpr Acc identityOf() {
  using enum element::Identity;
  using Limits = std::numeric_limits<Acc>;
  if constexpr (identity == kZero)
    return Acc(0);
  else if constexpr (identity == kOne)
    return Acc(1);
  else if constexpr (identity == kLowest)
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  else
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
}

template <typename Op, typename T> struct ReducerOf {
  using Acc = AccumulatorOf<Op, T>;
  static constexpr int kLanes = 8;
  static constexpr Acc identity = identityOf<Op::kIdentity, Acc>();

  static Acc load(const T &x) { return Op::load(static_cast<Acc>(x)); }

  static void foldRun(void *acc, const void *in, int64_t n) {
    auto *x = static_cast<const T *>(in);
    Acc lanes[kLanes];
    for (Acc &lane : lanes)
      lane = identity;
    int64_t i = 0;
    // The lanes are the vector; vectorising over i as well would only shuffle.
#pragma clang loop vectorize(disable)
    for (; i + kLanes <= n; i += kLanes)
      for (int lane = 0; lane < kLanes; ++lane)
        lanes[lane] = Op::combine(lanes[lane], load(x[i + lane]));
#pragma clang loop vectorize(disable) unroll(disable)
    for (int lane = 0; i < n; ++i, ++lane)
      lanes[lane] = Op::combine(lanes[lane], load(x[i]));
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
      a[i] = Op::combine(a[i], load(x[i]));
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
  static constexpr Reducer reducer{sizeof(T), sizeof(Acc), &identity, foldRun,
                                   foldRow,   merge,       finish};
};

} // namespace sluice::rt
