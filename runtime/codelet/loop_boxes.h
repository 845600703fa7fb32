// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a nest of loops that wait for nothing is cut into boxes: ranges of every loop's variable.
#pragma once

#include "runtime/codelet/support.h"

#include <span>

namespace sluice::rt {

// Boxes have about kSluiceBoxOperations operations, and follow from sizes alone. Inner loops are
// whole where that is possible, so that boxes are runs through memory.
class LoopBoxes {
public:
  // At most kSluiceMostLoops sizes, the outermost first. `operations` are those of one iteration of
  // the innermost of them.
  LoopBoxes(std::span<const int64_t> sizes, int64_t operations);

  int64_t count() const { return count_; }
  // Writes where each loop begins in a box, and how often it runs.
  void find(int64_t box, int64_t *ranges) const;

private:
  struct Loop {
    int64_t size, parts, grain; // parts begin at multiples of it
    int64_t begin(int64_t part) const;
  };
  size_t depth_;
  Loop loops_[kSluiceMostLoops];
  int64_t count_ = 1;
};

} // namespace sluice::rt
