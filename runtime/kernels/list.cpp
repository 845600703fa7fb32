// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on lists, element by element.
#include "runtime/kernels/list.h"

#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/list.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/map.h"

namespace sluice::rt {

namespace {

// Of an index or a size.
Result<int64_t> readScalar(const Tensor &tensor, const char *what) {
  if (tensor.elements() != 1)
    return invalidArgument(format("TensorArray %s must be scalar, but had shape: %s", what,
                                  tensor.shape().toString().c_str()));
  return tensor.asInt();
}

Status makeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(int64_t size, readScalar(call.input(0), "size"));
  if (size < 0 || size > List::kMostElements)
    return invalidArgument("Size should be >= 0.");
  attributes::list::Make attributes(call);
  return giveList(call, 0, List::make(size, attributes.elementShape(), attributes.identical()));
}

// The zeros of a map are none, since keys that it lacks count as zeros.
Status zerosLikeRun(KernelCall &call) {
  if (isMap(call.input(0)))
    return giveMap(call, Map::make());
  SLUICE_ASSIGN_OR_RETURN(List * list, objectOf<List>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(Ref<List> zeros, list->zerosLike());
  return giveList(call, 0, std::move(zeros));
}

Status unstackRun(KernelCall &call) {
  Shape declared = attributes::list::Unstack(call).elementShape();
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, List::unstack(call.input(0), declared));
  return giveList(call, 0, std::move(list));
}

// A size for each dim, or -1.
Status readPartialShape(const Tensor &sizes, Shape &shape) {
  shape = Shape::unknownRank();
  if (sizes.rank() == 0 && sizes.asInt() == -1)
    return okStatus();
  if (sizes.rank() == 0)
    return invalidArgument(
        "The only valid scalar shape tensor is the fully unknown shape specified as -1.");
  if (sizes.rank() != 1)
    return invalidArgument(format("Shape must be at most rank 1 but is rank %d", sizes.rank()));
  SLUICE_RETURN_IF_ERROR(checkRank(sizes.elements()));
  std::vector<int64_t> dims;
  for (int64_t i = 0; i < sizes.elements(); ++i) {
    dims.push_back(sizes.asInt(i));
    if (dims.back() < -1)
      return invalidArgument(
          format("Dimension %lld must be >= -1", static_cast<long long>(dims.back())));
  }
  shape = Shape(std::span<const int64_t>(dims));
  return okStatus();
}

Status declareShapeRun(KernelCall &call) {
  Shape shape;
  SLUICE_RETURN_IF_ERROR(readPartialShape(call.input(1), shape));
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  SLUICE_RETURN_IF_ERROR(list->declareShape(shape));
  return giveList(call, 0, std::move(list));
}

Status declareLimitRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(int64_t limit, readScalar(call.input(1), "limit"));
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  list->declareLimit(limit);
  return giveList(call, 0, std::move(list));
}

Status addMaps(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Map * other, objectOf<Map>(call.input(1)));
  SLUICE_ASSIGN_OR_RETURN(Ref<Map> map, mapToChange(call));
  SLUICE_RETURN_IF_ERROR(map->add(*other));
  return giveMap(call, std::move(map));
}
Status addRun(KernelCall &call) {
  if (isMap(call.input(0)))
    return addMaps(call);
  SLUICE_ASSIGN_OR_RETURN(List * other, objectOf<List>(call.input(1)));
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  SLUICE_RETURN_IF_ERROR(list->add(*other));
  return giveList(call, 0, std::move(list));
}

Status appendRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(List * other, objectOf<List>(call.input(1)));
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  SLUICE_RETURN_IF_ERROR(list->append(*other));
  return giveList(call, 0, std::move(list));
}

Status lengthShape(ShapeCall &call) {
  call.output(0) = Shape{};
  return okStatus();
}
Status lengthRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(List * list, objectOf<List>(call.input(0)));
  call.output(0) = Tensor::scalar(static_cast<int32_t>(list->length()));
  return okStatus();
}

