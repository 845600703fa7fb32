// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products by every kind of vectors that this machine has: the bits of one chain for each element.
#include "runtime/base/dtype.h"
#include "runtime/kernels/matmul_level.h"
#include "runtime/kernels/matmul_small.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace sluice::rt {
namespace {

class WithLevel {
public:
  explicit WithLevel(ProductLevel level) : before_(productLevel()) { forceProductLevel(level); }
  ~WithLevel() { forceProductLevel(before_); }
  WithLevel(const WithLevel &) = delete;

private:
  ProductLevel before_;
};

std::vector<ProductLevel> levels() {
  std::vector<ProductLevel> result;
  for (ProductLevel level : {ProductLevel::kShortVectors, ProductLevel::kLongVectors})
    if (canMultiplyBy(level))
      result.push_back(level);
  return result;
}

// Numbers of which every sum is rounded.
template <typename T> std::vector<T> fractions(int64_t count, double step) {
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<T>(std::sin(step * static_cast<double>(i + 1))));
  return values;
}

template <typename T> class LevelsOfProducts : public testing::Test {
protected:
  void checkAll(int64_t m, int64_t n, int64_t k, bool transA, bool transB) {
    const auto a = fractions<T>(m * k, 0.7), b = fractions<T>(k * n, 0.3);
    const MatrixView<T> left =
        transA ? MatrixView<T>{a.data(), 1, m} : MatrixView<T>{a.data(), k, 1};
    const MatrixView<T> right =
        transB ? MatrixView<T>{b.data(), 1, k} : MatrixView<T>{b.data(), n, 1};
    const ProductDims dims{m, n, k};
    // Rows of results are longer than the matrix; what is between stays.
    const int64_t rowC = n + 3;
    const auto before = fractions<T>(m * rowC, 0.1);
    for (bool accumulate : {false, true}) {
      std::vector<T> expected = before;
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          T &chain = expected[static_cast<size_t>(i * rowC + j)];
          chain = accumulate ? chain : T(0);
          for (int64_t x = 0; x < k; ++x)
            chain = std::fma(*left.at(i, x).data, *right.at(x, j).data, chain);
        }
      for (ProductLevel level : levels()) {
        WithLevel with(level);
        const std::string what = std::to_string(m) + "x" + std::to_string(n) + "x" +
                                 std::to_string(k) + " transposed " + std::to_string(transA) +
                                 std::to_string(transB) + " level " +
                                 std::to_string(static_cast<int>(level));
        std::vector<T> c = before;
        multiplyMatrices<T>(dims, left, right, c.data(), rowC, accumulate);
        ASSERT_EQ(std::memcmp(c.data(), expected.data(), c.size() * sizeof(T)), 0) << what;
        c = before;
        // Exactly as much memory as is promised to be enough, for address sanitizers to watch.
        std::unique_ptr<T[]> packed(new T[static_cast<size_t>(packedElements<T>(k, n))]);
        packRight<T>(k, n, right, packed.get());
        multiplyPacked<T>(dims, left, packed.get(), c.data(), rowC,
                          accumulate ? Begins<T>{c.data(), rowC} : Begins<T>{});
        ASSERT_EQ(std::memcmp(c.data(), expected.data(), c.size() * sizeof(T)), 0)
            << what << " packed";
        if (!accumulate)
          continue;
        // Onto a matrix that lies elsewhere.
        const int64_t rowOnto = n + 1;
        std::vector<T> onto(static_cast<size_t>(m * rowOnto));
        for (int64_t i = 0; i < m; ++i)
          std::copy_n(before.data() + i * rowC, n, onto.data() + i * rowOnto);
        const std::vector<T> same = onto;
        c = before;
        for (int64_t i = 0; i < m; ++i)
          std::fill_n(c.data() + i * rowC, n, T(5));
        multiplyPacked<T>(dims, left, packed.get(), c.data(), rowC, {onto.data(), rowOnto});
        ASSERT_EQ(std::memcmp(c.data(), expected.data(), c.size() * sizeof(T)), 0)
            << what << " packed, onto another";
        ASSERT_EQ(onto, same) << what;
      }
    }
  }
};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(LevelsOfProducts, Floats);

TYPED_TEST(LevelsOfProducts, EveryElementIsOneChain) {
  const int64_t sizes[][3] = {{1, 1, 3},     {1, 300, 5},   {2, 135, 70},  {3, 101, 33},
                              {4, 16, 530},  {5, 33, 9},    {6, 63, 130},  {7, 65, 140},
                              {8, 200, 19},  {11, 40, 300}, {13, 31, 8},   {14, 96, 7},
                              {15, 129, 64}, {29, 80, 1},   {113, 66, 17}, {225, 65, 20},
                              {12, 1100, 3}, {90, 24, 5},   {16, 0, 4},    {3, 5, 0}};
  for (auto &[m, n, k] : sizes)
    for (int layout = 0; layout < 4; ++layout)
      this->checkAll(m, n, k, layout & 1, layout & 2);
}

TYPED_TEST(LevelsOfProducts, BlocksOfKGoOn) {
  for (int layout = 0; layout < 4; ++layout)
    this->checkAll(17, 70, 1100, layout & 1, layout & 2);
}

TEST(LevelsOfSmallFloats, HaveOneResult) {
  constexpr int64_t m = 9, n = 70, k = 300;
  std::vector<BFloat16> a(m * k), b(k * n);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<BFloat16>(std::sin(0.7f * static_cast<float>(i)));
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = static_cast<BFloat16>(std::sin(0.3f * static_cast<float>(i)));
  std::vector<BFloat16> expected(m * n), c(m * n);
  const MatrixView<BFloat16> left{a.data(), k, 1}, right{b.data(), n, 1};
  multiplySmallFloats<BFloat16>({m, n, k}, left, right, expected.data(), n);
  for (ProductLevel level : levels()) {
    WithLevel with(level);
    std::vector<float> packed(static_cast<size_t>(packedElements<float>(k, n)));
    packRightSmallFloats<BFloat16>(k, n, right, packed.data());
    multiplyPackedSmallFloats<BFloat16>({m, n, k}, left, packed.data(), c.data(), n);
    EXPECT_EQ(std::memcmp(c.data(), expected.data(), c.size() * sizeof(BFloat16)), 0);
  }
}

} // namespace
} // namespace sluice::rt
