// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices, with broadcasting over leading dims.
//
// Bits depend on shapes only: Eigen runs on one thread, its block sizes are those of a fixed cache
// instead of this machine's, and its packed product looks at no addresses. Products with vectors,
// where Eigen does look at addresses, and tiny ones are done here.
#define EIGEN_MPL2_ONLY
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_CPUID
#define EIGEN_DEFAULT_L1_CACHE_SIZE (32 * 1024)
#define EIGEN_DEFAULT_L2_CACHE_SIZE (512 * 1024)
#define EIGEN_DEFAULT_L3_CACHE_SIZE (4 * 1024 * 1024)
// Workers have small stacks.
#define EIGEN_STACK_ALLOCATION_LIMIT (32 * 1024)

#include "runtime/base/arithmetic.h"
#include "runtime/kernels/broadcast.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/matmul_shape.h"

#include <Eigen/Core>
#include <algorithm>

namespace sluice::rt {
namespace {

struct MatrixProduct {
  int64_t m, n, k;
  bool transposeA, transposeB;
};

// out is row-major m x n.
using MultiplyFn = void (*)(const MatrixProduct &p, const void *a, const void *b, void *out);
// Negates imaginary parts of n elements.
using ConjugateFn = void (*)(void *data, int64_t n);

// Accumulates every output over rising k, a strip of a row at a time.
template <typename T>
void multiplyPlainly(const MatrixProduct &p, const void *left, const void *right, void *out) {
  using Acc = Compute<T>;
  constexpr int64_t kStrip = 64;
  auto *a = static_cast<const T *>(left);
  auto *b = static_cast<const T *>(right);
  auto *o = static_cast<T *>(out);
  const int64_t aRow = p.transposeA ? 1 : p.k, aColumn = p.transposeA ? p.m : 1;
  const int64_t bRow = p.transposeB ? 1 : p.n, bColumn = p.transposeB ? p.k : 1;
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n; j += kStrip) {
      const int64_t width = std::min(kStrip, p.n - j);
      Acc acc[kStrip] = {};
      for (int64_t x = 0; x < p.k; ++x) {
        const Acc factor = a[i * aRow + x * aColumn];
        const T *row = b + x * bRow + j * bColumn;
        for (int64_t c = 0; c < width; ++c)
          acc[c] = wrapAdd<Acc>(acc[c], wrapMul<Acc>(factor, row[c * bColumn]));
      }
      for (int64_t c = 0; c < width; ++c)
        o[i * p.n + j + c] = static_cast<T>(acc[c]);
    }
  }
}

template <typename T> T dot(const T *a, const T *b, int64_t n) {
  constexpr int kLanes = 16;
  T lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int lane = 0; lane < kLanes; ++lane)
      lanes[lane] += a[i + lane] * b[i + lane];
#pragma clang loop vectorize(disable) unroll(disable)
  for (int lane = 0; i < n; ++i, ++lane)
    lanes[lane] += a[i] * b[i];
#pragma clang loop unroll(disable)
  for (int width = kLanes / 2; width > 0; width /= 2)
    for (int lane = 0; lane < width; ++lane)
      lanes[lane] += lanes[lane + width];
  return lanes[0];
}

// One operand is a vector, so both of its orientations are the same in memory.
template <typename T> void multiplyVector(const MatrixProduct &p, const T *a, const T *b, T *out) {
  const bool vectorIsRight = p.n == 1;
  const T *matrix = vectorIsRight ? a : b;
  const T *vector = vectorIsRight ? b : a;
  const int64_t count = p.m * p.n;
  if (vectorIsRight ? !p.transposeA : p.transposeB)
    for (int64_t i = 0; i < count; ++i)
      out[i] = dot(matrix + i * p.k, vector, p.k);
  else
    multiplyPlainly<T>({1, count, p.k, false, false}, vector, matrix, out);
}

// Eigen's product is column-major, so it computes the transpose of the row-major result. Calling
// the product itself rather than `left * right` leaves out its many special cases.
template <typename T, int kOrderA, int kOrderB>
void multiplyBlocks(const MatrixProduct &p, const T *a, const T *b, T *out) {
  using namespace Eigen;
  using Product = internal::general_matrix_matrix_product<Index, T, kOrderB, false, T, kOrderA,
                                                          false, ColMajor, 1>;
  internal::gemm_blocking_space<ColMajor, T, T, Dynamic, Dynamic, Dynamic> blocking(p.n, p.m, p.k,
                                                                                    1, true);
  std::fill_n(out, p.m * p.n, T(0));
  Product::run(p.n, p.m, p.k, b, p.transposeB ? p.k : p.n, a, p.transposeA ? p.m : p.k, out, 1, p.n,
               T(1), blocking, nullptr);
}

