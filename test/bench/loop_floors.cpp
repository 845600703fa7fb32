// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floors: what a C++ programmer would write, for a compiler that vectorizes.
#include "test/bench/loop_floors.h"

#include <cstring>

namespace sluice::bench {

[[gnu::noinline]] void scalarLoop(int32_t n, const float *x, const float *b, float *out) {
  float value = *x, factor = *b;
  for (int32_t i = 0; i < n; ++i)
    value *= factor;
  *out = value;
}

[[gnu::noinline]] void gradientLoop(int32_t n, const float *x, const float *b,
                                   std::vector<float> &trail, float *db) {
  float value = *x, factor = *b, dy = 1, sum = 0;
  trail.resize(static_cast<size_t>(n)); // a compiler of gradients could know as much
  float *saved = trail.data();
  for (int32_t i = 0; i < n; ++i) {
    saved[i] = value;
    value *= factor;
  }
  for (int32_t i = n; i-- > 0;) {
    sum += dy * saved[i];
    dy *= factor;
  }
  *db = sum;
}

namespace {
// Held in registers.
struct Row {
  float e[kRow];
  explicit Row(const float *from) { std::memcpy(e, from, sizeof e); }
  void store(float *to) const { std::memcpy(to, e, sizeof e); }
  void multiply(const Row &b) {
    for (int64_t k = 0; k < kRow; ++k)
      e[k] *= b.e[k];
  }
  void add(const Row &b) {
    for (int64_t k = 0; k < kRow; ++k)
      e[k] += b.e[k];
  }
};
} // namespace

[[gnu::noinline]] void vectorLoop(int32_t n, const float *x, const float *b, float *out) {
  Row value(x), factor(b);
  for (int32_t i = 0; i < n; ++i)
    value.multiply(factor);
  value.store(out);
}

[[gnu::noinline]] void nestedLoop(int32_t n, const float *x, const float *b, float *out) {
  Row value(x), factor(b);
  for (int32_t i = 0; i < n; ++i)
    for (int32_t j = 0; j < n; ++j)
      value.multiply(factor);
  value.store(out);
}

[[gnu::noinline]] void branchingLoop(int32_t n, const float *x, const float *b, float *out) {
  Row value(x), factor(b);
  for (int32_t i = 0; i < n; ++i) {
    if (i % 2 == 0)
      value.multiply(factor);
    else
      value.add(factor);
  }
  value.store(out);
}

[[gnu::noinline]] void scanRows(int64_t n, const float *rows, const float *b, float *h,
                                float *all) {
  Row state(h), factor(b);
  for (int64_t i = 0; i < n; ++i) {
    state.multiply(factor);
    state.add(Row(rows + i * kRow));
    state.store(all + i * kRow);
  }
  state.store(h);
}

} // namespace sluice::bench
