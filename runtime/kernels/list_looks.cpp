// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that only look at lists.
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/list.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/joined_elements.h"
#include "runtime/kernels/list.h"

namespace sluice::rt {

namespace {

Status peekRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(List * list, objectOf<List>(call.input(0)));
  if (call.input(1).elements() != 1)
    return invalidArgument("index must be scalar, but had shape: " +
                           call.input(1).shape().toString());
  int64_t index = call.input(1).asInt();
  SLUICE_ASSIGN_OR_RETURN(call.output(0), list->at(index, call.outputType(0)));
  if (call.output(0).valid())
    return okStatus();
  SLUICE_ASSIGN_OR_RETURN(Shape expected,
                          expectedShape(call, 2, attributes::list::Peek(call).elementShape()));
  SLUICE_ASSIGN_OR_RETURN(call.output(0), list->peek(index, call.outputType(0), expected));
  return okStatus();
}

Status onlyRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(List * list, objectOf<List>(call.input(0)));
  if (list->length() == 0)
    return invalidArgument("The given optional does not have a value.");
  SLUICE_ASSIGN_OR_RETURN(call.output(0), list->at(0, call.outputType(0)));
  Shape expected = attributes::list::Only(call).elementShape();
  if (!call.output(0).valid())
    return invalidArgument("The given optional does not have a value.");
  if (call.outputType(0) == DType::kHandle || expected.compatibleWith(call.output(0).shape()))
    return okStatus();
  return invalidArgument("The given optional does not match the expected shape for component 0. "
                         "Expected: " +
                         expected.toString() + ". Actual: " + call.output(0).shape().toString() +
                         ".");
}

Status elementRule(ShapeCall &call) {
  call.output(0) = call.outputType(0) == DType::kHandle ? Shape{} : Shape::unknownRank();
  return okStatus();
}

Status elementShapeRule(ShapeCall &call) {
  call.output(0) = Shape::unknownRank();
  return okStatus();
}
Status elementShapeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(List * list, objectOf<List>(call.input(0)));
  const Shape &shape = list->elementShape();
  Shape form = shape.hasRank() ? Shape{shape.rank()} : Shape{};
  SLUICE_ASSIGN_OR_RETURN(call.output(0), Tensor::allocate(call.outputType(0), form));
  if (!shape.hasRank())
    putInt(call.output(0), 0, -1);
  for (int i = 0; i < shape.rank() && shape.hasRank(); ++i)
    putInt(call.output(0), i, shape.dim(i));
  return okStatus();
}

// ---- Whole lists --------------------------------------------------------------------------------

// The elements, of which empty ones are zeros, and all have one shape. `known` is what is known of
// it beside the elements.
Status completeAll(std::vector<Tensor> &elements, Shape known, DType dtype) {
  for (const Tensor &element : elements)
    if (element.valid()) {
      if (!known.compatibleWith(element.shape()))
        return invalidArgument("PartialTensorShape: Incompatible shapes during merge: " +
                               known.toString() + " vs. " + element.shape().toString());
      known = element.shape();
    }
  if (!known.isComplete())
    return invalidArgument("Tried to read uninitialized tensors from a list with non-fully-defined "
                           "element_shape: " +
                           known.toString());
  for (Tensor &element : elements)
    if (!element.valid()) {
      SLUICE_ASSIGN_OR_RETURN(element, Tensor::allocate(dtype, known));
      if (isPlain(dtype) && element.bytes() > 0)
        clearInPieces(element.raw(), element.bytes());
    }
  return okStatus();
}

Status wholeOf(std::vector<Tensor> &elements, const Shape &known, DType dtype, Tensor &whole) {
  if (elements.empty()) {
    if (!known.isComplete())
      return invalidArgument("Tried to stack elements of an empty list with non-fully-defined "
                             "element_shape: " +
                             known.toString());
    SLUICE_RETURN_IF_ERROR(checkRank(known.rank() + 1));
    SLUICE_ASSIGN_OR_RETURN(whole, Tensor::allocate(dtype, insertDim(known, 0, 0)));
    return okStatus();
  }
  SLUICE_RETURN_IF_ERROR(completeAll(elements, known, dtype));
  return stackElements(elements, Shape::unknownRank(), whole);
}

