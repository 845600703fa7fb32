// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled code calls gives the bits of the plain kernels.
#include "runtime/base/arithmetic.h"
#include "runtime/codelet/support.h"
#include "test/runtime/kernels/kernel_caller.h"

#include <cmath>
#include <cstring>

namespace sluice::rt {
namespace {

// Numbers of which every sum is rounded.
template <typename T> Tensor fractions(const Shape &shape, double step) {
  Tensor t = *Tensor::allocate(DTypeOf<T>::value, shape);
  for (int64_t i = 0; i < t.elements(); ++i)
    t.data<T>()[i] = static_cast<T>(2 * std::sin(step * static_cast<double>(i + 1)));
  return t;
}

void expectSameBits(const Tensor &expected, const Tensor &actual, const std::string &what) {
  ASSERT_EQ(expected.shape(), actual.shape()) << what;
  ASSERT_EQ(std::memcmp(expected.raw(), actual.raw(), expected.bytes()), 0) << what;
}

// ---- Products --------------------------------------------------------------------------------

template <typename T> struct Products;
template <> struct Products<float> {
  static constexpr auto gemm = sluice_gemm_f32;
  static constexpr auto packedBytes = sluice_packed_bytes_f32;
  static constexpr auto pack = sluice_pack_b_f32;
  static constexpr auto gemmPacked = sluice_gemm_packed_f32;
  static constexpr const Kernel &kernel = sluice_kernel_nd_matmul_f32;
};
template <> struct Products<double> {
  static constexpr auto gemm = sluice_gemm_f64;
  static constexpr auto packedBytes = sluice_packed_bytes_f64;
  static constexpr auto pack = sluice_pack_b_f64;
  static constexpr auto gemmPacked = sluice_gemm_packed_f64;
  static constexpr const Kernel &kernel = sluice_kernel_nd_matmul_f64;
};
template <> struct Products<Half> {
  static constexpr auto gemm = sluice_gemm_f16;
  static constexpr auto packedBytes = sluice_packed_bytes_f16;
  static constexpr auto pack = sluice_pack_b_f16;
  static constexpr auto gemmPacked = sluice_gemm_packed_f16;
  static constexpr const Kernel &kernel = sluice_kernel_nd_matmul_f16;
};
template <> struct Products<BFloat16> {
  static constexpr auto gemm = sluice_gemm_bf16;
  static constexpr auto packedBytes = sluice_packed_bytes_bf16;
  static constexpr auto pack = sluice_pack_b_bf16;
  static constexpr auto gemmPacked = sluice_gemm_packed_bf16;
  static constexpr const Kernel &kernel = sluice_kernel_nd_matmul_bf16;
};

template <typename T>
void checkProducts(int64_t m, int64_t n, int64_t k, bool transA, bool transB) {
  using P = Products<T>;
  const std::string what =
      format("%lldx%lldx%lld, transposed %d %d", static_cast<long long>(m),
             static_cast<long long>(n), static_cast<long long>(k), transA, transB);
  Tensor a = fractions<T>(transA ? Shape{k, m} : Shape{m, k}, 0.7);
  Tensor b = fractions<T>(transB ? Shape{n, k} : Shape{k, n}, 0.3);
  Tensor expected =
      *callKernel(P::kernel, {a, b}, {intAttr(0), intAttr(0), intAttr(transA), intAttr(transB)});
  const int64_t lda = transA ? m : k, ldb = transB ? n == 0 ? 1 : k : n;
  Tensor c = fractions<T>({m, n}, 0.1); // overwritten
  P::gemm(m, n, k, a.data<T>(), lda, transA, b.data<T>(), ldb, transB, c.data<T>(), n, 0);
  expectSameBits(expected, c, what);

  // In two parts of k, the second going on with the chains of the first.
  const int64_t half = k / 2;
  if (!kIsSmallFloat<T>) {
    P::gemm(m, n, half, a.data<T>(), lda, transA, b.data<T>(), ldb, transB, c.data<T>(), n, 0);
    P::gemm(m, n, k - half, a.data<T>() + half * (transA ? m : 1), lda, transA,
            b.data<T>() + half * (transB ? 1 : n), ldb, transB, c.data<T>(), n, 1);
    expectSameBits(expected, c, what + " in parts");
  }

  if (transA)
    return;
  Tensor packed = *Tensor::allocate(DType::kU8, {P::packedBytes(k, n)});
  auto *panels = static_cast<Compute<T> *>(packed.raw());
  P::pack(k, n, b.data<T>(), ldb, transB, panels);
  std::memset(c.raw(), 0, c.bytes());
  P::gemmPacked(m, n, k, a.data<T>(), lda, panels, nullptr, n, c.data<T>(), n);
  expectSameBits(expected, c, what + " packed");
  if (kIsSmallFloat<T>)
    return;
  P::gemm(m, n, half, a.data<T>(), lda, 0, b.data<T>(), ldb, transB, c.data<T>(), n, 0);
  P::pack(k - half, n, b.data<T>() + half * (transB ? 1 : n), ldb, transB, panels);
  P::gemmPacked(m, n, k - half, a.data<T>() + half, lda, panels, c.data<T>(), n, c.data<T>(), n);
  expectSameBits(expected, c, what + " in parts, the second packed");
}

TEST(CodeletSupport, ProductsAreThoseOfTheKernel) {
  const int64_t sizes[][3] = {{1, 1, 1},   {1, 70, 300},  {2, 100, 33}, {3, 33, 100}, {4, 512, 128},
                              {5, 16, 64}, {32, 40, 600}, {70, 150, 9}, {2, 3, 0}};
  for (auto &[m, n, k] : sizes)
    for (int layout = 0; layout < 4; ++layout) {
      checkProducts<float>(m, n, k, layout & 1, layout & 2);
      checkProducts<double>(m, n, k, layout & 1, layout & 2);
      checkProducts<Half>(m, n, k, layout & 1, layout & 2);
      checkProducts<BFloat16>(m, n, k, layout & 1, layout & 2);
    }
}

// Rows of operands and result may be longer than the matrix; what is between stays.
TEST(CodeletSupport, ProductsInPartsOfWiderMatrices) {
  Tensor a = fractions<float>({4, 6}, 0.7), b = fractions<float>({5, 40}, 0.3);
  std::vector<float> c(4 * 50, 7.0f);
  sluice_gemm_f32(4, 33, 5, a.data<float>(), 6, 0, b.data<float>(), 40, 0, c.data(), 50, 0);
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = 0; j < 50; ++j) {
      float chain = j < 33 ? 0 : 7;
      for (size_t x = 0; j < 33 && x < 5; ++x)
        chain = std::fma(a.data<float>()[i * 6 + x], b.data<float>()[x * 40 + j], chain);
      ASSERT_EQ(c[i * 50 + j], chain) << i << ',' << j;
    }
}

// ---- Reductions ------------------------------------------------------------------------------

using ReduceFn = void (*)(const void *, const int64_t *, int32_t, uint32_t, void *);

template <typename T>
void checkReduction(ReduceFn function, const Kernel &kernel, const Shape &shape, uint32_t axes) {
  Tensor x = fractions<T>(shape, 0.9);
  std::vector<int32_t> list;
  for (int32_t axis = 0; axis < shape.rank(); ++axis)
    if (axes >> axis & 1)
      list.push_back(axis);
  Tensor expected = *callKernel(
      kernel, {x, tensor<int32_t>({static_cast<int64_t>(list.size())}, list)}, {intAttr(0)});
  Tensor actual = *Tensor::allocate(x.dtype(), expected.shape());
  function(x.raw(), shape.dims().data(), shape.rank(), axes, actual.raw());
  expectSameBits(expected, actual, shape.toString() + " over " + std::to_string(axes));
}

TEST(CodeletSupport, ReductionsAreThoseOfTheKernels) {
  const std::pair<Shape, uint32_t> table[] = {
      {{}, 0},          {{5}, 1},           {{5000}, 1},        {{300, 7}, 1},
      {{300, 7}, 2},    {{300, 7}, 3},      {{3, 0, 2}, 2},     {{0, 4}, 1},
      {{2, 200, 3}, 5}, {{2, 200, 300}, 2}, {{4, 3, 2, 5}, 10}, {{2, 1, 3, 1, 2, 2, 2, 3}, 0xa5}};
  for (auto &[shape, axes] : table) {
    checkReduction<float>(sluice_nd_reduce_sum_f32, sluice_kernel_nd_reduce_sum_f32, shape, axes);
    checkReduction<double>(sluice_nd_reduce_sum_f64, sluice_kernel_nd_reduce_sum_f64, shape, axes);
    checkReduction<float>(sluice_nd_reduce_mean_f32, sluice_kernel_nd_reduce_mean_f32, shape, axes);
    checkReduction<float>(sluice_nd_reduce_max_f32, sluice_kernel_nd_reduce_max_f32, shape, axes);
    checkReduction<float>(sluice_nd_reduce_prod_f32, sluice_kernel_nd_reduce_prod_f32, shape, axes);
    checkReduction<int32_t>(sluice_nd_reduce_sum_i32, sluice_kernel_nd_reduce_sum_i32, shape, axes);
    checkReduction<int64_t>(sluice_nd_reduce_min_i64, sluice_kernel_nd_reduce_min_i64, shape, axes);
    checkReduction<bool>(sluice_nd_reduce_any_bool, sluice_kernel_nd_reduce_any_bool, shape, axes);
    checkReduction<bool>(sluice_nd_reduce_all_bool, sluice_kernel_nd_reduce_all_bool, shape, axes);
  }
}

// ---- Functions of elements -------------------------------------------------------------------

template <typename T> void checkFunction(const char *name, T (*function)(T), const Kernel &kernel) {
  for (int i = -300; i < 300; ++i) {
    T x = static_cast<T>(i) / 7, expected, actual = function(x);
    const void *operand = &x;
    kernel.scalar(&operand, &expected);
    ASSERT_TRUE(std::memcmp(&actual, &expected, sizeof(T)) == 0 ||
                (std::isnan(actual) && std::isnan(expected)))
        << name << " of " << x;
  }
}
template <typename T>
void checkFunction(const char *name, T (*function)(T, T), const Kernel &kernel) {
  for (int i = -30; i < 30; ++i)
    for (int j = -30; j < 30; ++j) {
      T x = static_cast<T>(i) / 7, y = static_cast<T>(j) / 5, expected, actual = function(x, y);
      const void *operands[] = {&x, &y};
      kernel.scalar(operands, &expected);
      ASSERT_TRUE(std::memcmp(&actual, &expected, sizeof(T)) == 0 ||
                  (std::isnan(actual) && std::isnan(expected)))
          << name << " of " << x << " and " << y;
    }
}

TEST(CodeletSupport, FunctionsAreThoseOfTheKernels) {
#define CHECK_FUNCTION(NAME, T, N)                                                                 \
  checkFunction<T>(#NAME, sluice_nd_##NAME##_##N, sluice_kernel_nd_##NAME##_##N);
#define SLUICE_LIBRARY(OP, FUNCTION, OPERANDS)                                                     \
  CHECK_FUNCTION(OP, float, f32) CHECK_FUNCTION(OP, double, f64)
#include "runtime/elements/elements.def"
#undef CHECK_FUNCTION
}

} // namespace
} // namespace sluice::rt
