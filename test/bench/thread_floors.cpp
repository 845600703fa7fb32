// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floors for several threads: halves of the rows, for a compiler that vectorizes.
#include "test/bench/thread_floors.h"

#include "runtime/elements/polynomials_f32.h"

#include <algorithm>
#include <vector>

namespace sluice::bench {

namespace f32 = rt::element::f32;

void fusedRows(Team &team, int64_t rows, int64_t columns, const float *x, const float *a,
               const float *b, const float *c, float *out) {
  team.split(rows, [=](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row)
      for (int64_t j = 0, i = row * columns; j < columns; ++j, ++i)
        out[i] = f32::tanh(x[i] * a[i] + b[j]) * c[j];
  });
}

namespace {

// Elements of a partial result of a sum, and what of them is added side by side.
constexpr int64_t kRun = 1024, kLanes = 8;

float sumOfRun(const float *x) {
  float lanes[kLanes] = {};
  for (int64_t i = 0; i < kRun; i += kLanes)
    for (int64_t lane = 0; lane < kLanes; ++lane)
      lanes[lane] += x[i + lane];
  float four[] = {lanes[0] + lanes[4], lanes[1] + lanes[5], lanes[2] + lanes[6],
                  lanes[3] + lanes[7]};
  return (four[0] + four[2]) + (four[1] + four[3]);
}
float sumOfTree(const float *x, int64_t runs) {
  return runs == 1 ? sumOfRun(x)
                   : sumOfTree(x, runs / 2) + sumOfTree(x + runs / 2 * kRun, runs / 2);
}

float greatest(const float *x, int64_t count) {
  float lanes[4 * kLanes];
  std::copy_n(x, 4 * kLanes, lanes);
  for (int64_t i = 0; i < count; i += 4 * kLanes)
    for (int64_t lane = 0; lane < 4 * kLanes; ++lane)
      lanes[lane] = std::max(lanes[lane], x[i + lane]);
  return *std::max_element(lanes, lanes + 4 * kLanes);
}

} // namespace

void softmaxRows(Team &team, int64_t rows, int64_t columns, const float *x, float *exps,
                 float *out) {
  std::vector<float> ofRows(static_cast<size_t>(rows));
  float *values = ofRows.data();
  auto forRows = [&](auto &&row) {
    team.split(rows, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i)
        row(i, i * columns);
    });
  };
  forRows([=](int64_t row, int64_t at) { values[row] = greatest(x + at, columns); });
  forRows([=](int64_t row, int64_t at) {
    for (int64_t i = at; i < at + columns; ++i)
      exps[i] = f32::exp(x[i] - values[row]);
  });
  forRows([=](int64_t row, int64_t at) { values[row] = sumOfTree(exps + at, columns / kRun); });
  forRows([=](int64_t row, int64_t at) {
    for (int64_t i = at; i < at + columns; ++i)
      out[i] = exps[i] / values[row];
  });
}

float sumOfRuns(Team &team, int64_t count, const float *x) {
  float halves[2];
  team.split(2, [&](int64_t first, int64_t last) {
    for (int64_t half = first; half < last; ++half)
      halves[half] = sumOfTree(x + half * (count / 2), count / 2 / kRun);
  });
  return halves[0] + halves[1];
}

} // namespace sluice::bench
