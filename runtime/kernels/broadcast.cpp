// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic of broadcasting.
#include "runtime/kernels/broadcast.h"

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

namespace {
// Operands with as many elements as the result, or with one, need no walk.
bool runWithoutWalk(int64_t count, std::span<const ElementOperand> operands, void *out,
                    ElementLoop loop) {
  const void *in[BroadcastWalk::kMaxOperands];
  int64_t strides[BroadcastWalk::kMaxOperands];
  for (size_t k = 0; k < operands.size(); ++k) {
    int64_t elements = operands[k].shape->elements();
    if (elements != count && elements != 1)
      return false;
    in[k] = operands[k].data;
    strides[k] = elements == count;
  }
  loop(in, strides, out, count);
  return true;
}
} // namespace

void runBroadcast(const Shape &shape, std::span<const ElementOperand> operands, void *out,
                  size_t outBytes, ElementLoop loop) {
  int64_t count = shape.elements();
  if (count == 0 || runWithoutWalk(count, operands, out, loop))
    return;
  const Shape *shapes[BroadcastWalk::kMaxOperands];
  for (size_t k = 0; k < operands.size(); ++k)
    shapes[k] = operands[k].shape;
  BroadcastWalk walk(shape, {shapes, operands.size()});
  auto *to = static_cast<unsigned char *>(out);
  size_t step = outBytes * static_cast<size_t>(walk.runLength());
  do {
    const void *in[BroadcastWalk::kMaxOperands];
    for (size_t k = 0; k < operands.size(); ++k)
      in[k] = static_cast<const unsigned char *>(operands[k].data) +
              static_cast<size_t>(walk.offset(k)) * operands[k].bytes;
    loop(in, walk.strides(), to, walk.runLength());
    to += step;
  } while (walk.next());
}

Status runElementwise(KernelCall &call, ElementLoop loop) {
  ElementOperand operands[BroadcastWalk::kMaxOperands];
  for (size_t k = 0; k < call.numInputs(); ++k)
    operands[k] = {call.input(k).raw(), &call.input(k).shape(), sizeOf(call.input(k).dtype())};
  Tensor &out = call.output(0);
  runBroadcast(out.shape(), {operands, call.numInputs()}, out.raw(), sizeOf(out.dtype()), loop);
  return okStatus();
}

} // namespace sluice::rt
