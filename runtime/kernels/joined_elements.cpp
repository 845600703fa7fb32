// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements as one tensor, and back.
#include "runtime/kernels/joined_elements.h"

#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/movement.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

Status checkVector(const Tensor &tensor, const char *what) {
  if (tensor.rank() == 1)
    return okStatus();
  return invalidArgument(format("Expected %s to be a vector, but received shape: %s", what,
                                tensor.shape().toString().c_str()));
}

Status emptyWhole(const char *what, const char *doing, const Shape &element, DType dtype,
                  Tensor &whole) {
  if (!element.isComplete())
    return unimplemented(format("TensorArray has size zero, but %s %s is not fully defined. "
                                "Currently only static shapes are supported when %s zero-size "
                                "TensorArrays.",
                                what, element.toString().c_str(), doing));
  SLUICE_ASSIGN_OR_RETURN(whole, Tensor::allocate(dtype, insertDim(element, 0, 0)));
  return okStatus();
}

constexpr int64_t kCostOfPart = 64;

// Copies the elements one behind the other.
static Status joinInto(std::span<const Tensor> elements, Tensor &whole) {
  std::vector<int64_t> begins;
  int64_t all = 0;
  for (const Tensor &element : elements) {
    begins.push_back(all);
    all += element.elements();
  }
  if (all > 0) // if they can be moved
    SLUICE_RETURN_IF_ERROR(copyElements(elements[0], 0, whole, 0, 0));
  const int64_t count = static_cast<int64_t>(elements.size());
  const int64_t bytes =
      all / std::max<int64_t>(1, count) * static_cast<int64_t>(sizeOf(whole.dtype()));
  auto copyOne = [&](size_t i) {
    (void)copyElements(elements[i], 0, whole, begins[i], elements[i].elements()).ok();
  };
  if (count < 2)
    copyOne(0);
  else
    forPieces(count, kCostOfPart + costOfAll(bytes, 1), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        copyOne(static_cast<size_t>(i));
    });
  return okStatus();
}

Status stackElements(std::span<const Tensor> elements, const Shape &expected, Tensor &whole) {
  const Shape &first = elements[0].shape();
  if (!expected.compatibleWith(first))
    return invalidArgument("TensorArray was passed element_shape " + expected.toString() +
                           " which does not match the Tensor at index 0: " + first.toString());
  for (size_t i = 1; i < elements.size(); ++i)
    if (!(elements[i].shape() == first))
      return invalidArgument(format("TensorArray has inconsistent shapes.  Index 0 has shape: %s "
                                    "but index %zu has shape: %s",
                                    first.toString().c_str(), i,
                                    elements[i].shape().toString().c_str()));
  SLUICE_RETURN_IF_ERROR(checkRank(first.rank() + 1));
  SLUICE_ASSIGN_OR_RETURN(
      whole, Tensor::allocate(elements[0].dtype(),
                              insertDim(first, 0, static_cast<int64_t>(elements.size()))));
  return joinInto(elements, whole);
}

// All but the first dim must agree; the first dims are added up.
static Status joinRows(std::span<const Tensor> elements, const Shape &expected, Shape &result) {
  int64_t rows = 0;
  Shape rest;
  for (size_t i = 0; i < elements.size(); ++i) {
    const Shape &shape = elements[i].shape();
    if (shape.rank() == 0)
      return invalidArgument(format("Concat saw a scalar shape at index %zu but requires at least "
                                    "vectors.  Did you mean to call pack?",
                                    i));
    Shape own = removeDim(shape, 0);
    if (i == 0)
      rest = own;
    if (i == 0 && !expected.compatibleWith(own))
      return invalidArgument("TensorArray was passed element_shape_except0 " + expected.toString() +
                             " but index 0 has (excepting dimension 0) "
                             "shape: " +
                             own.toString() + " which does not match.");
    if (!(own == rest))
      return invalidArgument(
          format("TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) "
                 "shape: %s but index %zu has (excepting dimension 0) shape: %s",
                 rest.toString().c_str(), i, own.toString().c_str()));
    if (__builtin_add_overflow(rows, shape.dim(0), &rows))
      return invalidArgument("sum of the elements' first dims overflows 64 bits");
  }
  result = insertDim(rest, 0, rows);
  return okStatus();
}

Status concatElements(std::span<const Tensor> elements, const Shape &expected, Tensor &whole) {
  Shape shape;
  SLUICE_RETURN_IF_ERROR(joinRows(elements, expected, shape));
  SLUICE_ASSIGN_OR_RETURN(whole, Tensor::allocate(elements[0].dtype(), shape));
  return joinInto(elements, whole);
}

Status stackedShape(const Shape &element, int64_t count, Shape &whole) {
  whole = Shape::unknownRank();
  if (element.hasRank()) {
    SLUICE_RETURN_IF_ERROR(checkRank(element.rank() + 1));
    whole = insertDim(element, 0, count);
  }
  return okStatus();
}

Status checkRowsFor(const Tensor &indices, const Tensor &whole) {
  if (whole.rank() < 1)
    return invalidArgument("Input value for unpack must be at least a vector but received shape: " +
                           whole.shape().toString());
  SLUICE_RETURN_IF_ERROR(checkVector(indices, "indices"));
  if (indices.elements() == whole.dim(0))
    return okStatus();
  return invalidArgument(format("Expected len(indices) == values.shape[0], but saw: %lld vs. %lld",
                                static_cast<long long>(indices.elements()),
                                static_cast<long long>(whole.dim(0))));
}

Status checkLengths(const Tensor &lengths, const Tensor &whole) {
  SLUICE_RETURN_IF_ERROR(checkVector(lengths, "lengths"));
  if (whole.rank() < 1)
    return invalidArgument("Expected value to be at least a vector, but received shape: " +
                           whole.shape().toString());
  int64_t sum = 0;
  for (int64_t i = 0; i < lengths.elements(); ++i) {
    if (lengths.asInt(i) < 0)
      return invalidArgument(format("expected lengths of at least 0 but lengths[%lld] is %lld",
                                    static_cast<long long>(i),
                                    static_cast<long long>(lengths.asInt(i))));
    if (__builtin_add_overflow(sum, lengths.asInt(i), &sum))
      return invalidArgument("sum of lengths overflows 64 bits");
  }
  if (sum != whole.dim(0))
    return invalidArgument(
        format("Expected sum of lengths to be equal to values.shape[0], but sum of lengths is %lld "
               "and value's shape is: %s ",
               static_cast<long long>(sum), whole.shape().toString().c_str()));
  return okStatus();
}

Result<Tensor> partOf(const Tensor &whole, int64_t from, const Shape &shape) {
  SLUICE_ASSIGN_OR_RETURN(Tensor part, Tensor::allocate(whole.dtype(), shape));
  if (part.elements() > 0)
    SLUICE_RETURN_IF_ERROR(copyElements(whole, from, part, 0, part.elements()));
  return part;
}

} // namespace sluice::rt
