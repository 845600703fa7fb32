// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partial results of reductions, and the order in which they are combined.
#include "runtime/kernels/reduction_partials.h"

namespace sluice::rt {

void ReductionPartials::combine() {
  for (size_t level = 0, left = putAside_; left; ++level, left >>= 1)
    if (left & 1)
      mergeBelow(level);
}

void ReductionPartials::takeCombined(const void *combined, size_t level) {
  std::memcpy(current_, combined, bytes());
  store(level);
  putAside_ += size_t{1} << level;
  clear();
}

// Level i is older, so it is the left operand.
void ReductionPartials::mergeBelow(size_t i) {
  reducer_.merge(level(i), current_, columns_);
  std::memcpy(current_, level(i), bytes());
}

// The current one, at a level or above.
void ReductionPartials::store(size_t i) {
  for (size_t count = putAside_ >> i; count & 1; count >>= 1)
    mergeBelow(i++);
  if (levels_.size() < (i + 1) * bytes())
    levels_.resize((i + 1) * bytes());
  std::memcpy(level(i), current_, bytes());
}

void ReductionPartials::putAside() {
  store(0);
  ++putAside_;
  taken_ = 0;
  clear();
}

} // namespace sluice::rt
