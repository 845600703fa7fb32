// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of elements between tensors and their rows.
#include "runtime/state/batch.h"

#include <algorithm>

namespace sluice::rt {

void copyElements(Tensor &to, int64_t toAt, const Tensor &from, int64_t fromAt, int64_t count) {
  if (to.dtype() == DType::kString)
    std::copy_n(from.data<std::string>() + fromAt, count, to.data<std::string>() + toAt);
  else if (size_t size = sizeOf(to.dtype()); count > 0)
    std::memcpy(to.data<char>() + static_cast<size_t>(toAt) * size,
                from.data<char>() + static_cast<size_t>(fromAt) * size,
                static_cast<size_t>(count) * size);
}

namespace {

// A block of dims `from` into the corner of one of dims `to`, which may be larger, line by line.
void copyCorner(Tensor &to, int64_t toAt, std::span<const int64_t> toDims, const Tensor &from) {
  std::span<const int64_t> dims = from.shape().dims();
  if (from.elements() == 0)
    return;
  if (std::ranges::equal(dims, toDims))
    return copyElements(to, toAt, from, 0, from.elements());
  std::vector<int64_t> index(dims.size());
  int64_t line = dims.back();
  for (int64_t done = 0; done < from.elements(); done += line) {
    int64_t place = 0;
    for (size_t axis = 0; axis < dims.size(); ++axis)
      place = place * toDims[axis] + index[axis];
    copyElements(to, toAt + place, from, done, line);
    for (size_t axis = dims.size() - 1; axis-- > 0;) {
      if (++index[axis] < dims[axis])
        break;
      index[axis] = 0;
    }
  }
}

} // namespace

Result<Tensor> rowOf(const Tensor &batch, int64_t i) {
  Shape shape(batch.shape().dims().subspan(1));
  SLUICE_ASSIGN_OR_RETURN(Tensor row, Tensor::allocate(batch.dtype(), shape));
  copyElements(row, 0, batch, i * row.elements(), row.elements());
  return row;
}

Result<Tensor> batchOf(std::span<const Tensor *const> rows, DType dtype, const Shape &row) {
  Shape shape{static_cast<int64_t>(rows.size())};
  for (int axis = 0; axis < row.rank(); ++axis) {
    int64_t dim = std::max<int64_t>(row.dim(axis), 0);
    for (const Tensor *one : rows)
      dim = std::max(dim, one->dim(axis));
    shape.append(dim);
  }
  SLUICE_ASSIGN_OR_RETURN(Tensor batch, Tensor::allocate(dtype, shape));
  std::span<const int64_t> dims = shape.dims().subspan(1);
  auto isSmaller = [&](const Tensor *one) {
    return !std::ranges::equal(one->shape().dims(), dims);
  };
  if (dtype != DType::kString && std::ranges::any_of(rows, isSmaller))
    std::memset(batch.raw(), 0, batch.bytes());
  int64_t size = rows.empty() ? 0 : batch.elements() / shape.dim(0);
  for (size_t i = 0; i < rows.size(); ++i)
    copyCorner(batch, static_cast<int64_t>(i) * size, dims, *rows[i]);
  return batch;
}

} // namespace sluice::rt
