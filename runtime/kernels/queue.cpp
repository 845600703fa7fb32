// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on queues.
#include "runtime/state/queue.h"

#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/declared_object.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/waiting.h"
#include "runtime/state/handle.h"

namespace sluice::rt {

namespace {

Status handleRun(KernelCall &call) {
  attributes::state::QueueHandle given(call);
  std::optional<Queue::Order> order = Queue::orderOf(given.order());
  if (!order)
    return internalError("no queue has the order '" + std::string(given.order()) + "'");
  Queue::Options options;
  options.title = "queue '" + std::string(given.name()) + "'";
  options.order = *order;
  options.components = Components::of(given.components());
  options.capacity = given.capacity();
  options.minAfterDequeue = given.minAfterDequeue();
  options.seed = given.seed();
  options.seed2 = given.seed2();
  return giveDeclared<Queue>(call, given.object(), std::move(options));
}

Status enqueueRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Queue * queue, objectOf<Queue>(call.input(0)));
  return queue->enqueue(inputsFrom(call, 1), attributes::state::Enqueue(call).many(),
                        clientOf(call));
}

Status dequeueRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Queue * queue, objectOf<Queue>(call.input(0)));
  return queue->dequeue(call.outputTypes(), clientOf(call));
}

Status dequeueManyRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Queue * queue, objectOf<Queue>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int64_t count, numberOf(call, 1, "the number of elements"));
  return queue->dequeueMany(count, attributes::state::DequeueMany(call).allowFewer(),
                            call.outputTypes(), clientOf(call));
}

Status closeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Queue * queue, objectOf<Queue>(call.input(0)));
  return queue->close(attributes::state::QueueClose(call).cancels(), clientOf(call));
}

Status sizeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Queue * queue, objectOf<Queue>(call.input(0)));
  return giveNumber(call, queue->size());
}

Status isClosedRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Queue * queue, objectOf<Queue>(call.input(0)));
  call.output(0) = Tensor::scalar(queue->isClosed());
  return okStatus();
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(state_queue_handle, scalarShapeRule, handleRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_enqueue, nullptr, enqueueRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_dequeue, nullptr, dequeueRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_dequeue_many, nullptr, dequeueManyRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_queue_close, nullptr, closeRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_queue_size, scalarShapeRule, sizeRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_queue_is_closed, scalarShapeRule, isClosedRun)

} // namespace sluice::rt
