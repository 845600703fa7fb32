// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels between lists that they change and whole tensors.
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/list.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/joined_elements.h"
#include "runtime/kernels/list.h"

namespace sluice::rt {

namespace {

List::SetMode modeOf(KernelCall &call) {
  attributes::SharedBy<attributes::list::Scatter, attributes::list::Split> attributes(call);
  return {attributes.grow(), attributes.once(), attributes.accumulate()};
}

Status gatherShape(ShapeCall &call) {
  const Shape &indices = call.input(1);
  SLUICE_RETURN_IF_ERROR(oneListRule(call));
  return stackedShape(attributes::list::Gather(call).elementShape(),
                      indices.rank() == 1 ? indices.dim(0) : Shape::kUnknown, call.output(0));
}
Status gatherRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  const Tensor &indices = call.input(1);
  attributes::list::Gather attributes(call);
  Shape expected = attributes.elementShape();
  SLUICE_ASSIGN_OR_RETURN(Shape narrowed, list->narrowedElementShape(expected));
  SLUICE_RETURN_IF_ERROR(checkVector(indices, "indices"));
  if (indices.elements() == 0) {
    SLUICE_RETURN_IF_ERROR(
        emptyWhole("element shape", "packing", expected, call.outputType(0), call.output(0)));
    return giveList(call, 1, std::move(list));
  }
  List::GetMode mode{call.outputType(0), attributes.clear(), attributes.beyond()};
  std::vector<Tensor> elements;
  TurnsOfCall turns(List::kCostOfElement);
  for (int64_t i = 0; i < indices.elements(); ++i) {
    if (turns.end())
      return cancelledWork();
    SLUICE_ASSIGN_OR_RETURN(Tensor element, list->get(indices.asInt(i), mode, narrowed));
    elements.push_back(std::move(element));
  }
  SLUICE_RETURN_IF_ERROR(stackElements(elements, expected, call.output(0)));
  return giveList(call, 1, std::move(list));
}

Status scatterRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  const Tensor &indices = call.input(1), &whole = call.input(2);
  SLUICE_RETURN_IF_ERROR(checkRowsFor(indices, whole));
  Shape element = removeDim(whole.shape(), 0);
  int64_t step = elementsBetween(element, 0, element.rank());
  TurnsOfCall turns(List::kCostOfElement);
  for (int64_t i = 0; i < indices.elements(); ++i) {
    if (turns.end())
      return cancelledWork();
    SLUICE_ASSIGN_OR_RETURN(Tensor part, partOf(whole, i * step, element));
    SLUICE_RETURN_IF_ERROR(list->set(indices.asInt(i), part, modeOf(call)));
  }
  return giveList(call, 0, std::move(list));
}

Status concatShape(ShapeCall &call) {
  call.output(1) = Shape{Shape::kUnknown};
  SLUICE_RETURN_IF_ERROR(oneListRule(call));
  return stackedShape(attributes::list::Concat(call).elementShapeExcept0(), Shape::kUnknown,
                      call.output(0));
}
Status concatRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  Shape expected = attributes::list::Concat(call).elementShapeExcept0();
  int64_t count = list->joinedLength();
  SLUICE_ASSIGN_OR_RETURN(call.output(1), Tensor::allocate(DType::kI64, Shape{count}));
  if (count == 0) {
    SLUICE_RETURN_IF_ERROR(emptyWhole("element_shape_except0", "concatenating", expected,
                                      call.outputType(0), call.output(0)));
    return giveList(call, 2, std::move(list));
  }
  List::GetMode mode{.dtype = call.outputType(0), .clear = attributes::list::Concat(call).clear()};
  std::vector<Tensor> elements;
  TurnsOfCall turns(List::kCostOfElement);
  for (int64_t i = 0; i < count; ++i) {
    if (turns.end())
      return cancelledWork();
    SLUICE_ASSIGN_OR_RETURN(Tensor element, list->get(i, mode, list->elementShape()));
    call.output(1).data<int64_t>()[i] = element.rank() > 0 ? element.dim(0) : 0;
    elements.push_back(std::move(element));
  }
  SLUICE_RETURN_IF_ERROR(concatElements(elements, expected, call.output(0)));
  return giveList(call, 2, std::move(list));
}

Status splitRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  const Tensor &whole = call.input(1), &lengths = call.input(2);
  SLUICE_RETURN_IF_ERROR(checkLengths(lengths, whole));
  int64_t count = lengths.elements();
  if (list->length() != count && !(modeOf(call).grow && list->length() < count))
    return invalidArgument(
        format("TensorArray's size is not equal to the size of lengths (%lld vs. %lld), and the "
               "TensorArray is not marked as dynamically resizeable",
               static_cast<long long>(list->length()), static_cast<long long>(count)));
  list->markLength(count);
  Shape shape = whole.shape();
  int64_t row = elementsBetween(shape, 1, shape.rank()), from = 0;
  TurnsOfCall turns(List::kCostOfElement);
  for (int64_t i = 0; i < count; ++i) {
    if (turns.end())
      return cancelledWork();
    shape.setDim(0, lengths.asInt(i));
    SLUICE_ASSIGN_OR_RETURN(Tensor part,
                            partOf(whole, whole.elements() > 0 ? from * row : 0, shape));
    SLUICE_RETURN_IF_ERROR(list->set(i, part, modeOf(call)));
    from += lengths.asInt(i);
  }
  return giveList(call, 0, std::move(list));
}

} // namespace

SLUICE_DEFINE_KERNEL(list_gather, {gatherShape, gatherRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_scatter, {oneListRule, scatterRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_concat, {concatShape, concatRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_split, {oneListRule, splitRun, Kernel::kAllocates})

} // namespace sluice::rt
