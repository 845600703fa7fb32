// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels along an axis: running sums of numbers given by their logarithms, and places in sorted
// rows.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/one_axis.h"
#include "runtime/kernels/shape_rules.h"

#include <algorithm>
#include <cmath>

namespace sluice::rt {
namespace {

// ---- cumulative_logsumexp

Result<int> checkedAxis(const Tensor &axis, int rank) {
  if (axis.rank() != 0)
    return invalidArgument("axis must be a scalar, got shape " + axis.shape().toString());
  int64_t value = axis.asInt();
  if (normalizeAxis(value, rank))
    return static_cast<int>(value);
  return invalidArgument(format("axis has to be within [%d, %d) but is %lld", -rank, rank,
                                static_cast<long long>(value)));
}

Status logSumShape(ShapeCall &call) {
  call.output(0) = call.input(0);
  if (call.value(1) && call.input(0).hasRank())
    return checkedAxis(*call.value(1), call.input(0).rank()).status();
  return okStatus();
}

constexpr int64_t kCostOfLogSum = 128;

// The logarithm of exp(a) + exp(b), of which each step is rounded to the element type.
template <typename T> Compute<T> addLogs(Compute<T> a, Compute<T> b) {
  using C = Compute<T>;
  auto rounded = [](C x) { return static_cast<C>(static_cast<T>(x)); };
  C high = std::max(a, b), low = std::min(a, b);
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (std::isinf(high))
    return high;
  return rounded(high + rounded(std::log1p(rounded(std::exp(rounded(low - high))))));
}

// Sums up n elements; input and output advance by `stride`, which is negative in reverse.
template <typename T> void sumLogs(const T *x, T *out, int64_t n, int64_t stride, bool exclusive) {
  using C = Compute<T>;
  C sum = -std::numeric_limits<C>::infinity();
  TurnsOfCall turns(kCostOfLogSum);
  for (int64_t i = 0; i < n && !turns.end(); ++i) {
    C next = addLogs<T>(sum, static_cast<C>(x[i * stride]));
    out[i * stride] = static_cast<T>(exclusive ? sum : next);
    sum = next;
  }
}

template <typename T> Status runLogSum(KernelCall &call) {
  const Tensor &x = call.input(0);
  SLUICE_ASSIGN_OR_RETURN(int axis, checkedAxis(call.input(1), x.rank()));
  if (x.elements() == 0)
    return okStatus();
  attributes::sci::CumulativeLogsumexp attributes(call);
  const bool exclusive = attributes.exclusive(), reverse = attributes.reverse();
  const OneAxis view(x.shape(), axis);
  auto *in = x.data<T>();
  auto *out = call.output(0).data<T>();
  const int64_t start = reverse ? (view.length - 1) * view.inner : 0;
  forPieces(view.outer * view.inner, costOfAll(view.length, kCostOfLogSum),
            [=](int64_t begin, int64_t end) {
              for (int64_t i = begin; i < end; ++i) {
                int64_t first = i / view.inner * view.length * view.inner + i % view.inner + start;
                sumLogs(in + first, out + first, view.length, reverse ? -view.inner : view.inner,
                        exclusive);
              }
            });
  return okStatus();
}

uint64_t workOfLogSum(const KernelCall &call) { return 32 * largestInput(call); }

template <typename T> constexpr Kernel sci_cumulative_logsumexp_kernel() {
  return {logSumShape, runLogSum<T>, Kernel::kNone, nullptr, workOfLogSum};
}

// ---- search_sorted

Status searchShape(ShapeCall &call) {
  const Shape &sorted = call.input(0), &values = call.input(1);
  for (const Shape *shape : {&sorted, &values})
    if (shape->hasRank() && shape->rank() == 0)
      return invalidArgument("expected rows of numbers but got a scalar");
  call.output(0) = values;
  if (!sorted.hasRank() || !values.hasRank())
    return okStatus();
  Shape rows = sorted, others = values, merged;
  rows.resize(sorted.rank() - 1);
  others.resize(values.rank() - 1);
  if (!mergeShapes(rows, others, merged, call.sizes()))
    return invalidArgument(
        format("expected equal dims before the last but got the shapes %s and %s",
               sorted.toString().c_str(), values.toString().c_str()));
  return okStatus();
}

template <typename T> Status runSearch(KernelCall &call) {
  const Tensor &sorted = call.input(0), &values = call.input(1);
  Tensor &places = call.output(0);
  if (values.elements() == 0)
    return okStatus();
  const int64_t length = sorted.dim(sorted.rank() - 1), count = values.dim(values.rank() - 1);
  if (places.dtype() == DType::kI32 && length > std::numeric_limits<int32_t>::max())
    return invalidArgument("expected rows of fewer than 2^31 elements where places are of 32 bits");
  const bool afterEquals = attributes::sci::SearchSorted(call).afterEquals();
  auto *rows = sorted.data<T>();
  auto *wanted = values.data<T>();
  auto less = [](const T &a, const T &b) {
    return static_cast<Compute<T>>(a) < static_cast<Compute<T>>(b);
  };
  const int64_t cost = 8 * (64 - __builtin_clzll(static_cast<uint64_t>(length) | 1));
  forPieces(values.elements(), cost, [=, &places](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T *row = rows + i / count * length;
      const T *place = afterEquals ? std::upper_bound(row, row + length, wanted[i], less)
                                   : std::lower_bound(row, row + length, wanted[i], less);
      putInt(places, i, place - row);
    }
  });
  return okStatus();
}

uint64_t workOfSearch(const KernelCall &call) {
  return 64 * static_cast<uint64_t>(call.input(1).elements());
}

template <typename T> constexpr Kernel sci_search_sorted_kernel() {
  return {searchShape, runSearch<T>, Kernel::kNone, nullptr, workOfSearch};
}

} // namespace

SLUICE_DEFINE_KERNELS(sci_cumulative_logsumexp, FLOAT)
SLUICE_DEFINE_KERNELS(sci_search_sorted, REAL)

} // namespace sluice::rt
