// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided slices: assigns the entries of the request to dims, then bounds each range.
#include "runtime/kernels/slicing.h"

#include <algorithm>
#include <limits>
#include <optional>

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
      : input_(input), request_(request), sizes_(request.sizes), entries_(entries), slice_(slice) {}

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
        keep(1, -1);
      else
        SLUICE_RETURN_IF_ERROR(takeEntry(i));
    }
    return checkRank(slice_.result.rank());
  }

private:
  void keep(int64_t size, int from) {
    if (slice_.result.rank() <= Shape::kMaxRank)
      slice_.from[slice_.result.rank()] = static_cast<int16_t>(from);
    slice_.result.append(size);
  }
  void takeWhole() {
    slice_.begins[dim_] = 0;
    slice_.steps[dim_] = 1;
    slice_.sizes[dim_] = input_.dim(dim_);
    keep(input_.dim(dim_), dim_);
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
    slice_.begins[dim_] = Shape::kUnknown;
    if (request_.strides && request_.strides->asInt(i) == 0)
      return zeroStride();
    if (request_.strides && request_.strides->asInt(i) < 0)
      return invalidArgument("only stride 1 allowed on non-range indexing.");
    if (!request_.begin || size == Shape::kUnknown)
      return okStatus();
    int64_t index = request_.begin->asInt(i);
    index = std::max(index, -std::numeric_limits<int64_t>::max());
    if (size < 0) {
      sizes_.requireIndex(index, size);
      slice_.begins[dim_] = index < 0 ? sizes_.subtract(size, -index) : index;
      return okStatus();
    }
    if (index < 0)
      index += size;
    if (index < 0 || index >= size)
      return invalidArgument(format("slice index %lld of dimension %d out of bounds.",
                                    static_cast<long long>(index), dim_));
    slice_.begins[dim_] = index;
    return okStatus();
  }

  Status takeRange(int64_t i) {
    int64_t size = input_.dim(dim_), stride = 1;
    Range range;
    bool openBegin = has(request_.masks.begin, i), openEnd = has(request_.masks.end, i);
    if (request_.strides) {
      stride = request_.strides->asInt(i);
      if (stride == 0)
        return zeroStride();
    }
    bool known = request_.strides && size != Shape::kUnknown && (openBegin || request_.begin) &&
                 (openEnd || request_.end);
    if (known) {
      std::optional<int64_t> begin, end;
      if (!openBegin)
        begin = request_.begin->asInt(i);
      if (!openEnd)
        end = request_.end->asInt(i);
      range =
          size >= 0 ? rangeOf(size, begin, end, stride) : namedRangeOf(size, begin, end, stride);
    }
    slice_.begins[dim_] = range.begin;
    slice_.steps[dim_] = stride;
    slice_.sizes[dim_] = range.count;
    keep(range.count, dim_);
    return okStatus();
  }

  struct Range {
    int64_t begin = Shape::kUnknown, count = Shape::kUnknown;
  };

  static Range rangeOf(int64_t size, std::optional<int64_t> begin, std::optional<int64_t> end,
                       int64_t stride) {
    int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? size : size - 1;
    auto bound = [&](int64_t x) { return std::clamp(x < 0 ? x + size : x, low, high); };
    int64_t first = begin ? bound(*begin) : stride > 0 ? low : high;
    int64_t last = end ? bound(*end) : stride > 0 ? high : low;
    int64_t count = countSteps(last - first, stride);
    return {count > 0 ? first : 0, count};
  }

  // Of a dim with a name. What is computed holds where nothing has to be clamped.
  Range namedRangeOf(int64_t size, std::optional<int64_t> begin, std::optional<int64_t> end,
                     int64_t stride) const {
    if (stride < 0) // only all of it
      return begin || end || stride != -1 ? Range() : Range{sizes_.subtract(size, 1), size};
    int64_t first = begin ? namedBound(*begin, size) : 0;
    int64_t last = end ? namedBound(*end, size) : size;
    if (first >= 0 && last >= 0)
      return {first, countSteps(last - first, stride)};
    if (first != 0 || last != size) // which is not negative
      sizes_.requireNotAbove(first, last);
    int64_t length = sizes_.subtract(last, first);
    return {first, stride == 1 ? length : sizes_.divide(sizes_.add(length, stride - 1), stride)};
  }
  int64_t namedBound(int64_t x, int64_t size) const {
    x = std::max(x, -std::numeric_limits<int64_t>::max());
    sizes_.requireNotAbove(x < 0 ? -x : x, size);
    return x < 0 ? sizes_.subtract(size, -x) : x;
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
  const Sizes sizes_;
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
