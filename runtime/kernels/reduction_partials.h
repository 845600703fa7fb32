// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partial results of reductions, and the order in which they are combined.
#pragma once

#include "runtime/kernels/reduction.h"
#include "runtime/kernels/reduction_layout.h"

#include <cstring>
#include <vector>

namespace sluice::rt {

// Partial results of `columns` accumulators. Those put aside form a binary counter: level l holds
// the combination of 2^l of them, so every element passes through few roundings. A thread keeps the
// memory for its next reduction, so that in the long run none is allocated.
class ReductionPartials {
public:
  explicit ReductionPartials(const Reducer &reducer) : reducer_(reducer) {}

  void begin(int64_t columns) {
    columns_ = columns;
    taken_ = putAside_ = 0;
    clear();
  }
  void *current() { return current_; }
  // The current partial result took `amount` more elements per accumulator.
  void took(int64_t amount, int64_t limit) {
    taken_ += amount;
    if (taken_ >= limit)
      putAside();
  }
  // Combines everything; the result is current().
  void combine();

  // What so many partial results gave, 2^level, folded elsewhere; until now a multiple of so many
  // were put aside.
  void takeCombined(const void *combined, size_t level);
  // Behind all that was put aside.
  void takeCurrent(const void *current) { std::memcpy(current_, current, bytes()); }
  // The combination of 2^level partial results, which are all that were put aside.
  const void *combined(size_t level) const { return levels_.data() + level * bytes(); }
  size_t bytes() const { return static_cast<size_t>(columns_) * reducer_.accBytes; }

private:
  void *level(size_t i) { return levels_.data() + i * bytes(); }
  void clear() {
    for (int64_t i = 0; i < columns_; ++i)
      std::memcpy(current_ + static_cast<size_t>(i) * reducer_.accBytes, reducer_.identity,
                  reducer_.accBytes);
  }
  void mergeBelow(size_t i);
  void store(size_t i);
  void putAside();

  const Reducer &reducer_;
  int64_t columns_ = 0, taken_ = 0;
  size_t putAside_ = 0;
  static inline thread_local std::vector<unsigned char> levels_;
  alignas(16) unsigned char current_[kReductionColumns * 16];
};

} // namespace sluice::rt