Status stackRule(ShapeCall &call) {
  attributes::list::Stack attributes(call);
  int64_t count = attributes.numElements();
  return stackedShape(attributes.elementShape(), count < 0 ? Shape::kUnknown : count,
                      call.output(0));
}
Status stackRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(List * list, objectOf<List>(call.input(0)));
  attributes::list::Stack attributes(call);
  SLUICE_ASSIGN_OR_RETURN(Shape expected, expectedShape(call, 1, attributes.elementShape()));
  SLUICE_ASSIGN_OR_RETURN(Shape known, list->narrowedElementShape(expected));
  if (int64_t count = attributes.numElements(); count >= 0 && count != list->length())
    return invalidArgument(
        format("Operation expected a list with %lld elements but got a list with %lld elements.",
               static_cast<long long>(count), static_cast<long long>(list->length())));
  if (std::optional<Tensor> whole = list->length() > 0 ? list->asTensor() : std::nullopt) {
    if (!known.compatibleWith(removeDim(whole->shape(), 0)))
      return invalidArgument("PartialTensorShape: Incompatible shapes during merge: " +
                             known.toString() + " vs. " + removeDim(whole->shape(), 0).toString());
    call.output(0) = std::move(*whole);
    return okStatus();
  }
  std::vector<Tensor> elements;
  TurnsOfCall turns(List::kCostOfElement);
  for (int64_t i = 0; i < list->length(); ++i) {
    if (turns.end())
      return cancelledWork();
    SLUICE_ASSIGN_OR_RETURN(Tensor element, list->at(i, call.outputType(0)));
    elements.push_back(std::move(element));
  }
  return wholeOf(elements, known, call.outputType(0), call.output(0));
}

Status rowsRule(ShapeCall &call) {
  const Shape &indices = call.input(1);
  return stackedShape(attributes::list::Rows(call).elementShape(),
                      indices.isComplete() ? indices.elements() : Shape::kUnknown, call.output(0));
}
Status rowsRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(List * list, objectOf<List>(call.input(0)));
  const Tensor &indices = call.input(1);
  SLUICE_ASSIGN_OR_RETURN(Shape expected,
                          expectedShape(call, 2, attributes::list::Rows(call).elementShape()));
  SLUICE_ASSIGN_OR_RETURN(Shape known, list->narrowedElementShape(expected));
  std::vector<Tensor> elements;
  TurnsOfCall turns(List::kCostOfElement);
  for (int64_t i = 0; i < indices.elements(); ++i) {
    if (turns.end())
      return cancelledWork();
    SLUICE_ASSIGN_OR_RETURN(Tensor element, list->at(indices.asInt(i), call.outputType(0)));
    elements.push_back(std::move(element));
  }
  return wholeOf(elements, known, call.outputType(0), call.output(0));
}

// ---- Joined -------------------------------------------------------------------------------------

Status joinRule(ShapeCall &call) {
  call.output(1) = Shape{Shape::kUnknown};
  Shape element = attributes::list::Join(call).elementShape();
  call.output(0) = element;
  if (element.hasRank() && element.rank() > 0)
    call.output(0).setDim(0, Shape::kUnknown);
  else
    call.output(0) = Shape::unknownRank();
  return okStatus();
}

