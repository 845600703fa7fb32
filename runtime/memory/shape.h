// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes, complete or partly known. One class serves shape rules at compile time, where dims or the
// rank may be unknown, and at run time, where everything is known.
#pragma once

#include "runtime/base/hot_inline.h"
#include "runtime/base/status.h"

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>

namespace sluice::rt {

class Shape {
public:
  static constexpr int64_t kUnknown = -1;
  static constexpr int kMaxRank = 254;

  // A scalar.
  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) : Shape(std::span(dims.begin(), dims.size())) {}
  explicit Shape(std::span<const int64_t> dims);
  static Shape unknownRank();
  static Shape unknownDims(int rank);
  SLUICE_HOT_INLINE Shape(const Shape &other) : rank_(other.rank_) { copyDims(other); }
  SLUICE_HOT_INLINE Shape(Shape &&other) noexcept : rank_(other.rank_) { moveDims(other); }
  SLUICE_HOT_INLINE Shape &operator=(const Shape &other) {
    if (this != &other) {
      releaseHeap();
      rank_ = other.rank_;
      copyDims(other);
    }
    return *this;
  }
  SLUICE_HOT_INLINE Shape &operator=(Shape &&other) noexcept {
    if (this != &other) {
      releaseHeap();
      rank_ = other.rank_;
      moveDims(other);
    }
    return *this;
  }
  SLUICE_HOT_INLINE ~Shape() { releaseHeap(); }

  bool hasRank() const { return rank_ >= 0; }
  // -1 if unknown.
  int rank() const { return rank_; }
  bool isScalar() const { return rank_ == 0; }
  int64_t dim(int i) const { return data()[i]; }
  void setDim(int i, int64_t size) { data()[i] = size; }
  // Dims that existed keep their sizes; new ones are unknown.
  void resize(int rank);
  void append(int64_t size) {
    resize(rank_ + 1);
    data()[rank_ - 1] = size;
  }
  std::span<const int64_t> dims() const { return {data(), static_cast<size_t>(rank_ < 0 ? 0 : rank_)}; }

  // Rank and every dim are known.
  bool isComplete() const;
  // Product of dims; requires a complete shape that was checked by `checkedElements`.
  int64_t elements() const { return rank_ == 0 ? 1 : multiplyDims(); }
  // Product of dims, or INVALID_ARGUMENT when a dim is negative or the product overflows int64.
  Result<int64_t> checkedElements() const;
  // Same rank and no pair of known dims differs (an unknown rank agrees with everything).
  bool compatibleWith(const Shape &other) const;
  bool operator==(const Shape &other) const;
  // "[2,?,3]", "[]", or "<unknown>".
  std::string toString() const;

private:
  static constexpr int kInline = 6;
  int64_t multiplyDims() const;
  // Scalars need no copy. All inline dims are copied, used or not: a fixed size is quicker.
  SLUICE_HOT_INLINE void copyDims(const Shape &other) {
    if (rank_ > kInline)
      copyHeap(other);
    else if (rank_ > 0)
      std::memcpy(inline_, other.inline_, sizeof(inline_));
  }
  SLUICE_HOT_INLINE void moveDims(Shape &other) {
    if (rank_ > 0)
      std::memcpy(inline_, other.inline_, sizeof(inline_)); // or the pointer, which lies there
    other.rank_ = 0;
  }
  void copyHeap(const Shape &other);
  SLUICE_HOT_INLINE void releaseHeap() {
    if (rank_ > kInline)
      delete[] heap_;
  }
  int64_t *data() { return rank_ > kInline ? heap_ : inline_; }
  const int64_t *data() const { return rank_ > kInline ? heap_ : inline_; }

  int32_t rank_ = 0;
  union {
    int64_t inline_[kInline];
    int64_t *heap_;
  };
};

} // namespace sluice::rt
