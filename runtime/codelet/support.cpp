// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the runtime that compiled codelets call.
#include "runtime/codelet/support.h"

#include "runtime/codelet/operands.h"
#include "runtime/elements/division.h"
#include "runtime/elements/functions.h"
#include "runtime/kernels/matmul_kept.h"
#include "runtime/kernels/reducers.h"
#include "runtime/state/list.h"

#include <algorithm>

namespace sluice::rt {
namespace {

template <typename T> MatrixView<T> viewOf(const T *data, int64_t rowStride, bool transposed) {
  const MatrixView<T> view{data, rowStride, 1};
  return transposed ? view.transposed() : view;
}

template <typename T> HeldMatrix<T> held(bool isLookedFor, MatrixView<T> view) {
  return {view, isLookedFor ? CodeletOperands::bufferWith(view.data) : nullptr};
}

void reduce(const void *in, const int64_t *dims, int32_t rank, uint32_t axes, void *out,
            const Reducer &reducer) {
  reduceAxes({dims, static_cast<size_t>(rank)}, AxisSet(axes), in, out, reducer);
}

} // namespace
} // namespace sluice::rt

using namespace sluice::rt;

// Both operands of a product of vectors are looked for, since either may be the matrix.
#define SLUICE_DEFINE_PRODUCTS(T, PACKED, N)                                                       \
  void sluice_gemm_##N(int64_t m, int64_t n, int64_t k, const T *a, int64_t lda,                   \
                       int32_t transposeA, const T *b, int64_t ldb, int32_t transposeB, T *c,      \
                       int64_t ldc, int32_t accumulate) {                                          \
    const bool isHeld = isWorthKeeping({m, n, k});                                                 \
    multiplyKeeping<T>({m, n, k}, held(isHeld && n == 1, viewOf(a, lda, transposeA)),              \
                       held(isHeld, viewOf(b, ldb, transposeB)), c, ldc, accumulate);              \
  }                                                                                                \
  int64_t sluice_packed_bytes_##N(int64_t k, int64_t n) {                                          \
    return packedElements<PACKED>(k, n) * static_cast<int64_t>(sizeof(PACKED));                    \
  }                                                                                                \
  const PACKED *sluice_keep_b_##N(int64_t k, int64_t n, const T *b, int64_t ldb,                   \
                                  int32_t transposeB, PACKED *room) {                              \
    const auto view = viewOf(b, ldb, transposeB);                                                  \
    KeptForms::Use form = keptForMany<T>(k, n, held(true, view));                                  \
    if (!form) {                                                                                   \
      sluice_pack_b_##N(k, n, b, ldb, transposeB, room);                                           \
      return room;                                                                                 \
    }                                                                                              \
    auto *packed = static_cast<const PACKED *>(form.data());                                       \
    CodeletOperands::use(std::move(form));                                                         \
    return packed;                                                                                 \
  }
SLUICE_DEFINE_PRODUCTS(float, float, f32)
SLUICE_DEFINE_PRODUCTS(double, double, f64)
SLUICE_DEFINE_PRODUCTS(Half, float, f16)
SLUICE_DEFINE_PRODUCTS(BFloat16, float, bf16)

#define SLUICE_DEFINE_PACKED_PRODUCTS(T, N)                                                        \
  void sluice_pack_b_##N(int64_t k, int64_t n, const T *b, int64_t ldb, int32_t transposeB,        \
                         T *packed) {                                                              \
    packRight<T>(k, n, viewOf(b, ldb, transposeB), packed);                                        \
  }                                                                                                \
  void sluice_gemm_packed_##N(int64_t m, int64_t n, int64_t k, const T *a, int64_t lda,            \
                              const T *packed, const T *onto, int64_t ldonto, T *c, int64_t ldc) { \
    multiplyPacked<T>({m, n, k}, viewOf(a, lda, false), packed, c, ldc, {onto, ldonto});           \
  }
SLUICE_DEFINE_PACKED_PRODUCTS(float, f32)
SLUICE_DEFINE_PACKED_PRODUCTS(double, f64)

#define SLUICE_DEFINE_PACKED_SMALL_PRODUCTS(T, N)                                                  \
  void sluice_pack_b_##N(int64_t k, int64_t n, const T *b, int64_t ldb, int32_t transposeB,        \
                         float *packed) {                                                          \
    packRightSmallFloats<T>(k, n, viewOf(b, ldb, transposeB), packed);                             \
  }                                                                                                \
  void sluice_gemm_packed_##N(int64_t m, int64_t n, int64_t k, const T *a, int64_t lda,            \
                              const float *packed, const T *, int64_t, T *c, int64_t ldc) {        \
    multiplyPackedSmallFloats<T>({m, n, k}, viewOf(a, lda, false), packed, c, ldc);                \
  }
SLUICE_DEFINE_PACKED_SMALL_PRODUCTS(Half, f16)
SLUICE_DEFINE_PACKED_SMALL_PRODUCTS(BFloat16, bf16)

#define SLUICE_DEFINE_REDUCTION(OP, REDUCTION, E, N)                                               \
  void sluice_nd_##OP##_##N(const void *in, const int64_t *dims, int32_t rank, uint32_t axes,      \
                            void *out) {                                                           \
    using Reducers = ReducerOf<element::REDUCTION, CppTypeOf<DType::E>::type>;                     \
    reduce(in, dims, rank, axes, out, Reducers::reducer);                                          \
  }
#define SLUICE_REDUCTION(OP, REDUCTION, SET)                                                       \
  SLUICE_EXPAND_KERNEL_SET_##SET(SLUICE_DEFINE_REDUCTION, OP, REDUCTION)
#include "runtime/elements/reductions.def"

int32_t sluice_list_reserve(SluiceList *list, int64_t rows) { return List::reserve(*list, rows); }
int32_t sluice_list_reset(SluiceList *list, int64_t rows) { return List::reset(*list, rows); }
int32_t sluice_list_extend(SluiceList *list, int64_t rows) {
  return List::reserve(*list, rows, /*forPush=*/true);
}
int32_t sluice_list_resize(SluiceList *list, int64_t rows) { return List::resizeRows(*list, rows); }
void sluice_list_limit(SluiceList *list, int64_t rows) {
  static_cast<List *>(list->owner)->declareLimit(rows);
}
int32_t sluice_list_any_set(const uint8_t *states, int64_t rows) {
  return std::any_of(states, states + rows, [](uint8_t state) {
    return state == kSluiceRowSet || state == kSluiceRowZeros;
  });
}

#define SLUICE_LIBRARY(OP, FUNCTION, OPERANDS)                                                     \
  SLUICE_LIBRARY_OF_##OPERANDS(OP, FUNCTION, float, f32)                                           \
      SLUICE_LIBRARY_OF_##OPERANDS(OP, FUNCTION, double, f64)
#define SLUICE_LIBRARY_OF_1(OP, FUNCTION, T, N)                                                    \
  T sluice_nd_##OP##_##N(T x) { return element::FUNCTION::apply(x); }
#define SLUICE_LIBRARY_OF_2(OP, FUNCTION, T, N)                                                    \
  T sluice_nd_##OP##_##N(T x, T y) { return element::FUNCTION::apply(x, y); }
#include "runtime/elements/elements.def"
