// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accumulator: rows of gradients, as two lists in order are merged.
#include "runtime/base/arithmetic.h"
#include "runtime/state/accumulator.h"
#include "runtime/state/batch.h"

namespace sluice::rt {

namespace {

// The rows of a merged list: of the old list, of the new one, or of both.
struct Row {
  int64_t old = -1, added = -1;
};

template <typename T>
void addRowsOf(const std::vector<Row> &rows, int64_t width, const Tensor &old, const Tensor &added,
               Tensor &to) {
  T *out = to.data<T>();
  for (const Row &row : rows) {
    const T *a = row.old < 0 ? nullptr : old.data<T>() + row.old * width;
    const T *b = row.added < 0 ? nullptr : added.data<T>() + row.added * width;
    for (int64_t i = 0; i < width; ++i)
      out[i] = a && b ? wrapAdd(a[i], b[i]) : a ? a[i] : b[i];
    out += width;
  }
}

Status sumOfRows(const std::vector<Row> &rows, const Tensor &old, const Tensor &added, Tensor &to) {
  int64_t width = rows.empty() ? 0 : to.elements() / to.dim(0);
  switch (to.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    addRowsOf<T>(rows, width, old, added, to);                                                     \
    return okStatus();
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
#undef SLUICE_CASE
  default:
    return invalidArgument("cannot add elements of type " + std::string(dtypeName(to.dtype())));
  }
}

} // namespace

// Dims behind the first are those of a row.
static bool sameRows(const Shape &a, const Shape &b) {
  if (!a.hasRank() || !b.hasRank())
    return true;
  if (a.rank() != b.rank())
    return false;
  for (int axis = 1; axis < a.rank(); ++axis)
    if (a.dim(axis) >= 0 && b.dim(axis) >= 0 && a.dim(axis) != b.dim(axis))
      return false;
  return true;
}

Status Accumulator::checkRows(const Tensor &indices, const Tensor &values,
                              const Tensor *shape) const {
  if (indices.rank() != 1)
    return invalidArgument("Input indices should be vector but received shape: " +
                           indices.shape().toString());
  if (values.rank() == 0)
    return invalidArgument("Values cannot be of shape []: expected a row for each index");
  if (values.dim(0) != indices.dim(0))
    return invalidArgument(format("expected as many values as indices, %lld, but got %lld",
                                  static_cast<long long>(indices.dim(0)),
                                  static_cast<long long>(values.dim(0))));
  if (shape && shape->rank() != 1)
    return invalidArgument("Input shape should be vector but received shape: " +
                           shape->shape().toString());
  auto mismatch = [&](const Shape &expected, const Shape &got) {
    return invalidArgument("Shape mismatch: expected values of shape " + expected.toString() +
                           ", got " + got.toString());
  };
  Shape whole = shape ? Shape(shape->values<int64_t>()) : Shape::unknownRank();
  if (shape && !options_.shape.compatibleWith(whole))
    return mismatch(options_.shape, whole);
  for (const Shape &known : {options_.shape, whole, count_ ? sum_.shape() : Shape::unknownRank()})
    if (!sameRows(known, values.shape()))
      return mismatch(known, values.shape());
  int64_t most = options_.shape.rank() > 0 ? options_.shape.dim(0) : Shape::kUnknown;
  for (int64_t index : indices.values<int64_t>())
    if (most >= 0 && (index < 0 || index >= most))
      return invalidArgument(format("index %lld is not in [0, %lld)", static_cast<long long>(index),
                                    static_cast<long long>(most)));
  return okStatus();
}

Status Accumulator::applyRows(int64_t step, const Tensor &indices, const Tensor &values,
                              const Tensor *shape) {
  SLUICE_RETURN_IF_ERROR(checkUse(values.dtype(), true));
  std::unique_lock<std::mutex> lock(mutex_);
  SLUICE_RETURN_IF_ERROR(checkRows(indices, values, shape));
  if (step < step_)
    return okStatus();
  if (count_ == 0) {
    indices_.assign(indices.values<int64_t>().begin(), indices.values<int64_t>().end());
    counts_.assign(indices_.size(), 1);
    sum_ = values;
  } else {
    SLUICE_RETURN_IF_ERROR(addRows(indices, values));
  }
  ++count_;
  serveOthers(lock);
  return okStatus();
}

Status Accumulator::addRows(const Tensor &indices, const Tensor &values) {
  std::span<const int64_t> added = indices.values<int64_t>();
  std::vector<Row> rows;
  std::vector<int64_t> mergedIndices, mergedCounts;
  for (size_t i = 0, k = 0; i < indices_.size() || k < added.size();) {
    bool takesOld = i < indices_.size() && (k == added.size() || indices_[i] <= added[k]);
    bool takesNew = k < added.size() && (i == indices_.size() || added[k] <= indices_[i]);
    mergedIndices.push_back(takesOld ? indices_[i] : added[k]);
    mergedCounts.push_back((takesOld ? counts_[i] : 0) + takesNew);
    rows.push_back(
        {takesOld ? static_cast<int64_t>(i) : -1, takesNew ? static_cast<int64_t>(k) : -1});
    i += takesOld;
    k += takesNew;
  }
  Shape shape = sum_.shape();
  shape.setDim(0, static_cast<int64_t>(rows.size()));
  SLUICE_ASSIGN_OR_RETURN(Tensor merged, Tensor::allocate(options_.dtype, shape));
  SLUICE_RETURN_IF_ERROR(sumOfRows(rows, sum_, values, merged));
  sum_ = std::move(merged);
  indices_ = std::move(mergedIndices);
  counts_ = std::move(mergedCounts);
  return okStatus();
}

} // namespace sluice::rt
