// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel firing: destinations are given to kernels, and an operand that nobody else holds may be
// one.
#include "runtime/executor/kernel_firing.h"

#include "runtime/executor/saved_values.h"
#include "runtime/memory/guard_pages.h"

#include <utility>

namespace sluice::rt {

// Moves an operand of the result's shape and type into output 0, if the kernel works in place.
bool KernelFiring::reuseInput(const Shape &shape) {
  for (size_t i = 0; i < node_.inputs.size(); ++i) {
    if (node_.inputs[i].constant)
      continue;
    Tensor &slot = iteration_.slots[node_.inputs[i].slot];
    if (slot.dtype() != node_.outputTypes[0] || !(slot.shape() == shape) || !slot.solelyOwned())
      continue;
    outputs_[0] = std::move(slot);
    inputs_[i] = &outputs_[0];
    return true;
  }
  return false;
}

// All operands have one shape, which is then also that of an element by element result.
bool KernelFiring::shapesAgree() {
  const Shape &first = inputs_[0]->shape();
  for (size_t i = 1; i < node_.inputs.size(); ++i)
    if (!(inputs_[i]->shape() == first))
      return false;
  return true;
}

Status KernelFiring::prepare() {
  const Kernel &kernel = *node_.kernel;
  if (kernel.flags & Kernel::kAllocates)
    return okStatus();
  if ((kernel.flags & Kernel::kInPlace) && shapesAgree() && reuseInput(inputs_[0]->shape()))
    return okStatus();
  size_t numInputs = node_.inputs.size(), numOutputs = node_.outputTypes.size();
  SmallArray<const Shape *, 8> shapes(numInputs);
  for (size_t i = 0; i < numInputs; ++i)
    shapes[i] = &inputs_[i]->shape();
  SmallArray<Shape, 2> results(numOutputs);
  ShapeCall call(shapes.span(), inputs_.span(), node_.attrs, results.span(), node_.outputTypes);
  SLUICE_RETURN_IF_ERROR(kernel.shape(call));
  for (size_t i = 0; i < numOutputs; ++i) {
    bool isReused = i == 0 && (kernel.flags & Kernel::kInPlace) && reuseInput(results[0]);
    if (!isReused) {
      SLUICE_ASSIGN_OR_RETURN(outputs_[i], Tensor::allocate(node_.outputTypes[i], results[i]));
    }
  }
  return okStatus();
}

// An operation for each element that it reads or writes, where the kernel does not say.
uint64_t KernelFiring::work() {
  if (!node_.kernel->work) {
    int64_t elements = 0;
    for (const Tensor *input : inputs_.span())
      elements += input->elements();
    for (const Tensor &output : outputs_.span())
      elements += output.valid() ? output.elements() : 0;
    return static_cast<uint64_t>(elements);
  }
  KernelCall call(inputs_.span(), outputs_.span(), node_.attrs, node_.outputTypes, nullptr);
  return node_.kernel->work(call);
}

static const OfCard &holderOf(const Tensor &onCard) {
  return static_cast<const OfCard &>(*onCard.holder());
}

// What is pushed on a list waits there for long, and may do so elsewhere.
Status KernelFiring::runWithCard() {
  bool pushes = node_.inputs.size() > 1 && node_.outputTypes.size() == 1 && inputs_[1]->holder();
  if (pushes) {
    SLUICE_ASSIGN_OR_RETURN(Tensor wrapped, holderOf(*inputs_[1]).wrap(*inputs_[1]));
    const Tensor *value = std::exchange(inputs_[1], &wrapped);
    Status status = runKernel();
    inputs_[1] = value;
    return status;
  }
  SLUICE_RETURN_IF_ERROR(runKernel());
  if (node_.outputTypes.size() == 2 && outputs_[0].holder()) {
    SLUICE_ASSIGN_OR_RETURN(outputs_[0], holderOf(outputs_[0]).unwrap(outputs_[0], node_.name));
  }
  return okStatus();
}

Status KernelFiring::run() { return node_.keepsOfCard ? runWithCard() : runKernel(); }

Status KernelFiring::runKernel() {
  GuardedWork work(node_.name);
  KernelCall call(inputs_.span(), outputs_.span(), node_.attrs, node_.outputTypes,
                  environment_ ? &*environment_ : nullptr);
  CancellationScope scope(cancellation_);
  Status status = node_.kernel->run(call);
  return cancellation_.requested() ? cancelledWork() : status;
}

} // namespace sluice::rt
