// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What test/bench/threads measures beside programs: the same arithmetic, written by hand for a
// fixed number of threads. Passes over memory are those of the programs.
#pragma once

#include "test/bench/thread_team.h"

namespace sluice::bench {

constexpr int64_t kSide = 4096; // of large matrices
// Of large matrices of which several are read at once: no power of 2, for which caches are too
// small.
constexpr int64_t kOddSide = 4000;
constexpr int64_t kLoopRows = 512, kLoopColumns = 1024; // of what a loop carries
constexpr int64_t kLoopCount = 50;

// out = tanh(x * a + b) * c, element by element; b and c are rows for all.
void fusedRows(Team &team, int64_t rows, int64_t columns, const float *x, const float *a,
               const float *b, const float *c, float *out);
// For each row of a matrix.
void softmaxRows(Team &team, int64_t rows, int64_t columns, const float *x, float *exps,
                 float *out);
// Of 2^n runs.
float sumOfRuns(Team &team, int64_t count, const float *x);

} // namespace sluice::bench
