// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of rows into the segment that an id names. Rows are taken in order, so results are
// bit-identical from run to run.
#include "runtime/base/pieces.h"
#include "runtime/elements/reductions.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/declare.h"

#include <algorithm>

namespace sluice::rt {

namespace {

Status segmentShape(ShapeCall &call) {
  const Shape &data = call.input(0), &ids = call.input(1), &count = call.input(2);
  if (count.hasRank() && count.rank() != 0)
    return invalidArgument("num_segments should be a scalar, not shape " + count.toString());
  int64_t segments = call.value(2) ? call.value(2)->asInt() : Shape::kUnknown;
  if (call.value(2) && segments < 0)
    return invalidArgument(format("Input num_segments == %lld must not be negative.",
                                  static_cast<long long>(segments)));
  call.output(0) = Shape::unknownRank();
  if (!data.hasRank() || !ids.hasRank())
    return okStatus();
  bool prefix = ids.rank() <= data.rank();
  for (int i = 0; prefix && i < ids.rank(); ++i)
    prefix = ids.dim(i) < 0 || data.dim(i) < 0 || ids.dim(i) == data.dim(i);
  if (!prefix)
    return invalidArgument("data.shape = " + data.toString() +
                           " does not start with segment_ids.shape = " + ids.toString());
  for (int i = 0; i < ids.rank(); ++i)
    call.sizes().requireEqual(ids.dim(i), data.dim(i));
  SLUICE_RETURN_IF_ERROR(checkRank(data.rank() - ids.rank() + 1));
  Shape output = Shape::unknownDims(data.rank() - ids.rank() + 1);
  output.setDim(0, segments);
  for (int i = ids.rank(); i < data.rank(); ++i)
    output.setDim(i - ids.rank() + 1, data.dim(i));
  call.output(0) = output;
  return okStatus();
}

// Finite extrema: a segment without rows must not turn into inf - inf later.
template <typename Reduction, typename T> constexpr T startOf() {
  using enum element::Identity;
  constexpr element::Identity identity = Reduction::kIdentity;
  if constexpr (identity == kZero || identity == kOne)
    return T(identity == kOne ? 1 : 0);
  else if constexpr (std::is_same_v<T, Half>)
    return Half(identity == kLowest ? -65504.0f : 65504.0f);
  else if constexpr (std::is_same_v<T, BFloat16>)
    return BFloat16(identity == kLowest ? -3.3895314e38f : 3.3895314e38f);
  else
    return identity == kLowest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
}

// What it costs to find a segment, and to change an element of it.
constexpr int64_t kCostOfRow = 16, kCostOfElement = 8;

template <typename T, typename Reduction> Status segmentRun(KernelCall &call) {
  const Tensor &ids = call.input(1);
  const T *from = call.input(0).data<T>();
  T *to = call.output(0).data<T>();
  forPieces(call.output(0).elements(), sizeof(T), [=](int64_t begin, int64_t end) {
    std::fill(to + begin, to + end, startOf<Reduction, T>());
  });
  int64_t segments = call.input(2).asInt();
  int64_t inner = elementsBetween(call.input(0).shape(), ids.rank(), call.input(0).rank());
  bool empty = call.input(0).elements() == 0;
  TurnsOfCall turns(kCostOfRow + costOfAll(inner, kCostOfElement));
  for (int64_t i = 0, n = ids.elements(); i < n && !turns.end(); ++i) {
    int64_t id = ids.asInt(i);
    if (id < 0)
      continue; // the row belongs to no segment
    if (id >= segments)
      return invalidArgument(format("segment_ids%s = %lld is out of range [0, %lld)",
                                    positionText(ids.shape(), i).c_str(),
                                    static_cast<long long>(id), static_cast<long long>(segments)));
    forPieces(empty ? 0 : inner, kCostOfElement, [=](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        T &element = to[id * inner + k];
        element = Reduction::combine(element, from[i * inner + k]);
      }
    });
  }
  return okStatus();
}

template <typename T> constexpr Kernel nd_unsorted_segment_sum_kernel() {
  return {segmentShape, segmentRun<T, element::Sum>};
}
template <typename T> constexpr Kernel nd_unsorted_segment_prod_kernel() {
  return {segmentShape, segmentRun<T, element::Prod>};
}
template <typename T> constexpr Kernel nd_unsorted_segment_max_kernel() {
  return {segmentShape, segmentRun<T, element::Max>};
}
template <typename T> constexpr Kernel nd_unsorted_segment_min_kernel() {
  return {segmentShape, segmentRun<T, element::Min>};
}

} // namespace

SLUICE_DEFINE_KERNELS(nd_unsorted_segment_sum, NUMBER)
SLUICE_DEFINE_KERNELS(nd_unsorted_segment_prod, NUMBER)
SLUICE_DEFINE_KERNELS(nd_unsorted_segment_max, REAL)
SLUICE_DEFINE_KERNELS(nd_unsorted_segment_min, REAL)

} // namespace sluice::rt