// What is known of elements, of which `known` is, if they differ in their first dim only; that dim
// stays known if all have the same.
Status learnRows(const std::vector<Tensor> &elements, Shape &known) {
  bool isDeclared = known.hasRank() && known.dim(0) >= 0, isFirst = true;
  TurnsOfCall turns(List::kCostOfElement);
  for (size_t i = 0; i < elements.size(); ++i) {
    if (turns.end())
      return cancelledWork();
    if (!elements[i].valid())
      continue;
    const Shape &shape = elements[i].shape();
    if (shape.rank() == 0)
      return invalidArgument(
          format("Concat saw a scalar shape at index %zu but requires at least vectors.", i));
    if (!known.hasRank())
      known = insertDim(removeDim(shape, 0), 0, Shape::kUnknown);
    if (isDeclared && known.dim(0) != shape.dim(0))
      return invalidArgument(
          format("First entry of element_shape input does not match the first dim of list element "
                 "at index: %zu Expected: %lld Actual: %lld",
                 i, static_cast<long long>(known.dim(0)), static_cast<long long>(shape.dim(0))));
    if (!removeDim(known, 0).compatibleWith(removeDim(shape, 0)))
      return invalidArgument("PartialTensorShape: Incompatible shapes during merge: " +
                             removeDim(known, 0).toString() + " vs. " +
                             removeDim(shape, 0).toString());
    int64_t first = isFirst || known.dim(0) == shape.dim(0) ? shape.dim(0) : Shape::kUnknown;
    known = shape;
    known.setDim(0, first);
    isFirst = false;
  }
  return okStatus();
}

Status joinRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(List * list, objectOf<List>(call.input(0)));
  const Tensor &leading = call.input(1);
  SLUICE_ASSIGN_OR_RETURN(Shape expected,
                          expectedShape(call, 2, attributes::list::Join(call).elementShape()));
  SLUICE_ASSIGN_OR_RETURN(Shape known, list->narrowedElementShape(expected));
  if (known.hasRank() && known.rank() == 0)
    return invalidArgument(
        "Concat requires elements to be at least vectors, found scalars instead.");
  std::vector<Tensor> elements;
  TurnsOfCall turns(List::kCostOfElement);
  for (int64_t i = 0; i < list->length(); ++i) {
    if (turns.end())
      return cancelledWork();
    SLUICE_ASSIGN_OR_RETURN(Tensor element, list->at(i, call.outputType(0)));
    elements.push_back(std::move(element));
  }
  SLUICE_ASSIGN_OR_RETURN(call.output(1), Tensor::allocate(DType::kI64, Shape{list->length()}));
  SLUICE_RETURN_IF_ERROR(learnRows(elements, known));
  if (elements.empty() && !(known.hasRank() && removeDim(known, 0).isComplete()))
    return invalidArgument("All except the first dimension must be fully defined when concating an "
                           "empty tensor list. element_shape: " +
                           known.toString());
  if (elements.empty()) {
    known.setDim(0, 0);
    SLUICE_ASSIGN_OR_RETURN(call.output(0), Tensor::allocate(call.outputType(0), known));
    return okStatus();
  }
  for (size_t i = 0; i < elements.size(); ++i) {
    if (turns.end())
      return cancelledWork();
    if (!elements[i].valid()) {
      Shape shape = known;
      if (shape.hasRank() && static_cast<int64_t>(i) < leading.elements())
        shape.setDim(0, leading.asInt(static_cast<int64_t>(i)));
      if (!shape.isComplete())
        return invalidArgument(format("List contains uninitialized tensor at index %zu but its "
                                      "shape is not fully defined: %s",
                                      i, shape.toString().c_str()));
      SLUICE_ASSIGN_OR_RETURN(elements[i], Tensor::allocate(call.outputType(0), shape));
      if (isPlain(call.outputType(0)) && elements[i].bytes() > 0)
        clearInPieces(elements[i].raw(), elements[i].bytes());
    }
    call.output(1).data<int64_t>()[i] = elements[i].dim(0);
  }
  return concatElements(elements, Shape::unknownRank(), call.output(0));
}

} // namespace

SLUICE_DEFINE_KERNEL(list_peek, {elementRule, peekRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_only, {elementRule, onlyRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_element_shape, {elementShapeRule, elementShapeRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_stack, {stackRule, stackRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_rows, {rowsRule, rowsRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_join, {joinRule, joinRun, Kernel::kAllocates})

} // namespace sluice::rt
