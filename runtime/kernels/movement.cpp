// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rectangular copies by element size.
#include "runtime/kernels/movement.h"

namespace sluice::rt {

namespace {
// An element as plain bytes, so that one instance serves all dtypes of its size.
template <size_t N> struct Cell {
  unsigned char bytes[N];
};

// Whole rows without gaps go to memcpy; strings and gaps go one by one.
template <typename E>
void copyRow(const E *from, int64_t fromStride, E *to, int64_t toStride, int64_t count) {
  if constexpr (std::is_trivially_copyable_v<E>) {
    if (fromStride == 1 && toStride == 1) {
      std::memcpy(to, from, sizeof(E) * static_cast<size_t>(count));
      return;
    }
  }
  for (int64_t i = 0; i < count; ++i)
    to[i * toStride] = from[i * fromStride];
}

Status cannotMove(DType dtype) {
  return unimplemented("cannot move elements of type " + std::string(dtypeName(dtype)));
}
} // namespace

void Movement::addDim(int64_t size, int64_t fromStride, int64_t toStride) {
  if (size == 0)
    empty_ = true;
  if (size == 1 || empty_)
    return;
  if (rank_ > 0) {
    Dim &outer = dims_[rank_ - 1];
    int64_t fromSpan, toSpan, joined;
    if (!__builtin_mul_overflow(size, fromStride, &fromSpan) &&
        !__builtin_mul_overflow(size, toStride, &toSpan) && outer.from == fromSpan &&
        outer.to == toSpan && !__builtin_mul_overflow(outer.size, size, &joined)) {
      outer = {joined, fromStride, toStride};
      return;
    }
  }
  dims_[rank_++] = {size, fromStride, toStride};
}

template <typename E> void Movement::copy(const E *from, E *to) const {
  if (rank_ == 0) {
    *to = *from;
    return;
  }
  const Dim &row = dims_[rank_ - 1];
  int64_t index[kMaxDims];
  std::memset(index, 0, sizeof(int64_t) * static_cast<size_t>(rank_));
  for (;;) {
    copyRow(from, row.from, to, row.to, row.size);
    int d = rank_ - 2;
    for (; d >= 0; --d) {
      from += dims_[d].from;
      to += dims_[d].to;
      if (++index[d] < dims_[d].size)
        break;
      from -= dims_[d].from * dims_[d].size;
      to -= dims_[d].to * dims_[d].size;
      index[d] = 0;
    }
    if (d < 0)
      return;
  }
}

Status Movement::run(const Tensor &from, Tensor &to) const {
  if (empty_)
    return okStatus();
  if (from.dtype() == DType::kString) {
    copy(from.data<std::string>() + from_, to.data<std::string>() + to_);
    return okStatus();
  }
  if (!isPlain(from.dtype()))
    return cannotMove(from.dtype());
  switch (sizeOf(from.dtype())) {
#define SLUICE_CASE(N)                                                                             \
  case N:                                                                                          \
    copy(from.data<Cell<N>>() + from_, to.data<Cell<N>>() + to_);                                  \
    return okStatus();
    SLUICE_CASE(1)
    SLUICE_CASE(2)
    SLUICE_CASE(4)
    SLUICE_CASE(8)
    SLUICE_CASE(16)
#undef SLUICE_CASE
  }
  return cannotMove(from.dtype());
}

Status copyElements(const Tensor &from, int64_t fromIndex, Tensor &to, int64_t toIndex,
                    int64_t count) {
  if (from.dtype() == DType::kString) {
    copyRow(from.data<std::string>() + fromIndex, 1, to.data<std::string>() + toIndex, 1, count);
    return okStatus();
  }
  if (!isPlain(from.dtype()))
    return cannotMove(from.dtype());
  size_t size = sizeOf(from.dtype());
  std::memcpy(to.data<char>() + static_cast<size_t>(toIndex) * size,
              from.data<char>() + static_cast<size_t>(fromIndex) * size,
              static_cast<size_t>(count) * size);
  return okStatus();
}

Status fillElements(const Tensor &value, Tensor &to) {
  Movement fill;
  fill.addDim(to.elements(), 0, 1);
  return fill.run(value, to);
}

void clearElements(Tensor &tensor) {
  if (isPlain(tensor.dtype())) {
    std::memset(tensor.raw(), 0, tensor.bytes());
    return;
  }
  if (tensor.dtype() == DType::kString)
    for (int64_t i = 0, n = tensor.elements(); i < n; ++i)
      tensor.data<std::string>()[i].clear();
}

} // namespace sluice::rt
