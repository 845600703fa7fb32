// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels between TensorArrays and whole tensors: gather, scatter, concat, split.
#include "runtime/kernels/array_values.h"

#include "runtime/kernels/arguments.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"
#include "runtime/kernels/shape_rules.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

namespace {

enum WholeAttr { kElementShape }; // of concat: without the first dim

Shape elementShapeOf(const Attr &attr) {
  return attr.present() ? attr.shape() : Shape::unknownRank();
}

Status checkVector(const Tensor &tensor, const char *what) {
  if (tensor.rank() == 1)
    return okStatus();
  return invalidArgument(format("Expected %s to be a vector, but received shape: %s", what,
                                tensor.shape().toString().c_str()));
}

// Positions are stored in 32 bits; what does not fit is beyond every size.
int32_t asIndex(int64_t value) {
  return static_cast<int32_t>(std::clamp<int64_t>(value, -1, INT32_MAX));
}

Status emptyValue(const char *what, const char *doing, const Shape &element, DType dtype,
                  Tensor &value) {
  if (!element.isComplete())
    return unimplemented(format("TensorArray has size zero, but %s %s is not fully defined. "
                                "Currently only static shapes are supported when %s zero-size "
                                "TensorArrays.",
                                what, element.toString().c_str(), doing));
  SLUICE_ASSIGN_OR_RETURN(value, Tensor::allocate(dtype, insertDim(element, 0, 0)));
  return okStatus();
}

// Copies the elements one behind the other.
Status joinInto(std::span<const Tensor> elements, Tensor &whole) {
  int64_t to = 0;
  for (const Tensor &element : elements) {
    SLUICE_RETURN_IF_ERROR(copyElements(element, 0, whole, to, element.elements()));
    to += element.elements();
  }
  return okStatus();
}

Status gatherShape(ShapeCall &call) {
  Shape element = elementShapeOf(call.attr(kElementShape));
  call.output(0) = Shape::unknownRank();
  if (element.hasRank()) {
    SLUICE_RETURN_IF_ERROR(checkRank(element.rank() + 1));
    call.output(0) =
        insertDim(element, 0, call.input(1).rank() == 1 ? call.input(1).dim(0) : Shape::kUnknown);
  }
  return okStatus();
}

Status gatherRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  const Tensor &indices = call.input(1);
  Shape expected = elementShapeOf(call.attr(kElementShape));
  SLUICE_RETURN_IF_ERROR(checkReadType(*array, call.outputType(0)));
  SLUICE_ASSIGN_OR_RETURN(Shape narrowed, array->narrowedElementShape(expected));
  SLUICE_RETURN_IF_ERROR(checkVector(indices, "indices"));
  int64_t count = indices.elements();
  if (count == 0)
    return emptyValue("element shape", "packing", expected, call.outputType(0), call.output(0));
  std::vector<Tensor> elements;
  for (int64_t i = 0; i < count; ++i) {
    SLUICE_ASSIGN_OR_RETURN(Tensor element, array->read(asIndex(indices.asInt(i)), narrowed));
    elements.push_back(std::move(element));
  }
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
  SLUICE_ASSIGN_OR_RETURN(call.output(0),
                          Tensor::allocate(array->dtype(), insertDim(first, 0, count)));
  return joinInto(elements, call.output(0));
}

// Copies `count` elements of the whole from `from` on into one array element of the given shape.
Status writePart(TensorArray &array, int32_t index, const Tensor &whole, int64_t from,
                 const Shape &shape) {
  SLUICE_ASSIGN_OR_RETURN(Tensor part, Tensor::allocate(whole.dtype(), shape));
  if (part.elements() > 0)
    SLUICE_RETURN_IF_ERROR(copyElements(whole, from, part, 0, part.elements()));
  return array.write(index, part);
}