Status getRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  SLUICE_ASSIGN_OR_RETURN(int64_t index, readScalar(call.input(1), "index"));
  attributes::list::Get attributes(call);
  List::GetMode mode{call.outputType(0), attributes.clear(), attributes.beyond()};
  SLUICE_ASSIGN_OR_RETURN(call.output(0), list->get(index, mode, list->elementShape()));
  return giveList(call, 1, std::move(list));
}

Status setRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  SLUICE_ASSIGN_OR_RETURN(int64_t index, readScalar(call.input(1), "index"));
  attributes::list::Set attributes(call);
  List::SetMode mode{.grow = attributes.grow(), .once = attributes.once()};
  SLUICE_RETURN_IF_ERROR(list->set(index, call.input(2), mode));
  return giveList(call, 0, std::move(list));
}

Status accumulateRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  SLUICE_ASSIGN_OR_RETURN(int64_t index, readScalar(call.input(1), "index"));
  SLUICE_RETURN_IF_ERROR(list->set(index, call.input(2), {.accumulate = true}));
  return giveList(call, 0, std::move(list));
}

Status pushRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  int64_t limit = attributes::list::Push(call).limit();
  if (limit >= 0 && list->length() >= limit)
    return invalidArgument(
        format("Stack overflowed its max_size (%lld)", static_cast<long long>(limit)));
  SLUICE_RETURN_IF_ERROR(list->push(call.input(1)));
  return giveList(call, 0, std::move(list));
}

Status popRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  Shape expected = Shape::unknownRank(); // a shape of what is there is not looked at
  if (list->length() > 0 && list->isEmptyAt(list->length() - 1)) {
    SLUICE_ASSIGN_OR_RETURN(expected,
                            expectedShape(call, 1, attributes::list::Pop(call).elementShape()));
  }
  SLUICE_ASSIGN_OR_RETURN(call.output(0), list->pop(call.outputType(0), expected));
  return giveList(call, 1, std::move(list));
}

Status resizeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Ref<List> list, listToChange(call));
  SLUICE_ASSIGN_OR_RETURN(int64_t size, readScalar(call.input(1), "size"));
  SLUICE_RETURN_IF_ERROR(list->resize(size));
  return giveList(call, 0, std::move(list));
}

} // namespace

Status oneListRule(ShapeCall &call) {
  call.output(call.numOutputs() - 1) = Shape{};
  return okStatus();
}

Result<Shape> expectedShape(const KernelCall &call, size_t operand, const Shape &attribute) {
  if (call.numInputs() <= operand)
    return attribute;
  Shape shape;
  SLUICE_RETURN_IF_ERROR(readPartialShape(call.input(operand), shape));
  return List::make(0, attribute, false)->narrowedElementShape(shape);
}

static Status elementAndListRule(ShapeCall &call) {
  call.output(0) = Shape::unknownRank();
  return oneListRule(call);
}

Result<Ref<List>> listToChange(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(List * list, objectOf<List>(call.input(0)));
  if (list->solelyOwned())
    return Ref<List>::share(list);
  return list->clone();
}

Status giveList(KernelCall &call, size_t output, Ref<List> list) {
  call.output(output) = Tensor::handle(Ref<Object>::adopt(list.take()));
  return okStatus();
}

SLUICE_DEFINE_KERNEL(list_make, {oneListRule, makeRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_zeros_like, {oneListRule, zerosLikeRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_declare_shape, {oneListRule, declareShapeRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_declare_limit, {oneListRule, declareLimitRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_add, {oneListRule, addRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_append, {oneListRule, appendRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_unstack, {oneListRule, unstackRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_length, {lengthShape, lengthRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_get, {elementAndListRule, getRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_set, {oneListRule, setRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_accumulate, {oneListRule, accumulateRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_push, {oneListRule, pushRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_pop, {elementAndListRule, popRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_resize, {oneListRule, resizeRun, Kernel::kAllocates})

} // namespace sluice::rt
