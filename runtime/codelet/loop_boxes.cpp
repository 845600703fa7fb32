// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the innermost loop outwards: a loop is cut if what it holds is more than a box.
#include "runtime/codelet/loop_boxes.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/parallel.h"

#include <algorithm>

namespace sluice::rt {

// Long ranges begin at multiples of so much, so that boxes begin with whole vectors, and two
// threads do not write to one line of the cache.
static constexpr int64_t kGrain = 64, kLongRange = 8 * kGrain;

LoopBoxes::LoopBoxes(std::span<const int64_t> sizes, int64_t operations) : depth_(sizes.size()) {
  bool isCut = false; // a loop further in
  for (size_t i = depth_; i-- > 0;) {
    const int64_t size = sizes[i];
    int64_t length = 1;
    if (!isCut) {
      const int64_t parts = std::clamp<int64_t>(size * operations / kSluiceBoxOperations, 1,
                                                std::max<int64_t>(1, size));
      length = (size + parts - 1) / parts;
      if (parts > 1 && length >= kLongRange)
        length = (length + kGrain - 1) / kGrain * kGrain;
    }
    const int64_t parts = length > 0 ? (size + length - 1) / length : 0;
    loops_[i] = {size, length, parts};
    isCut |= parts > 1;
    operations *= size;
    count_ *= parts;
  }
}

void LoopBoxes::find(int64_t box, int64_t *ranges) const {
  for (size_t i = depth_; i-- > 0;) {
    const Loop &loop = loops_[i];
    const int64_t begin = box % loop.parts * loop.length;
    box /= loop.parts;
    ranges[2 * i] = begin;
    ranges[2 * i + 1] = std::min(loop.length, loop.size - begin);
  }
}

} // namespace sluice::rt

using namespace sluice::rt;

void sluice_run_boxes(int64_t depth, const int64_t *sizes, int64_t operations, SluiceBoxFn run,
                      const void *context) {
  const LoopBoxes boxes({sizes, static_cast<size_t>(depth)}, operations);
  parallelFor(boxes.count(), [&](int64_t box) {
    if (Cancellation::requestedHere())
      return;
    int64_t ranges[2 * kSluiceMostLoops];
    boxes.find(box, ranges);
    run(context, ranges);
  });
}
