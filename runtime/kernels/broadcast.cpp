// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic of broadcasting.
#include "runtime/kernels/broadcast.h"

#include "runtime/base/pieces.h"

namespace sluice::rt {

BroadcastWalk::BroadcastWalk(const Shape &result, std::span<const Shape *const> operands)
    : operands_(operands.size()) {
  int64_t counts[kMaxOperands];
  for (size_t k = 0; k < operands_; ++k)
    counts[k] = 1;
  for (int back = 1; back <= result.rank(); ++back) {
    int64_t size = result.dim(result.rank() - back);
    if (size == 1)
      continue;
    int64_t strides[kMaxOperands];
    for (size_t k = 0; k < operands_; ++k) {
      const Shape &shape = *operands[k];
      bool repeats = back > shape.rank() || shape.dim(shape.rank() - back) == 1;
      strides[k] = repeats ? 0 : counts[k];
      if (!repeats)
        counts[k] *= size;
    }
    addDim(size, strides);
  }
  if (dims_ == 0) {
    const int64_t none[kMaxOperands] = {};
    addDim(1, none);
  }
}

void BroadcastWalk::addDim(int64_t size, const int64_t *strides) {
  bool joins = dims_ > 0;
  for (size_t k = 0; joins && k < operands_; ++k)
    joins = strides[k] == strides_[dims_ - 1][k] * sizes_[dims_ - 1];
  if (joins) {
    sizes_[dims_ - 1] *= size;
    return;
  }
  sizes_[dims_] = size;
  counters_[dims_] = 0;
  for (size_t k = 0; k < operands_; ++k)
    strides_[dims_][k] = strides[k];
  ++dims_;
}

bool BroadcastWalk::next() {
  for (int d = 1; d < dims_; ++d) {
    for (size_t k = 0; k < operands_; ++k)
      offsets_[k] += strides_[d][k];
    if (++counters_[d] < sizes_[d])
      return true;
    counters_[d] = 0;
    for (size_t k = 0; k < operands_; ++k)
      offsets_[k] -= strides_[d][k] * sizes_[d];
  }
  return false;
}

int64_t BroadcastWalk::seek(int64_t element) {
  int64_t run = element / sizes_[0];
  for (int d = 1; d < dims_; ++d) {
    counters_[d] = run % sizes_[d];
    run /= sizes_[d];
    for (size_t k = 0; k < operands_; ++k)
      offsets_[k] += strides_[d][k] * counters_[d];
  }
  return element % sizes_[0];
}

namespace {

constexpr size_t kMaxOperands = BroadcastWalk::kMaxOperands;
// What it costs to begin a run.
constexpr int64_t kCostOfRun = 16;

struct ElementRun {
  std::span<const ElementOperand> operands;
  unsigned char *out;
  size_t outBytes;
  ElementLoop loop;
};

const void *elementOf(const ElementOperand &operand, int64_t index) {
  return static_cast<const unsigned char *>(operand.data) +
         static_cast<size_t>(index) * operand.bytes;
}

// Operands with as many elements as the result, or with one, need no walk.
bool runWithoutWalk(const ElementRun &run, int64_t count, int64_t cost) {
  const void *in[kMaxOperands];
  int64_t strides[kMaxOperands];
  for (size_t k = 0; k < run.operands.size(); ++k) {
    int64_t elements = run.operands[k].shape->elements();
    if (elements != count && elements != 1)
      return false;
    in[k] = run.operands[k].data;
    strides[k] = elements == count;
  }
  if (isOnePiece(count, cost)) {
    run.loop(in, strides, run.out, count);
    return true;
  }
  forPieces(count, cost, [&](int64_t begin, int64_t end) {
    const void *some[kMaxOperands];
    for (size_t k = 0; k < run.operands.size(); ++k)
      some[k] = elementOf(run.operands[k], begin * strides[k]);
    run.loop(some, strides, run.out + static_cast<size_t>(begin) * run.outBytes, end - begin);
  });
  return true;
}

// Results [begin, end).
void runWithWalk(const ElementRun &run, const Shape &shape, int64_t begin, int64_t end) {
  const Shape *shapes[kMaxOperands];
  for (size_t k = 0; k < run.operands.size(); ++k)
    shapes[k] = run.operands[k].shape;
  BroadcastWalk walk(shape, {shapes, run.operands.size()});
  unsigned char *to = run.out + static_cast<size_t>(begin) * run.outBytes;
  const void *in[kMaxOperands];
  auto pass = [&](int64_t skipped, int64_t n) __attribute__((always_inline)) {
    for (size_t k = 0; k < run.operands.size(); ++k)
      in[k] = elementOf(run.operands[k], walk.offset(k) + skipped * walk.strides()[k]);
    run.loop(in, walk.strides(), to, n);
    to += static_cast<size_t>(n) * run.outBytes;
    begin += n;
    walk.next();
  };
  const int64_t length = walk.runLength();
  if (int64_t skipped = begin == 0 ? 0 : walk.seek(begin))
    pass(skipped, std::min(length - skipped, end - begin));
  while (end - begin >= length)
    pass(0, length);
  if (begin < end)
    pass(0, end - begin);
}

} // namespace

void runBroadcast(const Shape &shape, std::span<const ElementOperand> operands, void *out,
                  size_t outBytes, ElementLoop loop, int64_t cost) {
  const int64_t count = shape.elements();
  const ElementRun run{operands, static_cast<unsigned char *>(out), outBytes, loop};
  if (count == 0 || runWithoutWalk(run, count, cost))
    return;
  // Runs are of the innermost dim, or longer.
  const int64_t costOfEach = cost + kCostOfRun / shape.dim(shape.rank() - 1);
  forPieces(count, costOfEach,
            [&](int64_t begin, int64_t end) { runWithWalk(run, shape, begin, end); });
}

Status runElementwise(KernelCall &call, ElementLoop loop, int64_t cost) {
  ElementOperand operands[BroadcastWalk::kMaxOperands];
  for (size_t k = 0; k < call.numInputs(); ++k)
    operands[k] = {call.input(k).raw(), &call.input(k).shape(), sizeOf(call.input(k).dtype())};
  Tensor &out = call.output(0);
  runBroadcast(out.shape(), {operands, call.numInputs()}, out.raw(), sizeOf(out.dtype()), loop,
               cost);
  return okStatus();
}

} // namespace sluice::rt
