// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sci.row_order: the order of a matrix's rows.
#include "runtime/base/cancellation.h"
#include "runtime/kernels/declare.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

namespace sluice::rt {

namespace {

Status checkMatrix(const Shape &rows) {
  if (!rows.hasRank() || rows.rank() == 2)
    return okStatus();
  return invalidArgument("expected a matrix of rows but got shape " + rows.toString());
}

Status rowOrderShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(checkMatrix(call.input(0)));
  call.output(0) = Shape{call.input(0).hasRank() ? call.input(0).dim(0) : Shape::kUnknown};
  return okStatus();
}

Status rowOrderRun(KernelCall &call) {
  const Tensor &rows = call.input(0);
  const int64_t count = rows.dim(0), columns = rows.dim(1);
  std::vector<int64_t> values(static_cast<size_t>(rows.elements()));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = rows.asInt(static_cast<int64_t>(i));
  int64_t *order = call.output(0).data<int64_t>();
  std::iota(order, order + count, int64_t{0});
  bool isCancelled = Cancellation::requestedHere();
  unsigned comparisons = 0;
  // Once the call is to end, any order is as good: all rows are alike.
  auto isBefore = [&](int64_t a, int64_t b) {
    constexpr unsigned kMany = 1 << 14;
    if (++comparisons % kMany == 0)
      isCancelled |= Cancellation::requestedHere();
    if (isCancelled)
      return false;
    const int64_t *first = values.data() + a * columns, *second = values.data() + b * columns;
    auto order =
        std::lexicographical_compare_three_way(first, first + columns, second, second + columns);
    return order < 0 || (order == 0 && a < b);
  };
  if (!isCancelled && columns > 0)
    std::sort(order, order + count, isBefore);
  return isCancelled ? cancelledWork() : okStatus();
}

uint64_t rowOrderWork(const KernelCall &call) {
  constexpr uint64_t kWorkOfComparison = 8;
  auto elements = static_cast<uint64_t>(call.input(0).elements());
  return elements * static_cast<uint64_t>(std::bit_width(elements)) * kWorkOfComparison;
}

} // namespace

SLUICE_DEFINE_KERNEL(sci_row_order,
                     {rowOrderShape, rowOrderRun, Kernel::kNone, nullptr, rowOrderWork})

} // namespace sluice::rt
