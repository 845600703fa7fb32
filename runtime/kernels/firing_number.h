// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the firings of one node within a call apart, by the iteration numbers of the frames around
// it and nothing else: no schedule, window or cut between ranks can change it.
#pragma once

#include "runtime/base/splitmix.h"

namespace sluice::rt {

// Two words: the iteration of the innermost frame as it is, so that the firings of a loop follow
// one another in a random stream as in TensorFlow; and a hash of the iterations around it. A number
// with a fixed count of bits for each frame would do with one word, but repeat itself where a loop
// goes further or the nest is deeper than that. For a loop within one loop the hash is one-to-one;
// for deeper nests two of n outer iterations share a hash with a chance of n² in 2^65.
class FiringNumber {
public:
  FiringNumber() = default; // in the root frame
  FiringNumber inFrame(uint64_t iteration) const {
    FiringNumber inner;
    inner.outer_ = mixBits(outer_ + iteration_);
    inner.iteration_ = iteration;
    return inner;
  }

  // Of the innermost frame; 0 in the root.
  uint64_t iteration() const { return iteration_; }
  // Of the iterations of all other frames; 0 while each is in its first.
  uint64_t outer() const { return outer_; }

private:
  uint64_t outer_ = 0, iteration_ = 0;
};

} // namespace sluice::rt
