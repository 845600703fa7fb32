// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rectangular copies by element size.
#include "runtime/kernels/movement.h"

#include "runtime/base/pieces.h"

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

// What an element costs; what lies apart, or is a string, more than its bytes.
template <typename E> constexpr int64_t costOfMoving(bool isNear) {
  if (!std::is_trivially_copyable_v<E>)
    return 128;
  return static_cast<int64_t>(sizeof(E)) + (isNear ? 0 : 8);
}
constexpr int64_t kCostOfRow = 32;

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

// Elements [begin, end) of the box, in row-major order.
template <typename E>
void Movement::copyRange(const E *from, E *to, int64_t begin, int64_t end) const {
  const Dim &row = dims_[rank_ - 1];
  int64_t index[kMaxDims], rest = 0, skipped = 0;
  std::memset(index, 0, sizeof(int64_t) * static_cast<size_t>(rank_));
  if (begin > 0) {
    rest = begin / row.size;
    skipped = begin % row.size;
  }
  for (int d = rank_ - 2; d >= 0 && rest > 0; --d) {
    index[d] = rest % dims_[d].size;
    rest /= dims_[d].size;
    from += dims_[d].from * index[d];
    to += dims_[d].to * index[d];
  }
  for (;;) {
    const int64_t n = std::min(row.size - skipped, end - begin);
    copyRow(from + skipped * row.from, row.from, to + skipped * row.to, row.to, n);
    skipped = 0;
    if ((begin += n) == end)
      return;
    for (int d = rank_ - 2; d >= 0; --d) {
      from += dims_[d].from;
      to += dims_[d].to;
      if (++index[d] < dims_[d].size)
        break;
      from -= dims_[d].from * dims_[d].size;
      to -= dims_[d].to * dims_[d].size;
      index[d] = 0;
    }
  }
}

template <typename E> void Movement::copy(const E *from, E *to) const {
  if (rank_ == 0) {
    *to = *from;
    return;
  }
  int64_t elements = 1;
  for (int d = 0; d < rank_; ++d)
    elements *= dims_[d].size;
  if (isOnePiece(elements, costOfMoving<E>(false) + kCostOfRow))
    return copyRange(from, to, 0, elements);
  const Dim &row = dims_[rank_ - 1];
  const bool isNear = row.from <= 1 && row.to == 1;
  forPieces(elements, costOfMoving<E>(isNear) + kCostOfRow / row.size,
            [&](int64_t begin, int64_t end) { copyRange(from, to, begin, end); });
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
    const std::string *strings = from.data<std::string>() + fromIndex;
    forPieces(count, costOfMoving<std::string>(true), [&](int64_t begin, int64_t end) {
      copyRow(strings + begin, 1, to.data<std::string>() + toIndex + begin, 1, end - begin);
    });
    return okStatus();
  }
  if (!isPlain(from.dtype()))
    return cannotMove(from.dtype());
  const size_t size = sizeOf(from.dtype()), bytes = static_cast<size_t>(count) * size;
  char *there = to.data<char>() + static_cast<size_t>(toIndex) * size;
  const char *here = from.data<char>() + static_cast<size_t>(fromIndex) * size;
  if (bytes <= kCostOfPiece)
    std::memcpy(there, here, bytes);
  else
    copyInPieces(there, here, bytes);
  return okStatus();
}

Status fillElements(const Tensor &value, Tensor &to) {
  Movement fill;
  fill.addDim(to.elements(), 0, 1);
  return fill.run(value, to);
}

void clearElements(Tensor &tensor) {
  if (isPlain(tensor.dtype())) {
    clearInPieces(tensor.raw(), tensor.bytes());
    return;
  }
  if (tensor.dtype() == DType::kString)
    forPieces(tensor.elements(), costOfMoving<std::string>(true), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        tensor.data<std::string>()[i].clear();
    });
}

} // namespace sluice::rt
