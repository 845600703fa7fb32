// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the innermost loop outwards: a loop is cut if what it holds is more than a box.
#include "runtime/codelet/loop_boxes.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/parallel.h"
#include "runtime/base/pieces.h"

#include <algorithm>

namespace sluice::rt {

// Long ranges begin at multiples of so much, so that boxes begin with whole vectors, and two
// threads do not write to one line of the cache.
static constexpr int64_t kGrain = 64, kLongRange = 8 * kGrain;

// At least so many, and such that 2, 4 or 8 threads have equally many of them.
static int64_t shareable(int64_t parts) {
  const int64_t even = parts > 4 ? 8 : parts > 2 ? 4 : parts;
  return (parts + even - 1) / even * even;
}

LoopBoxes::LoopBoxes(std::span<const int64_t> sizes, int64_t operations) : depth_(sizes.size()) {
  bool isCut = false; // a loop further in
  for (size_t i = depth_; i-- > 0;) {
    Loop &loop = loops_[i];
    const int64_t size = sizes[i];
    const int64_t wanted = std::max<int64_t>(1, size * operations / kSluiceBoxOperations);
    loop = {size, isCut ? size : std::min(size, shareable(wanted)), 1};
    if (loop.parts > 1 && size / loop.parts >= kLongRange)
      loop.grain = kGrain;
    isCut |= loop.parts > 1;
    operations *= size;
    count_ *= loop.parts;
  }
}

// Lengths of parts differ by no more than a grain.
int64_t LoopBoxes::Loop::begin(int64_t part) const {
  const int64_t grains = (size + grain - 1) / grain;
  return std::min(size, grains * part / parts * grain);
}

void LoopBoxes::find(int64_t box, int64_t *ranges) const {
  for (size_t i = depth_; i-- > 0;) {
    const Loop &loop = loops_[i];
    const int64_t part = box % loop.parts;
    box /= loop.parts;
    ranges[2 * i] = loop.begin(part);
    ranges[2 * i + 1] = loop.begin(part + 1) - ranges[2 * i];
  }
}

} // namespace sluice::rt

using namespace sluice::rt;

void sluice_run_boxes(int64_t depth, const int64_t *sizes, int64_t operations, SluiceBoxFn run,
                      const void *context) {
  const LoopBoxes boxes({sizes, static_cast<size_t>(depth)}, operations);
  const auto runBox = [&](int64_t box) {
    if (Cancellation::requestedHere())
      return;
    int64_t ranges[2 * kSluiceMostLoops];
    boxes.find(box, ranges);
    run(context, ranges);
  };
  parallelFor(boxes.count(), runBox, kCostOfPiece);
}
