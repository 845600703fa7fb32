// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the runtime that compiled codelets call. Each gives the bits of the plain kernel of
// the same name, because it is made of the same code.
//
// Called under the floating-point mode of abi.h; by any number of threads at once. Nothing but
// lists fails. Nothing but their rows is allocated, memory that each thread keeps, which its first
// product or reduction allocates, and what is kept beside operands (runtime/codelet/operands.h).
#pragma once

#include "runtime/kernels/declare.h"
#include "runtime/state/list_rows.h"

#include <cstdint>

#define SLUICE_CODELET_CALL extern "C" __attribute__((visibility("default")))

// Matrix products: c (m x n) = a (m x k) b (k x n), or c + a b if `accumulate` is not 0: the chain
// of every element goes on where it stands in c. Rows of c are ldc elements apart, those of a and b
// lda and ldb elements, as they are in memory: if transposed, k rows of a and n rows of b. By what
// is packed, chains go on from those in `onto`, which may be c, or null: then they begin with 0.
//
// A right operand that is used often is packed once, by pack_b, to memory of packed_bytes, aligned
// to an element. That of 16-bit floats is an f32 then. Chains of theirs cannot go on, since they
// are rounded in c: `accumulate` is 0, `onto` null. keep_b gives what was kept of an operand of the
// codelet since an earlier call, which stays until the codelet returns; else it packs to the memory
// that it gets.
//
// Nothing writes to a right operand that lies within an operand of the codelet.
#define SLUICE_DECLARE_PRODUCTS(T, PACKED, N)                                                      \
  SLUICE_CODELET_CALL void sluice_gemm_##N(                                                        \
      int64_t m, int64_t n, int64_t k, const T *a, int64_t lda, int32_t transposeA, const T *b,    \
      int64_t ldb, int32_t transposeB, T *c, int64_t ldc, int32_t accumulate);                     \
  SLUICE_CODELET_CALL int64_t sluice_packed_bytes_##N(int64_t k, int64_t n);                       \
  SLUICE_CODELET_CALL void sluice_pack_b_##N(int64_t k, int64_t n, const T *b, int64_t ldb,        \
                                             int32_t transposeB, PACKED *packed);                  \
  SLUICE_CODELET_CALL const PACKED *sluice_keep_b_##N(                                             \
      int64_t k, int64_t n, const T *b, int64_t ldb, int32_t transposeB, PACKED *room);            \
  SLUICE_CODELET_CALL void sluice_gemm_packed_##N(                                                 \
      int64_t m, int64_t n, int64_t k, const T *a, int64_t lda, const PACKED *packed,              \
      const T *onto, int64_t ldonto, T *c, int64_t ldc);
SLUICE_DECLARE_PRODUCTS(float, float, f32)
SLUICE_DECLARE_PRODUCTS(double, double, f64)
SLUICE_DECLARE_PRODUCTS(::sluice::rt::Half, float, f16)
SLUICE_DECLARE_PRODUCTS(::sluice::rt::BFloat16, float, bf16)
#undef SLUICE_DECLARE_PRODUCTS

// Products onto a sum c that may come later. The rows and columns of some are kept, in memory of
// kept_bytes that begins with a 0 of 64 bits, until they make a product of kSluiceProductRows; what
// is left then is added by gemm_kept. Nothing else looks at c meanwhile.
enum : int64_t { kSluiceProductRows = 256 };
#define SLUICE_DECLARE_KEPT_PRODUCTS(T, N)                                                         \
  SLUICE_CODELET_CALL int64_t sluice_kept_bytes_##N(int64_t m, int64_t n);                         \
  SLUICE_CODELET_CALL void sluice_gemm_keep_##N(                                                   \
      int64_t m, int64_t n, int64_t k, const T *a, int64_t lda, int32_t transposeA, const T *b,    \
      int64_t ldb, int32_t transposeB, T *c, int64_t ldc, void *kept);                             \
  SLUICE_CODELET_CALL void sluice_gemm_kept_##N(int64_t m, int64_t n, T *c, int64_t ldc,           \
                                                void *kept);
