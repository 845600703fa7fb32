// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A long kernel that is measured, and what a library beside it gives, which kernel_bench.cpp opens.
#pragma once

#include <cstdint>

namespace sluice::bench {

enum class KernelOp { kAdd, kSubtractOfRows, kExp, kTanh, kSum, kMax };

// Of f32[rows, columns]. Reductions go over one axis or both.
struct KernelCase {
  const char *name;
  KernelOp op;
  bool overRows, overColumns;

  bool isReduction() const { return op == KernelOp::kSum || op == KernelOp::kMax; }
  bool isBinary() const { return op == KernelOp::kAdd || op == KernelOp::kSubtractOfRows; }
};

inline constexpr int64_t kBenchRows = 16384, kBenchColumns = 1024;

// The functions of a rival, by the names that it exports. It uses so many threads.
using MakeKernelRivalFn = void *(const KernelCase *, int threads, float *x, float *y, float *out);
using RunKernelRivalFn = void(void *);
inline constexpr const char *kMakeKernelRival = "make_rival", *kRunKernelRival = "run_rival";

} // namespace sluice::bench
