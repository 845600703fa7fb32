// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products whose right operand, or left one of a vector, is kept packed from one to the next,
// beside the buffer that holds it, for as long as nobody writes to that (memory/kept_forms.h). The
// same bits come out as without.
#pragma once

#include "runtime/kernels/matmul_small.h"
#include "runtime/memory/kept_forms.h"

namespace sluice::rt {

// What elements are packed as.
template <typename T> struct PackedAs {
  using Type = float;
};
template <> struct PackedAs<double> {
  using Type = double;
};

// An operand, and the buffer that holds its elements and is not written to meanwhile: null where
// nobody knows, or where a look would be in vain.
template <typename T> struct HeldMatrix {
  MatrixView<T> view;
  Buffer *buffer = nullptr;
  HeldMatrix transposed() const { return {view.transposed(), buffer}; }
};

// c becomes a b, or c + a b; 16-bit floats do not accumulate.
template <typename T>
void multiplyKeeping(ProductDims dims, HeldMatrix<T> a, HeldMatrix<T> b, T *c, int64_t rowC,
                     bool accumulate);

// For many products with b: its packed form, if that is kept.
template <typename T> KeptForms::Use keptForMany(int64_t k, int64_t n, HeldMatrix<T> b);

// Whether a product is worth knowing the buffers of its operands.
bool isWorthKeeping(ProductDims dims);

} // namespace sluice::rt
