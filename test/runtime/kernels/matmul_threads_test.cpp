// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products in pieces, by several threads: the bits of one thread.
#include "runtime/base/parallel.h"
#include "runtime/kernels/matmul_real.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace sluice::rt {
namespace {

template <typename T> std::vector<T> fractions(int64_t count, uint32_t seed) {
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525 + 1013904223;
    values.push_back(static_cast<T>(static_cast<int32_t>(seed)) / T(1 << 30));
  }
  return values;
}

struct Layout {
  bool transposeA, transposeB, packed, accumulate;
};

template <typename T>
std::vector<T> multiply(ProductDims dims, Layout layout, const std::vector<T> &a,
                        const std::vector<T> &b) {
  const MatrixView<T> left =
      layout.transposeA ? MatrixView<T>{a.data(), 1, dims.m} : MatrixView<T>{a.data(), dims.k, 1};
  const MatrixView<T> right =
      layout.transposeB ? MatrixView<T>{b.data(), 1, dims.k} : MatrixView<T>{b.data(), dims.n, 1};
  const int64_t rowC = dims.n + 1;
  std::vector<T> c = fractions<T>(dims.m * rowC, 3);
  if (layout.packed) {
    std::vector<T> packed(static_cast<size_t>(packedElements<T>(dims.k, dims.n)));
    packRight<T>(dims.k, dims.n, right, packed.data());
    const std::vector<T> onto = fractions<T>(dims.m * dims.n, 5);
    multiplyPacked<T>(dims, left, packed.data(), c.data(), rowC,
                      layout.accumulate ? Begins<T>{onto.data(), dims.n} : Begins<T>{});
  } else {
    multiplyMatrices<T>(dims, left, right, c.data(), rowC, layout.accumulate);
  }
  return c;
}

template <typename T> class ThreadsOfProducts : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(ThreadsOfProducts, Floats);

// Sizes for pieces of rows, of columns, and of both with rests.
TYPED_TEST(ThreadsOfProducts, HaveTheBitsOfOne) {
  for (ProductDims dims : {ProductDims{300, 170, 130}, ProductDims{113, 1030, 70},
                           ProductDims{20, 700, 601}, ProductDims{5, 1300, 1000}})
    for (int bits = 0; bits < 16; ++bits) {
      const Layout layout{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
      auto a = fractions<TypeParam>(dims.m * dims.k, 1),
           b = fractions<TypeParam>(dims.k * dims.n, 2);
      const std::vector<TypeParam> expected = multiply(dims, layout, a, b);
      for (int threads : {2, 3}) {
        ParallelThreads allowed(systemThreads(), threads);
        const std::vector<TypeParam> c = multiply(dims, layout, a, b);
        ASSERT_EQ(std::memcmp(c.data(), expected.data(), c.size() * sizeof(TypeParam)), 0)
            << dims.m << 'x' << dims.n << 'x' << dims.k << " layout " << bits << " threads "
            << threads;
      }
    }
}

} // namespace
} // namespace sluice::rt
