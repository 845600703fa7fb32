// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices, with broadcasting over leading dims.
//
// Every element of a product of floats is one chain of fused multiplications and additions over
// rising k, so its bits depend on its row and its column only.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/broadcast.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/matmul_kept.h"
#include "runtime/kernels/matmul_shape.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {
namespace {

struct MatrixProduct {
  int64_t m, n, k;
  bool transposeA, transposeB;
  bool conjugateA, conjugateB; // of complex numbers
  Buffer *bufferA, *bufferB;   // of single matrices

  ProductDims dims() const { return {m, n, k}; }
  template <typename T> MatrixView<T> left(const void *a) const {
    MatrixView<T> view{static_cast<const T *>(a), k, 1}, columns{view.data, m, 1};
    return transposeA ? columns.transposed() : view;
  }
  template <typename T> MatrixView<T> right(const void *b) const {
    MatrixView<T> view{static_cast<const T *>(b), n, 1}, columns{view.data, k, 1};
    return transposeB ? columns.transposed() : view;
  }
};

// So many multiplications are a unit of cost (runtime/base/pieces.h), at the speed of f32; and what
// a product takes beside them. Products that cost more are split themselves.
constexpr int64_t kProductsOfCost = 8, kCostOfProduct = 128, kWorthSplitting = 4 * kCostOfPiece;

// out is row-major m x n.
using MultiplyFn = void (*)(const MatrixProduct &p, const void *a, const void *b, void *out);

// A strip of a row at a time. For types that are not worth more.
template <typename T>
void multiplyIntegers(const MatrixProduct &p, const void *left, const void *right, void *out) {
  constexpr int64_t kStrip = 64;
  const auto a = p.left<T>(left), b = p.right<T>(right);
  auto *o = static_cast<T *>(out);
  const int64_t strips = (p.n + kStrip - 1) / kStrip;
  forPieces(p.m * strips, costOfAll(p.k, kStrip * sizeof(T)), [=](int64_t begin, int64_t end) {
    for (; begin < end; ++begin) {
      const int64_t i = begin / strips, j = begin % strips * kStrip;
      const int64_t width = std::min(kStrip, p.n - j);
      T acc[kStrip] = {};
      for (int64_t x = 0; x < p.k; ++x) {
        const T factor = *a.at(i, x).data;
        const T *row = b.at(x, j).data;
        for (int64_t c = 0; c < width; ++c)
          acc[c] = wrapAdd(acc[c], wrapMul(factor, row[c * b.columnStride]));
      }
      for (int64_t c = 0; c < width; ++c)
        o[i * p.n + j + c] = acc[c];
    }
  });
}

template <typename T>
void multiplyFloats(const MatrixProduct &p, const void *a, const void *b, void *out) {
  multiplyKeeping<T>(p.dims(), {p.left<T>(a), p.bufferA}, {p.right<T>(b), p.bufferB},
                     static_cast<T *>(out), p.n, false);
}

// The real or the imaginary parts of a matrix.
template <typename T> MatrixView<T> partOf(MatrixView<std::complex<T>> x, bool imaginary) {
  return {reinterpret_cast<const T *>(x.data) + imaginary, 2 * x.rowStride, 2 * x.columnStride};
}
// sum = (negative ? -1 : 1) * a b + c d; the second chain goes on where the first one ended.
template <typename T>
void multiplyTwice(ProductDims dims, MatrixView<T> a, MatrixView<T> b, bool negative,
                   MatrixView<T> c, MatrixView<T> d, T *sum) {
  multiplyMatrices<T>(dims, a, b, sum, dims.n, false);
  if (negative)
    for (int64_t i = 0; i < dims.m * dims.n; ++i)
      sum[i] = -sum[i];
  multiplyMatrices<T>(dims, c, d, sum, dims.n, true);
}

// Four products of real matrices, some rows at a time.
template <typename T>
void multiplyComplex(const MatrixProduct &p, const void *left, const void *right, void *out) {
  constexpr int64_t kRows = 128;
  const auto b = p.right<std::complex<T>>(right);
  const auto realB = partOf(b, false), imaginaryB = partOf(b, true);
  std::vector<T> real(static_cast<size_t>(std::min(kRows, p.m) * p.n)), imaginary(real.size());
  for (int64_t row = 0; row < p.m && !Cancellation::requestedHere(); row += kRows) {
    const ProductDims dims{std::min(kRows, p.m - row), p.n, p.k};
    const auto a = p.left<std::complex<T>>(left).at(row, 0);
    const auto realA = partOf(a, false), imaginaryA = partOf(a, true);
    multiplyTwice(dims, imaginaryA, imaginaryB, p.conjugateA == p.conjugateB, realA, realB,
                  real.data());
    // With one operand conjugated, its part comes first; with both, the sum changes its sign.
    const bool first = p.conjugateA;
    multiplyTwice(dims, first ? imaginaryA : realA, first ? realB : imaginaryB,
                  p.conjugateA != p.conjugateB, first ? realA : imaginaryA,
                  first ? imaginaryB : realB, imaginary.data());
    const T sign = p.conjugateA && p.conjugateB ? T(-1) : T(1);
    auto *o = static_cast<std::complex<T> *>(out) + row * p.n;
    for (int64_t i = 0; i < dims.m * dims.n; ++i)
      o[i] = {real[static_cast<size_t>(i)], sign * imaginary[static_cast<size_t>(i)]};
  }
}

// One after the other if each is split, else in pieces of several products.
void multiplyBatches(const MatrixProduct &p, const Tensor &a, const Tensor &b, Tensor &out,
                     MultiplyFn multiply) {
  const Shape batchA = batchShape(a.shape()), batchB = batchShape(b.shape()),
              batchOut = batchShape(out.shape());
  const Shape *batches[] = {&batchA, &batchB};
  const int64_t bytes = static_cast<int64_t>(sizeOf(out.dtype()));
  auto multiplySome = [&](int64_t begin, int64_t end) {
    BroadcastWalk walk(batchOut, batches);
    for (int64_t i = begin == 0 ? 0 : walk.seek(begin); begin < end; ++begin) {
      const int64_t indexA = walk.offset(0) + i * walk.strides()[0];
      const int64_t indexB = walk.offset(1) + i * walk.strides()[1];
      multiply(p, static_cast<const unsigned char *>(a.raw()) + indexA * p.m * p.k * bytes,
               static_cast<const unsigned char *>(b.raw()) + indexB * p.k * p.n * bytes,
               static_cast<unsigned char *>(out.raw()) + begin * p.m * p.n * bytes);
      if (++i == walk.runLength()) {
        i = 0;
        walk.next();
      }
    }
  };
  const int64_t count = batchOut.elements();
  const int64_t cost = costOfAll(p.m * p.n, costOfAll(p.k, 1)) / kProductsOfCost + kCostOfProduct;
  if (cost < kWorthSplitting)
    return forPieces(count, cost, multiplySome);
  for (int64_t i = 0; i < count && !Cancellation::requestedHere(); ++i)
    multiplySome(i, i + 1);
}

bool isOneMatrix(const Tensor &x) { return batchShape(x.shape()).elements() == 1; }
Buffer *bufferOfMatrix(const Tensor &x) { return isOneMatrix(x) ? x.buffer() : nullptr; }

Status runMatmul(KernelCall &call, MultiplyFn multiply) {
  Tensor &out = call.output(0);
  if (out.elements() == 0)
    return okStatus();
  const Tensor &a = call.input(0), &b = call.input(1);
  MatrixProduct p{};
  attributes::nd::Matmul attributes(call);
  p.conjugateA = attributes.adjointLhs();
  p.conjugateB = attributes.adjointRhs();
  p.transposeA = p.conjugateA || attributes.transposeLhs();
  p.transposeB = p.conjugateB || attributes.transposeRhs();
  MatrixDims left(a.shape(), p.transposeA);
  p.m = left.rows;
  p.k = left.columns;
  p.n = MatrixDims(b.shape(), p.transposeB).columns;
  p.bufferA = bufferOfMatrix(a);
  p.bufferB = bufferOfMatrix(b);
  // Matrices that meet one right operand and lie one after the other are one of more rows.
  if (!p.transposeA && p.k > 0 && isOneMatrix(b)) {
    p.m = a.elements() / p.k;
    multiply(p, a.raw(), b.raw(), out.raw());
    return okStatus();
  }
  multiplyBatches(p, a, b, out, multiply);
  return okStatus();
}

template <typename T> constexpr MultiplyFn multiplyFor() {
  if constexpr (std::is_floating_point_v<T> || kIsSmallFloat<T>)
    return multiplyFloats<T>;
  else if constexpr (kIsComplex<T>)
    return multiplyComplex<typename T::value_type>;
  else
    return multiplyIntegers<T>;
}

template <typename T> Status run(KernelCall &call) { return runMatmul(call, multiplyFor<T>()); }
template <typename T> constexpr Kernel nd_matmul_kernel() {
  return {matmulShapeRule, run<T>, Kernel::kNone, nullptr, matmulWork};
}

} // namespace

SLUICE_DEFINE_KERNELS(nd_matmul, NUMBER)

} // namespace sluice::rt
