// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of rectangular sets of elements. Nearly every layout op is one such copy with its own
// strides: slicing, transposing, tiling, concatenating, padding, reversing, broadcasting.
#pragma once

#include "runtime/memory/tensor.h"

namespace sluice::rt {

// Element (i0, i1, …) of a box is read at `from + Σ i·fromStride` and written at
// `to + Σ i·toStride`, all counted in elements. A from-stride of 0 repeats an element.
// The caller guarantees that every position lies within its tensor.
class Movement {
public:
  // A tile of the largest rank needs two dims for each of the tensor's.
  static constexpr int kMaxDims = 2 * Shape::kMaxRank;

  // Dims are appended outermost first; neighbours that step alike are joined.
  void addDim(int64_t size, int64_t fromStride, int64_t toStride);
  void startAt(int64_t from, int64_t to) {
    from_ = from;
    to_ = to;
  }
  // Both tensors have the same dtype. UNIMPLEMENTED for handles, which no layout op moves.
  Status run(const Tensor &from, Tensor &to) const;

private:
  struct Dim {
    int64_t size, from, to;
  };
  template <typename E> void copy(const E *from, E *to) const;
  template <typename E> void copyRange(const E *from, E *to, int64_t begin, int64_t end) const;

  int rank_ = 0;
  bool empty_ = false;
  int64_t from_ = 0, to_ = 0;
  Dim dims_[kMaxDims];
};

// Row-major strides, in elements, of the dims of a complete shape.
struct Strides {
  explicit Strides(const Shape &shape) {
    int64_t stride = 1;
    for (int i = shape.rank() - 1; i >= 0; --i) {
      of[i] = stride;
      // Overflows only if another dim is 0, and then no stride is used.
      (void)__builtin_mul_overflow(stride, shape.dim(i), &stride);
    }
  }
  int64_t operator[](int i) const { return of[i]; }

private:
  int64_t of[Shape::kMaxRank];
};

// Copies `count` consecutive elements; the dtypes are equal.
Status copyElements(const Tensor &from, int64_t fromIndex, Tensor &to, int64_t toIndex,
                    int64_t count);
// Every element of `to` becomes the first of `value`.
Status fillElements(const Tensor &value, Tensor &to);
// All bits 0, or empty strings.
void clearElements(Tensor &tensor);

} // namespace sluice::rt
