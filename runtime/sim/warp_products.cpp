// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of small matrices that a warp holds, as the PTX manual lays out mma.m16n8k16 and
// mma.m16n8k8.
#include "runtime/sim/ptx_float_values.h"
#include "runtime/sim/warp.h"

#include <bit>

namespace sluice::rt::sim {

namespace {

constexpr int kRows = 16, kColumns = 8, kMostDepth = 16;

float valueOf(WarpOperation operation, uint32_t pair, int half) {
  auto bits = uint16_t(pair >> 16 * half);
  return operation == WarpOperation::kMultiplyF16 ? float(F16{bits}.value())
                                                  : float(BF16{bits}.value());
}

float valueOf(uint32_t word) { return std::bit_cast<float>(word & ~uint32_t{0x1fff}); }

} // namespace

// Lane l has of `a` rows l / 4 and eight more, of `b` column l / 4, of both the elements along k
// from 2 (l % 4) on, two, and the two that are eight on; of TF32 one from l % 4 on, and the one
// that is four on.
void multiplyFragments(const WarpRequest *const requests[kWarpThreads]) {
  float a[kRows][kMostDepth], b[kColumns][kMostDepth];
  WarpOperation operation = requests[0]->operation;
  bool isNarrow = operation == WarpOperation::kMultiplyTF32;
  const int depth = isNarrow ? 8 : 16;
  for (int lane = 0; lane < int(kWarpThreads); ++lane) {
    const MatrixFragments &own = *requests[lane]->fragments;
    if (isNarrow) {
      for (int i = 0; i < 4; ++i)
        a[lane / 4 + i % 2 * 8][lane % 4 + i / 2 * 4] = valueOf(own.a[i]);
      for (int i = 0; i < 2; ++i)
        b[lane / 4][lane % 4 + i * 4] = valueOf(own.b[i]);
      continue;
    }
    for (int half = 0; half < 2; ++half) {
      int group = lane / 4, along = lane % 4 * 2 + half;
      for (int i = 0; i < 4; ++i)
        a[group + i % 2 * 8][along + i / 2 * 8] = valueOf(operation, own.a[i], half);
      for (int i = 0; i < 2; ++i)
        b[group][along + i * 8] = valueOf(operation, own.b[i], half);
    }
  }
  for (int lane = 0; lane < int(kWarpThreads); ++lane)
    for (int i = 0; i < 4; ++i) {
      int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
      float &sum = requests[lane]->fragments->sums[i];
      for (int k = 0; k < depth; ++k)
        sum = std::fma(a[row][k], b[column][k], sum);
      sum = settled(sum);
    }
}

} // namespace sluice::rt::sim
