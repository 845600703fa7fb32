// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of codelets: kernels on them, and elements in and out.
#include "runtime/executor/boxes.h"

#include <algorithm>
#include <cstring>

namespace sluice::rt {

bool Boxes::fail(Status status) {
  if (failure_.ok())
    failure_ = std::move(status);
  return false;
}

bool Boxes::put(size_t box, DType dtype, const Shape &shape, const void *data) {
  if (!failure_.ok())
    return false;
  Result<Tensor> copy = Tensor::allocate(dtype, shape);
  if (!copy.ok())
    return fail(copy.status());
  std::memcpy(copy->raw(), data, copy->bytes());
  values_[box] = std::move(*copy);
  return true;
}

void Boxes::take(size_t box, size_t input, bool isLast) {
  const Input &place = node_.inputs[input];
  if (isLast && !place.constant)
    values_[box] = std::move(iteration_.slots[place.slot]);
  else
    values_[box] = *inputs_[input];
}

bool Boxes::get(size_t box, DType dtype, const Shape &shape, void *data) {
  const Tensor &value = values_[box];
  size_t bytes = static_cast<size_t>(shape.elements()) * sizeOf(dtype);
  if (failure_.ok() && value.dtype() == dtype && value.shape() == shape) {
    std::memcpy(data, value.raw(), bytes);
    return true;
  }
  std::memset(data, 0, bytes);
  if (dtype == DType::kBool && shape.rank() == 0) // of a branch or loop
    return fail(invalidArgument("expected a scalar bool as predicate but got shape " +
                                value.shape().toString()));
  return fail(internalError("expected a value of shape " + shape.toString() + " but got shape " +
                            value.shape().toString()));
}

void Boxes::move(size_t from, size_t to, bool isLast) {
  if (isLast)
    values_[to] = std::move(values_[from]);
  else
    values_[to] = values_[from];
}

// An operand that nobody needs again may be the result of a kernel that works in place.
Status Boxes::makeOutputs(const CodeletCall &call, std::span<const Tensor *> inputs,
                          std::span<Tensor> held, std::span<Tensor> outputs) {
  const Kernel &kernel = *call.kernel;
  SmallArray<const Shape *, 8> shapes(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    shapes[i] = &inputs[i]->shape();
  SmallArray<Shape, 2> results(outputs.size());
  ShapeCall rule(shapes.span(), inputs, call.attrs, results.span(), call.outputTypes);
  SLUICE_RETURN_IF_ERROR(kernel.shape(rule));
  for (size_t i = 0; (kernel.flags & Kernel::kInPlace) && i < held.size(); ++i)
    if (held[i].dtype() == call.outputTypes[0] && held[i].shape() == results[0] &&
        held[i].solelyOwned()) {
      outputs[0] = std::move(held[i]);
      inputs[i] = &outputs[0];
      break;
    }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].valid())
      continue;
    SLUICE_ASSIGN_OR_RETURN(outputs[i], Tensor::allocate(call.outputTypes[i], results[i]));
  }
  return okStatus();
}

bool Boxes::run(size_t position, uint64_t last) {
  if (!failure_.ok())
    return false;
  const CodeletCall &call = codelet_.calls[position];
  SmallArray<const Tensor *, 8> inputs(call.inputs.size());
  SmallArray<Tensor, 8> held(call.inputs.size());
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    const CodeletCall::Input &input = call.inputs[i];
    if (input.constant) {
      inputs[i] = input.constant;
      continue;
    }
    Tensor &box = values_[input.box];
    inputs[i] = &box;
    // What a kernel may change where it lies has one holder; so others hold it twice.
    if (i < 64 && (last >> i & 1))
      held[i] = std::move(box);
    else if (box.dtype() == DType::kHandle)
      held[i] = box;
    else
      continue;
    inputs[i] = &held[i];
  }
  SmallArray<Tensor, 2> outputs(call.outputTypes.size());
  Status status = call.kernel->flags & Kernel::kAllocates
                      ? okStatus()
                      : makeOutputs(call, inputs.span(), held.span(), outputs.span());
  if (status.ok()) {
    KernelCall run(inputs.span(), outputs.span(), call.attrs, call.outputTypes, nullptr);
    status = call.kernel->run(run);
  }
  if (!status.ok())
    return fail(std::move(status));
  for (size_t i = 0; i < call.results.size(); ++i)
    values_[call.results[i]] = std::move(outputs[i]);
  floatKernels_ += std::any_of(call.outputTypes.begin(), call.outputTypes.end(), isFloat);
  return true;
}

} // namespace sluice::rt

using sluice::rt::Boxes;
using sluice::rt::DType;
using sluice::rt::Shape;
using sluice::rt::Tensor;

static Boxes &boxesOf(SluiceCodeletCall *call) { return *static_cast<Boxes *>(call->boxes); }
static Shape shapeOf(const int64_t *dims, int32_t rank) {
  return Shape(std::span(dims, static_cast<size_t>(rank)));
}

static int32_t statusOf(bool ok) { return ok ? kSluiceOk : kSluiceKernelFailed; }

int32_t sluice_box_put(SluiceCodeletCall *call, int32_t box, int32_t dtype, int32_t rank,
                       const int64_t *dims, const void *data) {
  return statusOf(boxesOf(call).put(static_cast<size_t>(box), static_cast<DType>(dtype),
                                    shapeOf(dims, rank), data));
}

void sluice_box_take(SluiceCodeletCall *call, int32_t box, int32_t input, int32_t isLast) {
  boxesOf(call).take(static_cast<size_t>(box), static_cast<size_t>(input), isLast != 0);
}

int32_t sluice_box_get(SluiceCodeletCall *call, int32_t box, int32_t dtype, int32_t rank,
                       const int64_t *dims, void *data) {
  return statusOf(boxesOf(call).get(static_cast<size_t>(box), static_cast<DType>(dtype),
                                    shapeOf(dims, rank), data));
}

void sluice_box_move(SluiceCodeletCall *call, int32_t from, int32_t to, int32_t isLast) {
  boxesOf(call).move(static_cast<size_t>(from), static_cast<size_t>(to), isLast != 0);
}

void sluice_box_drop(SluiceCodeletCall *call, int32_t box) {
  boxesOf(call)[static_cast<size_t>(box)] = Tensor();
}

int32_t sluice_box_run(SluiceCodeletCall *call, int32_t position, uint64_t last) {
  return statusOf(boxesOf(call).run(static_cast<size_t>(position), last));
}