template <typename T>
void multiplyFast(const MatrixProduct &p, const void *left, const void *right, void *out) {
  // Packing costs more than it saves below about this size.
  constexpr int64_t kFewProducts = 512;
  auto *a = static_cast<const T *>(left);
  auto *b = static_cast<const T *>(right);
  auto *o = static_cast<T *>(out);
  // Transposed, the orders are swapped: a row-major operand is the transpose of a column-major one.
  constexpr int kPlain = Eigen::ColMajor, kSwapped = Eigen::RowMajor;
  if (p.m == 1 || p.n == 1)
    multiplyVector<T>(p, a, b, o);
  else if (p.m <= kFewProducts / p.n / p.k)
    multiplyPlainly<T>(p, a, b, o);
  else if (p.transposeA && p.transposeB)
    multiplyBlocks<T, kSwapped, kSwapped>(p, a, b, o);
  else if (p.transposeA)
    multiplyBlocks<T, kSwapped, kPlain>(p, a, b, o);
  else if (p.transposeB)
    multiplyBlocks<T, kPlain, kSwapped>(p, a, b, o);
  else
    multiplyBlocks<T, kPlain, kPlain>(p, a, b, o);
}

template <typename T> void conjugateElements(void *data, int64_t n) {
  auto *x = static_cast<T *>(data);
  for (int64_t i = 0; i < n; ++i)
    x[i] = std::conj(x[i]);
}

// The operand with its attributes resolved; adjoints of complex matrices become copies.
Result<Tensor> resolveOperand(const Tensor &x, bool adjoint, ConjugateFn conjugate) {
  if (!adjoint || !conjugate)
    return x;
  // clone() shares small tensors by value, which is a copy as well.
  SLUICE_ASSIGN_OR_RETURN(Tensor copy, x.clone());
  conjugate(copy.raw(), copy.elements());
  return copy;
}

void multiplyBatches(const MatrixProduct &p, const Tensor &a, const Tensor &b, Tensor &out,
                     MultiplyFn multiply) {
  const Shape batchA = batchShape(a.shape()), batchB = batchShape(b.shape());
  const Shape *batches[] = {&batchA, &batchB};
  const int64_t bytes = static_cast<int64_t>(sizeOf(out.dtype()));
  auto *to = static_cast<unsigned char *>(out.raw());
  BroadcastWalk walk(batchShape(out.shape()), batches);
  do {
    for (int64_t i = 0; i < walk.runLength(); ++i) {
      int64_t indexA = walk.offset(0) + i * walk.strides()[0];
      int64_t indexB = walk.offset(1) + i * walk.strides()[1];
      multiply(p, static_cast<const unsigned char *>(a.raw()) + indexA * p.m * p.k * bytes,
               static_cast<const unsigned char *>(b.raw()) + indexB * p.k * p.n * bytes, to);
      to += p.m * p.n * bytes;
    }
  } while (walk.next());
}

Status runMatmul(KernelCall &call, MultiplyFn multiply, ConjugateFn conjugate) {
  Tensor &out = call.output(0);
  if (out.elements() == 0)
    return okStatus();
  const bool adjointA = call.attr(kAdjointA).i != 0, adjointB = call.attr(kAdjointB).i != 0;
  SLUICE_ASSIGN_OR_RETURN(Tensor a, resolveOperand(call.input(0), adjointA, conjugate));
  SLUICE_ASSIGN_OR_RETURN(Tensor b, resolveOperand(call.input(1), adjointB, conjugate));
  MatrixProduct p{};
  p.transposeA = adjointA || call.attr(kTransposeA).i != 0;
  p.transposeB = adjointB || call.attr(kTransposeB).i != 0;
  MatrixDims left(a.shape(), p.transposeA);
  p.m = left.rows;
  p.k = left.columns;
  p.n = MatrixDims(b.shape(), p.transposeB).columns;
  if (p.k == 0) // all bits zero is zero in every element type
    std::memset(out.raw(), 0, out.bytes());
  else
    multiplyBatches(p, a, b, out, multiply);
  return okStatus();
}

template <typename T> constexpr MultiplyFn multiplyFor() {
  if constexpr (std::is_floating_point_v<T> || kIsComplex<T>)
    return multiplyFast<T>;
  else
    return multiplyPlainly<T>;
}
template <typename T> constexpr ConjugateFn conjugateFor() {
  if constexpr (kIsComplex<T>)
    return conjugateElements<T>;
  else
    return nullptr;
}

template <typename T> Status run(KernelCall &call) {
  return runMatmul(call, multiplyFor<T>(), conjugateFor<T>());
}
template <typename T> constexpr Kernel nd_matmul_kernel() {
  return {matmulShapeRule, run<T>, Kernel::kNone, nullptr, matmulWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(nd_matmul, NUMBER)

} // namespace sluice::rt
