// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided slices: assigns the entries of the request to dims, then bounds each range.
#include "runtime/kernels/slicing.h"

#include <algorithm>

namespace sluice::rt {

namespace {

bool has(uint64_t mask, int64_t entry) { return entry < 64 && (mask >> entry & 1); }

Status checkOperands(const SliceRequest &request, int64_t &entries) {
  const Shape *shapes[] = {&request.beginShape, &request.endShape, &request.stridesShape};
  entries = -1;
  bool wrong = false;
  for (const Shape *shape : shapes) {
    if (!shape->hasRank())
      continue;
    wrong = wrong || shape->rank() != 1;
    if (wrong || shape->dim(0) < 0)
      continue;
    wrong = entries >= 0 && entries != shape->dim(0);
    entries = shape->dim(0);
  }
  if (wrong)
    return invalidArgument(
        format("Expected begin, end, and strides to be 1D equal size tensors, but got shapes %s, "
               "%s, and %s instead.",
               request.beginShape.toString().c_str(), request.endShape.toString().c_str(),
               request.stridesShape.toString().c_str()));
  return okStatus();
}

// Resolves one request against a tensor of known rank, dim after dim.
class Resolver {
public:
  Resolver(const Shape &input, const SliceRequest &request, int64_t entries, ResolvedSlice &slice)
      : input_(input), request_(request), entries_(entries), slice_(slice) {}

  Status run() {
    int64_t ellipsis = entries_, named = 0;
    for (int64_t i = 0; i < entries_; ++i) {
      if (has(request_.masks.ellipsis, i)) {
        if (ellipsis < entries_)
          return invalidArgument("Multiple ellipses in slice spec not allowed");
        ellipsis = i;
      } else if (!has(request_.masks.newAxis, i)) {
        ++named;
      }
    }
    slice_.result = Shape{};
    // Without an ellipsis the dims that are not named follow at the end.
    for (int64_t i = 0; i <= entries_; ++i) {
      if (i == ellipsis)
        for (int64_t rest = input_.rank() - named; rest > 0; --rest)
          takeWhole();
      if (i == ellipsis || i == entries_)
        continue;
      if (has(request_.masks.newAxis, i))
        slice_.result.append(1);
      else
        SLUICE_RETURN_IF_ERROR(takeEntry(i));
    }
    return checkRank(slice_.result.rank());
  }

private:
  void takeWhole() {
    slice_.begins[dim_] = 0;
    slice_.steps[dim_] = 1;
    slice_.sizes[dim_] = input_.dim(dim_);
    slice_.result.append(input_.dim(dim_));
    ++dim_;
  }

  Status takeEntry(int64_t i) {
    if (dim_ == input_.rank())
      return input_.rank() == 0
                 ? invalidArgument("Attempting to slice scalar input.")
                 : invalidArgument(
                       format("Index out of range using input dim %d; input has only %d dims", dim_,
                              input_.rank()));
    if (has(request_.masks.shrink, i))
      SLUICE_RETURN_IF_ERROR(takeIndex(i));
    else
      SLUICE_RETURN_IF_ERROR(takeRange(i));
    ++dim_;
    return okStatus();
  }

  Status takeIndex(int64_t i) {
    int64_t size = input_.dim(dim_);
    slice_.sizes[dim_] = 1;
    slice_.steps[dim_] = 1;
    slice_.begins[dim_] = 0;
    if (request_.strides && request_.strides->asInt(i) == 0)
      return zeroStride();
    if (request_.strides && request_.strides->asInt(i) < 0)
      return invalidArgument("only stride 1 allowed on non-range indexing.");
    if (!request_.begin || size < 0)
      return okStatus();
    int64_t index = request_.begin->asInt(i);
    if (index < 0)
      index += size;
    if (index < 0 || index >= size)
      return invalidArgument(format("slice index %lld of dimension %d out of bounds.",
                                    static_cast<long long>(index), dim_));
    slice_.begins[dim_] = index;
    return okStatus();
  }

  Status takeRange(int64_t i) {
    int64_t size = input_.dim(dim_), count = Shape::kUnknown, begin = 0, end = 0, stride = 1;
    bool openBegin = has(request_.masks.begin, i), openEnd = has(request_.masks.end, i);
    if (request_.strides) {
      stride = request_.strides->asInt(i);
      if (stride == 0)
        return zeroStride();
    }
    bool known =
        request_.strides && size >= 0 && (openBegin || request_.begin) && (openEnd || request_.end);
    if (known) {
      int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? size : size - 1;
      auto bound = [&](const Tensor *values) {
        int64_t x = values->asInt(i);
        return std::clamp(x < 0 ? x + size : x, low, high);
      };
      begin = openBegin ? (stride > 0 ? low : high) : bound(request_.begin);
      end = openEnd ? (stride > 0 ? high : low) : bound(request_.end);
      count = countSteps(end - begin, stride);
    }
    slice_.begins[dim_] = begin;
    slice_.steps[dim_] = stride;
    slice_.sizes[dim_] = count;
    slice_.result.append(count);
    return okStatus();
  }

  static int64_t countSteps(int64_t length, int64_t stride) {
    if (length == 0 || (length < 0) != (stride < 0))
      return 0;
    // The quotient cannot overflow: a length of -1 is the least that a stride of -1 meets with
    // a dim of at most 2^63 - 1 entries.
    return length / stride + (length % stride != 0);
  }

  Status zeroStride() const {
    return invalidArgument(format("strides[%d] must be non-zero", dim_));
  }

  const Shape &input_;
  const SliceRequest &request_;
  int64_t entries_;
  ResolvedSlice &slice_;
  int dim_ = 0;
};

} // namespace

Status resolveSlice(const Shape &input, const SliceRequest &request, ResolvedSlice &slice) {
  int64_t entries;
  SLUICE_RETURN_IF_ERROR(checkOperands(request, entries));
  slice.result = Shape::unknownRank();
  if (entries < 0 || !input.hasRank())
    return okStatus();
  return Resolver(input, request, entries, slice).run();
}

} // namespace sluice::rt
