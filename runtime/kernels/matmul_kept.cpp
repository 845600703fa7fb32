// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When packing for later products pays.
#include "runtime/kernels/matmul_kept.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/dtype.h"
#include "runtime/base/exit_codes.h"
#include "runtime/kernels/matmul_level.h"
#include "runtime/memory/guard_pages.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

namespace sluice::rt {
namespace {

// Smaller matrices, and products, are not worth a look at what is kept.
constexpr int64_t kLeastElements = 4096, kLeastMultiplications = 1 << 16;
// From so many rows on, a product packs its right operand anyway (matmul_blocks.h).
constexpr int64_t kRowsThatPack = 12;

template <typename T>
void pack(int64_t k, int64_t n, MatrixView<T> b, typename PackedAs<T>::Type *packed) {
  if constexpr (std::is_same_v<T, typename PackedAs<T>::Type>)
    packRight<T>(k, n, b, packed);
  else
    packRightSmallFloats<T>(k, n, b, packed);
}

template <typename T> uint64_t packedBytes(int64_t k, int64_t n) {
  using Packed = typename PackedAs<T>::Type;
  return static_cast<uint64_t>(packedElements<Packed>(k, n)) * sizeof(Packed);
}

// Runs that look for faults pay for a look at each use.
template <typename T>
void requireCurrent(int64_t k, int64_t n, MatrixView<T> b, const void *packed) {
  std::vector<typename PackedAs<T>::Type> expected(packedBytes<T>(k, n) / sizeof(expected[0]));
  std::memcpy(expected.data(), packed, packedBytes<T>(k, n)); // there may be more room than needed
  pack<T>(k, n, b, expected.data());
  if (std::memcmp(expected.data(), packed, packedBytes<T>(k, n)) == 0)
    return;
  std::fprintf(stderr, "fatal: a packed matrix was used after its elements had changed\n");
  std::_Exit(static_cast<int>(ExitCode::kInternalError));
}

template <typename T>
KeptForms::Use keptForm(int64_t k, int64_t n, HeldMatrix<T> held, int usesBefore) {
  const auto [b, buffer] = held;
  if (!buffer)
    return {};
  const bool isChecked = buffersAreGuarded();
  const int64_t offset =
      reinterpret_cast<const char *>(b.data) - static_cast<const char *>(buffer->data());
  const uint32_t type =
      static_cast<uint32_t>(DTypeOf<T>::value) << 8 | static_cast<uint32_t>(productLevel());
  const FormKey key{offset, k, n, b.rowStride, b.columnStride, type};
  KeptForms::Use form = KeptForms::find(
      *buffer, key, packedBytes<T>(k, n), isChecked ? 0 : usesBefore, [&](void *to) {
        CancellationScope toItsEnd(nullptr); // later calls use the form as well
        pack<T>(k, n, b, static_cast<typename PackedAs<T>::Type *>(to));
      });
  if (form && isChecked)
    requireCurrent<T>(k, n, b, form.data());
  return form;
}

// Rows of elements side by side are read where they lie by so few rows that packing costs as much
// as 2 to 20 later products gain; what packs anyway gains at once.
template <typename T> int usesBefore(int64_t m, MatrixView<T> b) {
  return m >= kRowsThatPack || b.columnStride != 1 ? 1 : 6;
}

} // namespace

bool isWorthKeeping(ProductDims dims) {
  if (dims.k == 0)
    return false;
  return buffersAreGuarded() || (dims.k * std::max(dims.m, dims.n) >= kLeastElements &&
                                 dims.m * dims.n * dims.k >= kLeastMultiplications);
}

template <typename T>
void multiplyKeeping(ProductDims dims, HeldMatrix<T> a, HeldMatrix<T> b, T *c, int64_t rowC,
                     bool accumulate) {
  using Packed = typename PackedAs<T>::Type;
  if (dims.n == 1 && rowC == 1 && dims.m > 1) // as multiplyMatrices does
    return multiplyKeeping<T>({1, dims.m, dims.k}, b.transposed(), a.transposed(), c, dims.m,
                              accumulate);
  KeptForms::Use form;
  if (b.buffer && isWorthKeeping(dims))
    form = keptForm<T>(dims.k, dims.n, b, usesBefore(dims.m, b.view));
  if constexpr (std::is_same_v<T, Packed>) {
    if (form)
      multiplyPacked<T>(dims, a.view, static_cast<const T *>(form.data()), c, rowC,
                        accumulate ? Begins<T>{c, rowC} : Begins<T>{});
    else
      multiplyMatrices<T>(dims, a.view, b.view, c, rowC, accumulate);
  } else {
    if (form)
      multiplyPackedSmallFloats<T>(dims, a.view, static_cast<const Packed *>(form.data()), c, rowC);
    else
      multiplySmallFloats<T>(dims, a.view, b.view, c, rowC);
  }
}

template <typename T> KeptForms::Use keptForMany(int64_t k, int64_t n, HeldMatrix<T> b) {
  if (!buffersAreGuarded() && k * n < kLeastElements)
    return {};
  return keptForm<T>(k, n, b, 1);
}

#define SLUICE_DEFINE_PRODUCTS(T)                                                                  \
  template void multiplyKeeping<T>(ProductDims, HeldMatrix<T>, HeldMatrix<T>, T *, int64_t, bool); \
  template KeptForms::Use keptForMany<T>(int64_t, int64_t, HeldMatrix<T>);
SLUICE_DEFINE_PRODUCTS(float)
SLUICE_DEFINE_PRODUCTS(double)
SLUICE_DEFINE_PRODUCTS(Half)
SLUICE_DEFINE_PRODUCTS(BFloat16)
#undef SLUICE_DEFINE_PRODUCTS

} // namespace sluice::rt
