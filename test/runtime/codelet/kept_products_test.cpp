// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products onto a sum that are kept until they are a block have the bits of those that are not.
#include "runtime/codelet/support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sluice::rt {
namespace {

std::vector<float> fractions(int64_t count, double step) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>(std::sin(step * static_cast<double>(i + 1))));
  return values;
}

void checkKept(int64_t k, int times, bool transposeA, bool transposeB) {
  constexpr int64_t m = 7, n = 19;
  std::vector<float> expected = fractions(m * n, 0.1), sum = expected;
  std::vector<int64_t> memory(
      static_cast<size_t>(sluice_kept_bytes_f32(m, n)) / sizeof(int64_t) + 1, -1);
  memory[0] = 0;
  for (int i = 0; i < times; ++i) {
    std::vector<float> a = fractions(m * k, 0.7 + i), b = fractions(k * n, 0.3 + i);
    const int64_t lda = transposeA ? m : k, ldb = transposeB ? k : n;
    sluice_gemm_f32(m, n, k, a.data(), lda, transposeA, b.data(), ldb, transposeB, expected.data(),
                    n, 1);
    sluice_gemm_keep_f32(m, n, k, a.data(), lda, transposeA, b.data(), ldb, transposeB, sum.data(),
                         n, memory.data());
  }
  sluice_gemm_kept_f32(m, n, sum.data(), n, memory.data());
  EXPECT_EQ(sum, expected) << k << " rows, " << times << " times";
  EXPECT_EQ(memory[0], 0);
}

TEST(KeptProducts, HaveTheBitsOfThoseThatAreNot) {
  for (int layout = 0; layout < 4; ++layout) {
    checkKept(1, 1, layout & 1, layout & 2);
    checkKept(3, 100, layout & 1, layout & 2); // a block ends within a product
    checkKept(128, 2, layout & 1, layout & 2); // a block ends with one
    checkKept(255, 5, layout & 1, layout & 2);
    checkKept(700, 2, layout & 1, layout & 2); // several blocks in one
    checkKept(4, 0, layout & 1, layout & 2);
  }
}

} // namespace
} // namespace sluice::rt
