// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on stacks of tensors.
#include "runtime/state/stack.h"
#include "runtime/kernels/attributes/array.h"
#include "runtime/kernels/declare.h"
#include "runtime/state/handle.h"

#include <atomic>

namespace sluice::rt {

namespace {

Status createShape(ShapeCall &call) {
  call.output(0) = Shape{};
  return okStatus();
}
Status createRun(KernelCall &call) {
  if (call.input(0).elements() != 1)
    return invalidArgument("Stack size must be a scalar, but had shape: " +
                           call.input(0).shape().toString());
  // Distinguishes the stacks of one op in messages.
  static std::atomic<uint64_t> counter{0};
  attributes::array::StackCreate attributes(call);
  std::string name(attributes.name());
  name = (name.empty() ? "Stack" : name) + "_" + std::to_string(counter.fetch_add(1));
  auto *stack = new Stack(std::move(name), attributes.dtype(), call.input(0).asInt());
  call.output(0) = Tensor::handle(Ref<Object>::adopt(stack));
  return okStatus();
}

Status pushShape(ShapeCall &call) {
  call.output(0) = call.input(1);
  return okStatus();
}
Status pushRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Stack * stack, objectOf<Stack>(call.input(0)));
  SLUICE_RETURN_IF_ERROR(stack->push(call.input(1)));
  call.output(0) = call.input(1);
  return okStatus();
}

Status popRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Stack * stack, objectOf<Stack>(call.input(0)));
  if (stack->dtype() != call.outputType(0))
    return invalidArgument("Stack dtype is " + std::string(dtypeName(stack->dtype())) +
                           " but Op requested dtype " + std::string(dtypeName(call.outputType(0))) +
                           ".");
  SLUICE_ASSIGN_OR_RETURN(call.output(0), stack->pop());
  return okStatus();
}

Status closeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Stack * stack, objectOf<Stack>(call.input(0)));
  stack->close();
  return okStatus();
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(array_stack_create, createShape, createRun)
SLUICE_DEFINE_EFFECT_KERNEL(array_stack_push, pushShape, pushRun)
SLUICE_DEFINE_EFFECT_KERNEL(array_stack_pop, nullptr, popRun)
SLUICE_DEFINE_EFFECT_KERNEL(array_stack_close, nullptr, closeRun)

} // namespace sluice::rt
