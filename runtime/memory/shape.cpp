// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape: storage and checked arithmetic.
#include "runtime/memory/shape.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

Shape::Shape(std::span<const int64_t> dims) {
  resize(static_cast<int>(dims.size()));
  std::copy(dims.begin(), dims.end(), data());
}

Shape Shape::unknownRank() {
  Shape s;
  s.rank_ = -1;
  return s;
}

Shape Shape::unknownDims(int rank) {
  Shape s;
  s.resize(rank);
  return s;
}

void Shape::copyHeap(const Shape &other) {
  heap_ = new int64_t[static_cast<size_t>(rank_)];
  std::memcpy(heap_, other.heap_, sizeof(int64_t) * static_cast<size_t>(rank_));
}

void Shape::resize(int rank) {
  int old = std::max(rank_, 0);
  if (rank > kInline && rank != rank_) {
    auto *grown = new int64_t[static_cast<size_t>(rank)];
    std::memcpy(grown, data(), sizeof(int64_t) * static_cast<size_t>(std::min(old, rank)));
    if (rank_ > kInline)
      delete[] heap_;
    heap_ = grown;
  } else if (rank <= kInline && rank_ > kInline) {
    int64_t *previous = heap_;
    std::memcpy(inline_, previous, sizeof(int64_t) * static_cast<size_t>(rank));
    delete[] previous;
  }
  rank_ = rank;
  for (int i = old; i < rank; ++i)
    data()[i] = kUnknown;
}

bool Shape::isComplete() const {
  if (rank_ < 0)
    return false;
  for (int64_t d : dims())
    if (d < 0)
      return false;
  return true;
}

int64_t Shape::multiplyDims() const {
  uint64_t n = 1; // unsigned: dims before a zero may overflow together
  for (int64_t d : dims())
    n *= static_cast<uint64_t>(d);
  return static_cast<int64_t>(n);
}

Result<int64_t> Shape::checkedElements() const {
  int64_t n = 1;
  bool zero = false;
  for (int64_t d : dims()) {
    if (d < 0)
      return invalidArgument("expected dims of at least 0 but got shape " + toString());
    if (d == 0)
      zero = true;
    else if (__builtin_mul_overflow(n, d, &n))
      return invalidArgument("element count of shape " + toString() + " overflows 64 bits");
  }
  return zero ? 0 : n;
}

bool Shape::compatibleWith(const Shape &other) const {
  if (rank_ < 0 || other.rank_ < 0)
    return true;
  if (rank_ != other.rank_)
    return false;
  for (int i = 0; i < rank_; ++i)
    if (dim(i) >= 0 && other.dim(i) >= 0 && dim(i) != other.dim(i))
      return false;
  return true;
}

bool Shape::operator==(const Shape &other) const {
  return rank_ == other.rank_ &&
         std::equal(dims().begin(), dims().end(), other.dims().begin(), other.dims().end());
}

std::string Shape::toString() const {
  if (rank_ < 0)
    return "<unknown>";
  std::string text = "[";
  for (int i = 0; i < rank_; ++i) {
    if (i)
      text += ",";
    text += dim(i) < 0 ? "?" : std::to_string(dim(i));
  }
  return text + "]";
}

} // namespace sluice::rt