SLUICE_DECLARE_KEPT_PRODUCTS(float, f32)
SLUICE_DECLARE_KEPT_PRODUCTS(double, f64)
#undef SLUICE_DECLARE_KEPT_PRODUCTS

// Reductions of a row-major tensor over the axes whose bits are set in `axes`:
// sluice_nd_reduce_sum_f32, … for every kernel of that name. `out` has the other axes. At most 32
// dims.
#define SLUICE_DECLARE_REDUCTION(OP, KEY, E, N)                                                    \
  SLUICE_CODELET_CALL void sluice_nd_##OP##_##N(const void *in, const int64_t *dims, int32_t rank, \
                                                uint32_t axes, void *out);
#define SLUICE_REDUCTION(OP, REDUCTION, SET)                                                       \
  SLUICE_EXPAND_KERNEL_SET_##SET(SLUICE_DECLARE_REDUCTION, OP, 0)
#include "runtime/elements/reductions.def"
#undef SLUICE_DECLARE_REDUCTION

// Iterations of loops that wait for nothing, in boxes that several threads share: ranges of every
// loop's variable, the outermost first, as a begin and how many. `operations` says how much one
// iteration of the innermost is, as the compiler counts. Once the call is cancelled, boxes that
// have not begun are left out.
enum : int64_t {
  kSluiceMostLoops = 8,
  // Of a box: some 10 to 25 microseconds. Less than two of them is not worth a second thread.
  kSluiceBoxOperations = int64_t{1} << 20
};
typedef void (*SluiceBoxFn)(const void *context, const int64_t *ranges);
SLUICE_CODELET_CALL void sluice_run_boxes(int64_t depth, const int64_t *sizes, int64_t operations,
                                          SluiceBoxFn run, const void *context);

// Element functions of one operand or two: sluice_nd_sin_f64, … for those that need the C library.
#define SLUICE_LIBRARY(OP, FUNCTION, OPERANDS)                                                     \
  SLUICE_LIBRARY_OF_##OPERANDS(OP, float, f32) SLUICE_LIBRARY_OF_##OPERANDS(OP, double, f64)
#define SLUICE_LIBRARY_OF_1(OP, T, N) SLUICE_CODELET_CALL T sluice_nd_##OP##_##N(T x);
#define SLUICE_LIBRARY_OF_2(OP, T, N) SLUICE_CODELET_CALL T sluice_nd_##OP##_##N(T x, T y);
#include "runtime/elements/elements.def"
#undef SLUICE_LIBRARY_OF_1
#undef SLUICE_LIBRARY_OF_2

// Room for so many rows of a list, at least, which may move its rows and states. Not 0 when there
// is no memory, or no list may be so long.
SLUICE_CODELET_CALL int32_t sluice_list_reserve(SluiceList *list, int64_t rows);
// So many empty rows instead of what there was; errors as above.
SLUICE_CODELET_CALL int32_t sluice_list_reset(SluiceList *list, int64_t rows);
// Room for so many rows, of which a push makes the last. 1 when the list is full.
SLUICE_CODELET_CALL int32_t sluice_list_extend(SluiceList *list, int64_t rows);
// The first so many rows, and empty ones where there are fewer; errors as of sluice_list_reserve.
// `list` knows the length before, and learns the new one.
SLUICE_CODELET_CALL int32_t sluice_list_resize(SluiceList *list, int64_t rows);
// From so many rows on the list is full; below 0 it never is.
SLUICE_CODELET_CALL void sluice_list_limit(SluiceList *list, int64_t rows);
// Whether any of the first so many rows is set.
SLUICE_CODELET_CALL int32_t sluice_list_any_set(const uint8_t *states, int64_t rows);