Status scatterRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  const Tensor &indices = call.input(1), &whole = call.input(2);
  SLUICE_RETURN_IF_ERROR(checkWrittenType(*array, whole.dtype()));
  if (whole.rank() < 1)
    return invalidArgument("Input value for unpack must be at least a vector but received shape: " +
                           whole.shape().toString());
  SLUICE_RETURN_IF_ERROR(checkVector(indices, "indices"));
  if (indices.elements() != whole.dim(0))
    return invalidArgument(
        format("Expected len(indices) == values.shape[0], but saw: %lld vs. %lld",
               static_cast<long long>(indices.elements()), static_cast<long long>(whole.dim(0))));
  SLUICE_ASSIGN_OR_RETURN(int32_t size, array->size());
  int64_t largest = -1;
  for (int64_t i = 0; i < indices.elements(); ++i)
    largest = std::max(largest, indices.asInt(i));
  if (largest >= size && !array->dynamicSize())
    return invalidArgument(format("Max scatter index must be < array size (%lld vs. %d)",
                                  static_cast<long long>(largest), size));
  Shape element = removeDim(whole.shape(), 0);
  int64_t step = elementsBetween(element, 0, element.rank());
  for (int64_t i = 0; i < indices.elements(); ++i)
    SLUICE_RETURN_IF_ERROR(writePart(*array, asIndex(indices.asInt(i)), whole, i * step, element));
  call.output(0) = Tensor::scalar(0.0f);
  return okStatus();
}

Status concatShape(ShapeCall &call) {
  Shape rest = elementShapeOf(call.attr(kElementShape));
  call.output(0) = Shape::unknownRank();
  if (rest.hasRank()) {
    SLUICE_RETURN_IF_ERROR(checkRank(rest.rank() + 1));
    call.output(0) = insertDim(rest, 0, Shape::kUnknown);
  }
  call.output(1) = Shape{Shape::kUnknown};
  return okStatus();
}

// All but the first dim must agree; the first dims are added up.
Status joinRows(std::span<const Tensor> elements, const Shape &expected, Shape &result) {
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

Status concatRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  Shape expected = elementShapeOf(call.attr(kElementShape));
  SLUICE_RETURN_IF_ERROR(checkReadType(*array, call.outputType(0)));
  SLUICE_ASSIGN_OR_RETURN(int32_t count, array->wholeSize());
  SLUICE_ASSIGN_OR_RETURN(call.output(1), Tensor::allocate(DType::kI64, Shape{count}));
  if (count == 0)
    return emptyValue("element_shape_except0", "concatenating", expected, call.outputType(0),
                      call.output(0));
  std::vector<Tensor> elements;
  for (int32_t i = 0; i < count; ++i) {
    SLUICE_ASSIGN_OR_RETURN(Tensor element, array->read(i));
    call.output(1).data<int64_t>()[i] = element.rank() > 0 ? element.dim(0) : 0;
    elements.push_back(std::move(element));
  }
  Shape shape;
  SLUICE_RETURN_IF_ERROR(joinRows(elements, expected, shape));
  SLUICE_ASSIGN_OR_RETURN(call.output(0), Tensor::allocate(array->dtype(), shape));
  return joinInto(elements, call.output(0));
}

Status checkLengths(const Tensor &lengths, const Tensor &whole) {
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

Status splitRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  const Tensor &whole = call.input(1), &lengths = call.input(2);
  SLUICE_RETURN_IF_ERROR(checkWrittenType(*array, whole.dtype()));
  SLUICE_RETURN_IF_ERROR(checkVector(lengths, "lengths"));
  if (whole.rank() < 1)
    return invalidArgument("Expected value to be at least a vector, but received shape: " +
                           whole.shape().toString());
  SLUICE_RETURN_IF_ERROR(checkLengths(lengths, whole));
  SLUICE_ASSIGN_OR_RETURN(int32_t size, array->size());
  int64_t count = lengths.elements();
  if (size != count && !(array->dynamicSize() && size < count))
    return invalidArgument(
        format("TensorArray's size is not equal to the size of lengths (%d vs. %lld), and the "
               "TensorArray is not marked as dynamically resizeable",
               size, static_cast<long long>(count)));
  array->markSize(asIndex(count));
  Shape shape = whole.shape();
  int64_t row = elementsBetween(shape, 1, shape.rank()), from = 0;
  for (int64_t i = 0; i < count; ++i) {
    shape.setDim(0, lengths.asInt(i));
    int64_t begin = whole.elements() > 0 ? from * row : 0;
    SLUICE_RETURN_IF_ERROR(writePart(*array, asIndex(i), whole, begin, shape));
    from += lengths.asInt(i);
  }
  call.output(0) = Tensor::scalar(0.0f);
  return okStatus();
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(array_gather, gatherShape, gatherRun)
SLUICE_DEFINE_EFFECT_KERNEL(array_scatter, scalarShapeRule, scatterRun)
SLUICE_DEFINE_EFFECT_KERNEL(array_concat, concatShape, concatRun)
SLUICE_DEFINE_EFFECT_KERNEL(array_split, scalarShapeRule, splitRun)

} // namespace sluice::rt
