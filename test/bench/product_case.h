// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product that is measured, and what a library beside it gives: product_bench.cpp opens it at run
// time, so that no build depends on one.
#pragma once

#include <cstdint>

namespace sluice::bench {

// c (m x n) = a (m x k) b (k x n) of f32. Transposed operands lie in memory as their transposes.
struct ProductCase {
  const char *name;
  int64_t m, n, k;
  bool transposeA, transposeB;
  bool packed;     // the right operand was packed before, or is kept packed from before
  bool accumulate; // onto c
};

// The functions of a rival, by the names that it exports.
using MakeRivalFn = void *(const ProductCase *, float *a, float *b, float *c);
using RunRivalFn = void(void *);
inline constexpr const char *kMakeRival = "make_rival", *kRunRival = "run_rival";

} // namespace sluice::bench
