// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the elements of numpy-broadcast operands. The index arithmetic lives here once, outside of
// templates, so that a kernel only brings its inner loop.
#pragma once

#include "runtime/kernels/kernel.h"

namespace sluice::rt {

// Visits the result in row-major order as equally long runs. Within a run every operand either
// advances by one element (stride 1) or stays (stride 0). Dims of size 1 disappear and neighbouring
// dims that behave alike are one, so most calls have a single run.
class BroadcastWalk {
public:
  static constexpr size_t kMaxOperands = 3;

  // The result has at least one element.
  BroadcastWalk(const Shape &result, std::span<const Shape *const> operands);

  int64_t runLength() const { return sizes_[0]; }
  const int64_t *strides() const { return strides_[0]; }
  // Index of the element of an operand with which the current run begins.
  int64_t offset(size_t operand) const { return offsets_[operand]; }
  // Moves to the next run; false after the last.
  bool next();
  // Moves to the run with this element, of a walk that has not moved yet; its place in the run.
  int64_t seek(int64_t element);

private:
  void addDim(int64_t size, const int64_t *strides);

  size_t operands_;
  int dims_ = 0; // from innermost to outermost
  int64_t offsets_[kMaxOperands] = {};
  int64_t sizes_[Shape::kMaxRank + 1];
  int64_t counters_[Shape::kMaxRank + 1];
  int64_t strides_[Shape::kMaxRank + 1][kMaxOperands];
};

// One run: `strides` are 0 or 1 elements, the result advances by one.
using ElementLoop = void (*)(const void *const *in, const int64_t *strides, void *out, int64_t n);

struct ElementOperand {
  const void *data;
  const Shape *shape;
  size_t bytes; // of one element
};
// Calls `loop` for every run, or for parts of it; an element costs so much (runtime/base/pieces.h).
void runBroadcast(const Shape &shape, std::span<const ElementOperand> operands, void *out,
                  size_t outBytes, ElementLoop loop, int64_t cost);
// All inputs of the call broadcast to output 0.
Status runElementwise(KernelCall &call, ElementLoop loop, int64_t cost);

} // namespace sluice::rt
