// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels between TensorArrays and whole tensors: gather, scatter, concat, split.
#include "runtime/kernels/array_values.h"

#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/array.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/joined_elements.h"
#include "runtime/kernels/shape_rules.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

namespace {

// To take or to put an element, for TurnsOfCall; a large one asks by itself.
constexpr int64_t kCostOfElement = 512;

// Positions are stored in 32 bits; what does not fit is beyond every size.
int32_t asIndex(int64_t value) {
  return static_cast<int32_t>(std::clamp<int64_t>(value, -1, INT32_MAX));
}

Status gatherShape(ShapeCall &call) {
  const Shape &indices = call.input(1);
  return stackedShape(attributes::array::Gather(call).elementShape(),
                      indices.rank() == 1 ? indices.dim(0) : Shape::kUnknown, call.output(0));
}

Status gatherRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  const Tensor &indices = call.input(1);
  Shape expected = attributes::array::Gather(call).elementShape();
  SLUICE_RETURN_IF_ERROR(checkReadType(*array, call.outputType(0)));
  SLUICE_ASSIGN_OR_RETURN(Shape narrowed, array->narrowedElementShape(expected));
  SLUICE_RETURN_IF_ERROR(checkVector(indices, "indices"));
  int64_t count = indices.elements();
  if (count == 0)
    return emptyWhole("element shape", "packing", expected, call.outputType(0), call.output(0));
  std::vector<Tensor> elements;
  TurnsOfCall turns(kCostOfElement);
  for (int64_t i = 0; i < count; ++i) {
    if (turns.end())
      return cancelledWork();
    SLUICE_ASSIGN_OR_RETURN(Tensor element, array->read(asIndex(indices.asInt(i)), narrowed));
    elements.push_back(std::move(element));
  }
  return stackElements(elements, expected, call.output(0));
}

Status scatterRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  const Tensor &indices = call.input(1), &whole = call.input(2);
  SLUICE_RETURN_IF_ERROR(checkWrittenType(*array, whole.dtype()));
  SLUICE_RETURN_IF_ERROR(checkRowsFor(indices, whole));
  SLUICE_ASSIGN_OR_RETURN(int32_t size, array->size());
  int64_t largest = -1;
  for (int64_t i = 0; i < indices.elements(); ++i)
    largest = std::max(largest, indices.asInt(i));
  if (largest >= size && !array->dynamicSize())
    return invalidArgument(format("Max scatter index must be < array size (%lld vs. %d)",
                                  static_cast<long long>(largest), size));
  Shape element = removeDim(whole.shape(), 0);
  int64_t step = elementsBetween(element, 0, element.rank());
  TurnsOfCall turns(kCostOfElement);
  for (int64_t i = 0; i < indices.elements(); ++i) {
    if (turns.end())
      return cancelledWork();
    SLUICE_ASSIGN_OR_RETURN(Tensor part, partOf(whole, i * step, element));
    SLUICE_RETURN_IF_ERROR(array->write(asIndex(indices.asInt(i)), part));
  }
  call.output(0) = Tensor::scalar(0.0f);
  return okStatus();
}

Status concatShape(ShapeCall &call) {
  call.output(1) = Shape{Shape::kUnknown};
  return stackedShape(attributes::array::Concat(call).elementShapeExcept0(), Shape::kUnknown,
                      call.output(0));
}

Status concatRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  Shape expected = attributes::array::Concat(call).elementShapeExcept0();
  SLUICE_RETURN_IF_ERROR(checkReadType(*array, call.outputType(0)));
  SLUICE_ASSIGN_OR_RETURN(int32_t count, array->wholeSize());
  SLUICE_ASSIGN_OR_RETURN(call.output(1), Tensor::allocate(DType::kI64, Shape{count}));
  if (count == 0)
    return emptyWhole("element_shape_except0", "concatenating", expected, call.outputType(0),
                      call.output(0));
  std::vector<Tensor> elements;
  TurnsOfCall turns(kCostOfElement);
  for (int32_t i = 0; i < count; ++i) {
    if (turns.end())
      return cancelledWork();
    SLUICE_ASSIGN_OR_RETURN(Tensor element, array->read(i));
    call.output(1).data<int64_t>()[i] = element.rank() > 0 ? element.dim(0) : 0;
    elements.push_back(std::move(element));
  }
  return concatElements(elements, expected, call.output(0));
}

Status splitRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  const Tensor &whole = call.input(1), &lengths = call.input(2);
  SLUICE_RETURN_IF_ERROR(checkWrittenType(*array, whole.dtype()));
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
  TurnsOfCall turns(kCostOfElement);
  for (int64_t i = 0; i < count; ++i) {
    if (turns.end())
      return cancelledWork();
    shape.setDim(0, lengths.asInt(i));
    int64_t begin = whole.elements() > 0 ? from * row : 0;
    SLUICE_ASSIGN_OR_RETURN(Tensor part, partOf(whole, begin, shape));
    SLUICE_RETURN_IF_ERROR(array->write(asIndex(i), part));
    from += lengths.asInt(i);
  }
  call.output(0) = Tensor::scalar(0.0f);
  return okStatus();
}

// An operation for each element that is copied.
uint64_t arrayWork(const KernelCall &call) {
  Result<TensorArray *> array = objectOf<TensorArray>(call.input(0));
  int64_t elements = array.ok() ? (*array)->elements() : 0;
  for (size_t i = 1; i < call.numInputs(); ++i)
    elements += call.input(i).elements();
  return static_cast<uint64_t>(elements);
}

} // namespace

SLUICE_DEFINE_LONG_EFFECT_KERNEL(array_gather, gatherShape, gatherRun, arrayWork)
SLUICE_DEFINE_LONG_EFFECT_KERNEL(array_scatter, scalarShapeRule, scatterRun, arrayWork)
SLUICE_DEFINE_LONG_EFFECT_KERNEL(array_concat, concatShape, concatRun, arrayWork)
SLUICE_DEFINE_LONG_EFFECT_KERNEL(array_split, scalarShapeRule, splitRun, arrayWork)

} // namespace sluice::rt
