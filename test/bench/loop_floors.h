// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measured loops, written by hand with the arithmetic of the compiled ones: no contraction,
// products of matrices as one chain of fused multiply-adds for each element.
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::bench {

constexpr int64_t kRow = 16;
constexpr int64_t kRnnSteps = 100;

// while (i < n) {i = i + 1; x = x * b}; `out` receives x.
void scalarLoop(int32_t n, const float *x, const float *b, float *out);
void vectorLoop(int32_t n, const float *x, const float *b, float *out);
// n times n of them.
void nestedLoop(int32_t n, const float *x, const float *b, float *out);
// x = i % 2 == 0 ? x * b : x + b
void branchingLoop(int32_t n, const float *x, const float *b, float *out);
// y = x * b^n and back: `trail` keeps what was multiplied, and dy/db is the result.
void gradientLoop(int32_t n, const float *x, const float *b, std::vector<float> &trail, float *db);
// h = h * b + row; all of them go to `all`.
void scanRows(int64_t n, const float *rows, const float *b, float *h, float *all);

// A forward LSTM layer, packed once a run: weights are [inputs and units, 4 gates x units].
class LstmFloor {
public:
  LstmFloor(int64_t batch, int64_t units);
  // `rows` is [steps, batch, units]; `h` receives the last state.
  void run(const float *rows, const float *w, const float *bias, float *h);

private:
  void pack(const float *w);
  void multiply();
  void applyGates(const float *bias, float *h);

  int64_t batch_, units_, depth_, width_;
  std::vector<float> packed_, both_, gates_, c_, all_;
};

} // namespace sluice::bench
