// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the runtime that compiled codelets call.
#include "runtime/codelet/support.h"

#include "runtime/kernels/math_functions.h"
#include "runtime/kernels/matmul_real.h"
#include "runtime/kernels/reducers.h"

namespace sluice::rt {
namespace {

template <typename T> MatrixView<T> viewOf(const T *data, int64_t rowStride, bool transposed) {
  const MatrixView<T> view{data, rowStride, 1};
  return transposed ? view.transposed() : view;
}

void reduce(const void *in, const int64_t *dims, int32_t rank, uint32_t axes, void *out,
            const Reducer &reducer) {
  reduceAxes({dims, static_cast<size_t>(rank)}, AxisSet(axes), in, out, reducer);
}

// Which reducer is behind an op.
template <typename T> using reduce_sum = ReducerOf<Sum<Compute<T>>, T>;
template <typename T> using reduce_mean = ReducerOf<Mean<Compute<T>>, T>;
template <typename T> using reduce_prod = ReducerOf<Prod<Compute<T>>, T>;
template <typename T> using reduce_max = ReducerOf<Max<Compute<T>>, T>;
template <typename T> using reduce_min = ReducerOf<Min<Compute<T>>, T>;
template <typename T> using reduce_all = ReducerOf<All<Compute<T>>, T>;
template <typename T> using reduce_any = ReducerOf<Any<Compute<T>>, T>;

} // namespace
} // namespace sluice::rt

using namespace sluice::rt;

#define SLUICE_DEFINE_PRODUCTS(T, N)                                                               \
  void sluice_gemm_##N(int64_t m, int64_t n, int64_t k, const T *a, int64_t lda,                   \
                       int32_t transposeA, const T *b, int64_t ldb, int32_t transposeB, T *c,      \
                       int64_t ldc, int32_t accumulate) {                                          \
    multiplyMatrices<T>({m, n, k}, viewOf(a, lda, transposeA), viewOf(b, ldb, transposeB), c, ldc, \
                        accumulate);                                                               \
  }                                                                                                \
  int64_t sluice_packed_bytes_##N(int64_t k, int64_t n) {                                          \
    return packedElements<T>(k, n) * static_cast<int64_t>(sizeof(T));                              \
  }                                                                                                \
  void sluice_pack_b_##N(int64_t k, int64_t n, const T *b, int64_t ldb, int32_t transposeB,        \
                         T *packed) {                                                              \
    packRight<T>(k, n, viewOf(b, ldb, transposeB), packed);                                        \
  }                                                                                                \
  void sluice_gemm_packed_##N(int64_t m, int64_t n, int64_t k, const T *a, int64_t lda,            \
                              const T *packed, T *c, int64_t ldc, int32_t accumulate) {            \
    multiplyPacked<T>({m, n, k}, viewOf(a, lda, false), packed, c, ldc, accumulate);               \
  }
SLUICE_DEFINE_PRODUCTS(float, f32)
SLUICE_DEFINE_PRODUCTS(double, f64)

#define SLUICE_DEFINE_REDUCTION(OP, KEY, E, N)                                                     \
  void sluice_##OP##_##N(const void *in, const int64_t *dims, int32_t rank, uint32_t axes,         \
                         void *out) {                                                              \
    reduce(in, dims, rank, axes, out, OP<CppTypeOf<DType::E>::type>::reducer);                     \
  }
#define SLUICE_DEFINE_REDUCTIONS(OP, SET)                                                          \
  SLUICE_EXPAND_KERNEL_SET_##SET(SLUICE_DEFINE_REDUCTION, OP, 0)
SLUICE_CODELET_REDUCTIONS(SLUICE_DEFINE_REDUCTIONS)

#define SLUICE_DEFINE_FUNCTION(NAME, STRUCT, T, N)                                                 \
  T sluice_math_##NAME##_##N(T x) { return STRUCT::apply(x); }
#define SLUICE_DEFINE_FUNCTION_OF_TWO(NAME, STRUCT, T, N)                                          \
  T sluice_math_##NAME##_##N(T x, T y) { return STRUCT::apply(x, y); }
SLUICE_CODELET_FUNCTIONS(SLUICE_DEFINE_FUNCTION, float, f32)
SLUICE_CODELET_FUNCTIONS(SLUICE_DEFINE_FUNCTION, double, f64)
SLUICE_CODELET_FUNCTIONS_OF_TWO(SLUICE_DEFINE_FUNCTION_OF_TWO, float, f32)
SLUICE_CODELET_FUNCTIONS_OF_TWO(SLUICE_DEFINE_FUNCTION_OF_TWO, double, f64)
