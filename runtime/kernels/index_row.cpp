// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for single rows: reads and writes of arrays that are values. Messages are those of
// arrays.
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"

namespace sluice::rt {

namespace {

// What is left of the dims without the first.
Shape rowShape(const Shape &rows) {
  Shape row = Shape::unknownDims(rows.rank() - 1);
  for (int i = 1; i < rows.rank(); ++i)
    row.setDim(i - 1, rows.dim(i));
  return row;
}

Status checkRows(const Shape &rows) {
  return rows.hasRank() && rows.rank() == 0 ? invalidArgument("rows must be at least 1 dimensional")
                                            : okStatus();
}

Status readShape(ShapeCall &call) {
  const Shape &rows = call.input(0);
  SLUICE_RETURN_IF_ERROR(checkOneElement(call.input(1), "index"));
  SLUICE_RETURN_IF_ERROR(checkRows(rows));
  call.output(0) = rows.hasRank() ? rowShape(rows) : Shape::unknownRank();
  return okStatus();
}

Status writeShape(ShapeCall &call) {
  const Shape &rows = call.input(0), &row = call.input(2);
  SLUICE_RETURN_IF_ERROR(checkOneElement(call.input(1), "index"));
  SLUICE_RETURN_IF_ERROR(checkRows(rows));
  call.output(0) = rows;
  if (!rows.hasRank() || !row.hasRank())
    return okStatus();
  Shape expected = rowShape(rows);
  bool fits = row.rank() == expected.rank();
  for (int i = 0; fits && i < row.rank(); ++i) {
    fits = row.dim(i) < 0 || expected.dim(i) < 0 || row.dim(i) == expected.dim(i);
    call.sizes().requireEqual(row.dim(i), expected.dim(i));
  }
  return fits ? okStatus()
              : invalidArgument("expected a row of the shape " + expected.toString() + " but got " +
                                row.toString());
}

Status checkIndex(const Tensor &rows, int64_t index, bool isWrite) {
  if (index >= 0 && index < rows.dim(0))
    return okStatus();
  return invalidArgument(
      format(isWrite ? "Tried to write to index %lld but array is not resizeable "
                       "and size is: %lld"
                     : "Tried to read from index %lld but array size is: %lld",
             static_cast<long long>(index), static_cast<long long>(rows.dim(0))));
}

Status readRow(KernelCall &call) {
  const Tensor &rows = call.input(0);
  int64_t index = call.input(1).asInt(), size = call.output(0).elements();
  SLUICE_RETURN_IF_ERROR(checkIndex(rows, index, /*isWrite=*/false));
  return copyElements(rows, index * size, call.output(0), 0, size);
}

Status writeRow(KernelCall &call) {
  const Tensor &rows = call.input(0), &row = call.input(2);
  Tensor &result = call.output(0);
  int64_t index = call.input(1).asInt();
  SLUICE_RETURN_IF_ERROR(checkIndex(rows, index, /*isWrite=*/true));
  if (result.raw() != rows.raw()) // else nobody else held them
    SLUICE_RETURN_IF_ERROR(copyElements(rows, 0, result, 0, rows.elements()));
  return copyElements(row, 0, result, index * row.elements(), row.elements());
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_row, {readShape, readRow})
// The result may be the operand of its shape: only the row that is written changes.
SLUICE_DEFINE_KERNEL(nd_set_row, {writeShape, writeRow, Kernel::kInPlace})

} // namespace sluice::rt
