// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows that are multiplied where they lie have the bits of gathered ones.
#include "runtime/kernels/nn_convolve_tiles.h"

#include "runtime/kernels/matmul_level.h"
#include "runtime/kernels/matmul_real.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>

namespace sluice::rt {
namespace {

template <typename T> class ConvolveTiles : public ::testing::Test {
protected:
  std::vector<T> drawn(int64_t count) {
    std::vector<T> elements(static_cast<size_t>(count));
    for (T &element : elements)
      element = static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(random_));
    return elements;
  }
  int64_t between(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random_);
  }
  // As many windows as lie in the dim and what is around it.
  RowAxis axis(int64_t size) {
    const int64_t window = between(1, 4), stride = between(1, 3), dilation = between(1, 3);
    const int64_t before = between(0, 3), after = between(0, 3);
    const int64_t reach = (window - 1) * dilation + 1;
    RowAxis axis{
        size, std::max<int64_t>(0, size + before + after - reach + stride) / stride, stride, {}};
    for (int64_t tap = 0; tap < window; ++tap)
      axis.offsets.push_back(tap * dilation - before);
    return axis;
  }

  void compare(const WindowRows<T> &rows, int64_t n, int64_t rowC) {
    ASSERT_TRUE(canMultiplyInPlace(rows));
    const int64_t m = rows.rows(), k = rows.columns();
    const std::vector<T> filter = drawn(k * n);
    std::vector<T> all(static_cast<size_t>(m * k));
    for (const RowChunk &chunk : rows.chunks()) {
      if (m == 0)
        break;
      std::vector<T> some(static_cast<size_t>(m * chunk.columns));
      rows.gather(0, m, chunk, some.data());
      for (int64_t row = 0; row < m; ++row)
        std::copy_n(some.data() + row * chunk.columns, chunk.columns,
                    all.data() + row * k + chunk.column);
    }
    // What lies between rows of the result is somebody else's.
    std::vector<T> expected(static_cast<size_t>(m * rowC), T(7)), made = expected;
    multiplyMatrices<T>({m, n, k}, {all.data(), k, 1}, {filter.data(), n, 1}, expected.data(), rowC,
                        false);
    multiplyInPlace<T>(rows, n, {filter.data(), n, 1}, made.data(), rowC);
    EXPECT_EQ(std::memcmp(expected.data(), made.data(), made.size() * sizeof(T)), 0)
        << m << " windows of " << k << ", " << n << " outputs";
  }

  void compareMany() {
    for (int i = 0; i < 60; ++i) {
      const int64_t batch = between(0, 3), channels = between(1, 5), groups = between(1, 3);
      const RowAxis down = axis(between(1, 9)), across = axis(between(1, 17));
      const int64_t all = groups * channels, group = between(0, groups - 1);
      const std::vector<T> images = drawn(batch * down.size * across.size * all + 1);
      const WindowRows<T> rows(images.data(), batch, {RowAxis{}, down, across}, all,
                               group * channels, channels, 64);
      const int64_t n = between(1, 70);
      compare(rows, n, n + between(0, 2) * between(0, 5));
    }
  }

  std::mt19937 random_{11};
};

using Elements = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ConvolveTiles, Elements);

TYPED_TEST(ConvolveTiles, HaveTheBitsOfGatheredWindows) {
  const ProductLevel usual = productLevel();
  for (ProductLevel level : {ProductLevel::kShortVectors, ProductLevel::kLongVectors})
    if (canMultiplyBy(level)) {
      forceProductLevel(level);
      this->compareMany();
    }
  forceProductLevel(usual);
}

// Several blocks of an image, with zeros around each.
TYPED_TEST(ConvolveTiles, GoOverLargeImages) {
  RowAxis down{150, 150, 1, {-1, 0, 1}}, across{140, 140, 1, {-1, 0, 1}};
  const std::vector<TypeParam> images = this->drawn(2 * 150 * 140 * 3);
  this->compare(WindowRows<TypeParam>(images.data(), 2, {RowAxis{}, down, across}, 3, 0, 3, 512), 5,
                5);
}

TYPED_TEST(ConvolveTiles, AreOfOnePlane) {
  const std::vector<TypeParam> images(1000);
  const RowAxis deep{3, 2, 1, {0, 1}}, plain{4, 4, 1, {0}};
  EXPECT_FALSE(canMultiplyInPlace(
      WindowRows<TypeParam>(images.data(), 1, {deep, plain, plain}, 2, 0, 2, 512)));
  EXPECT_FALSE(canMultiplyInPlace(
      WindowRows<TypeParam>(images.data(), 1, {RowAxis{}, plain, plain}, 2, 0, 0, 512)));
}

// Or a small graph could ask for any amount of zeros.
TYPED_TEST(ConvolveTiles, StayNearTheirImages) {
  constexpr int64_t kFar = int64_t{1} << 30;
  const std::vector<TypeParam> images(16);
  const RowAxis plain{4, 4, 1, {0}}, far{4, 3, kFar, {-kFar, 1 - kFar}}, wide{4, 1, 1, {0, kFar}};
  for (const RowAxis &axis : {far, wide}) {
    EXPECT_FALSE(canMultiplyInPlace(
        WindowRows<TypeParam>(images.data(), 1, {RowAxis{}, axis, plain}, 1, 0, 1, 512)));
    EXPECT_FALSE(canMultiplyInPlace(
        WindowRows<TypeParam>(images.data(), 1, {RowAxis{}, plain, axis}, 1, 0, 1, 512)));
  }
}

// What zeros around an image are multiplied with need not be finite.
TYPED_TEST(ConvolveTiles, MultiplyZerosAroundImages) {
  const std::vector<TypeParam> image(1, 1);
  RowAxis across{1, 1, 1, {-1, 0}};
  const WindowRows<TypeParam> rows(image.data(), 1, {RowAxis{}, RowAxis{}, across}, 1, 0, 1, 512);
  const TypeParam filter[] = {INFINITY, 2};
  TypeParam made;
  multiplyInPlace<TypeParam>(rows, 1, {filter, 1, 1}, &made, 1);
  EXPECT_TRUE(std::isnan(made));
}

} // namespace
} // namespace sluice::rt
