// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "queue": queues of both versions, which differ in the type of the
// handle only.
#include "compiler/import/SharedObjects.h"
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/SharedObjects.h"

using namespace mlir;

namespace sluice::import {

namespace {

constexpr llvm::StringLiteral kFifo = "fifo", kPadding = "padding", kPriority = "priority",
                              kRandom = "random";

// A priority queue has a priority before what its node says.
void addPriority(OpBuilder &builder, SmallVectorImpl<Type> &components) {
  components.insert(components.begin(), RankedTensorType::get({}, builder.getI64Type()));
}

template <const llvm::StringLiteral &kOrder> void queue(Expansion &e) {
  auto components = componentTypes(e, "component_types", "shapes");
  if (!components)
    return;
  bool isRandom = kOrder == kRandom;
  if (kOrder == kPriority)
    addPriority(e.builder(), *components);
  giveHandle<state::QueueHandleOp>(
      e, "queue",
      {typesAttribute(e, "components", *components), e.text("order", kOrder.str()),
       e.number("capacity", e.intAttr("capacity")),
       e.number("min_after_dequeue", isRandom ? e.intAttr("min_after_dequeue") : 0),
       e.number("seed", isRandom ? e.intAttr("seed") : 0),
       e.number("seed2", isRandom ? e.intAttr("seed2") : 0)});
}

template <bool kMany> void enqueue(Expansion &e) {
  if (hasObject(e, "queue"))
    e.effect<state::EnqueueOp>({}, e.inputs(), e.flag("many", kMany));
}

// What is known of the components by the node that makes the queue, if that can be found.
SmallVector<Type> knownComponents(Expansion &e) {
  SmallVector<Type> types = resultTypes(e);
  const Graph &graph = e.graph().graph();
  std::optional<uint32_t> origin = e.graph().handles().originOf(e.node().inputs[0]);
  if (!origin || kindOfHandleFrom(graph.node(*origin).opName()) != "queue")
    return types;
  const auto &shapes = graph.attribute(graph.node(*origin), "shapes")->list().shape();
  bool isPriority = graph.node(*origin).opName().starts_with("Priority");
  if (shapes.size() + isPriority !=
      static_cast<int>(types.size())) // not said, or not of this queue
    return types;
  for (auto [i, type] : llvm::enumerate(types)) {
    Type element = cast<TensorType>(type).getElementType();
    int number = static_cast<int>(i) - isPriority;
    type = number < 0 ? RankedTensorType::get({}, element) : tensorTypeOf(element, shapes[number]);
  }
  return types;
}

void dequeue(Expansion &e) {
  if (hasObject(e, "queue"))
    giveResults(e, e.effect<state::DequeueOp>(knownComponents(e), e.input(0)));
}

// A batch of what is known of a component.
Type batchOf(Type component, int64_t size) {
  auto ranked = dyn_cast<RankedTensorType>(component);
  if (!ranked)
    return component;
  SmallVector<int64_t> dims{size};
  llvm::append_range(dims, ranked.getShape());
  return RankedTensorType::get(dims, ranked.getElementType());
}

template <bool kAllowFewer> void dequeueMany(Expansion &e) {
  if (!hasObject(e, "queue"))
    return;
  auto count = constantOf(e.input(1));
  bool isKnown = !kAllowFewer && count && count->size() == 1 && count->front() >= 0;
  SmallVector<Type> types = knownComponents(e);
  for (Type &type : types)
    type = batchOf(type, isKnown ? count->front() : ShapedType::kDynamic);
  giveResults(
      e, e.effect<state::DequeueManyOp>(types, e.inputs(), e.flag("allow_fewer", kAllowFewer)));
}

void close(Expansion &e) {
  if (hasObject(e, "queue"))
    e.effect<state::QueueCloseOp>({}, e.inputs(),
                                  e.flag("cancels", e.boolAttr("cancel_pending_enqueues")));
}

template <typename OpT> void ask(Expansion &e) {
  if (hasObject(e, "queue"))
    giveResults(e, e.effect<OpT>(resultTypes(e), e.inputs()));
}

void forwardQueue(Expansion &e) {
  if (hasObject(e, "queue"))
    e.result(0, e.input(0));
}

void select(Expansion &e) {
  Type kind = e.input(1).getType();
  auto object = dyn_cast<state::ObjectType>(kind);
  if (!object ||
      !llvm::all_of(e.inputs().drop_front(), [&](Value input) { return input.getType() == kind; }))
    return e.unsupported("expected handles of shared objects of one kind");
  Type several = state::HandlesType::get(e.builder().getContext(), object.getKind());
  auto packed = e.make<state::PackHandlesOp>({several, e.tokenType()}, e.inputs().drop_front());
  chooseHandle(e, packed.getResult(), e.input(0));
}

constexpr llvm::StringLiteral kNames = "component_types shapes capacity container shared_name";
constexpr llvm::StringLiteral kNamesAndSeeds =
    "component_types shapes capacity container shared_name min_after_dequeue seed seed2";
constexpr llvm::StringLiteral kTypes = "component_types";

#define SLUICE_BOTH_VERSIONS(NAME, ...)                                                            \
  {NAME, __VA_ARGS__}, { NAME "V2", __VA_ARGS__ }

constexpr OpExpansion kOps[] = {
    SLUICE_BOTH_VERSIONS("FIFOQueue", queue<kFifo>, Style::kEffect, kNames),
    SLUICE_BOTH_VERSIONS("PaddingFIFOQueue", queue<kPadding>, Style::kEffect, kNames),
    SLUICE_BOTH_VERSIONS("PriorityQueue", queue<kPriority>, Style::kEffect, kNames),
    SLUICE_BOTH_VERSIONS("RandomShuffleQueue", queue<kRandom>, Style::kEffect, kNamesAndSeeds),
    SLUICE_BOTH_VERSIONS("QueueEnqueue", enqueue<false>, Style::kEffect),
    SLUICE_BOTH_VERSIONS("QueueEnqueueMany", enqueue<true>, Style::kEffect),
    SLUICE_BOTH_VERSIONS("QueueDequeue", dequeue, Style::kEffect, kTypes),
    SLUICE_BOTH_VERSIONS("QueueDequeueMany", dequeueMany<false>, Style::kEffect, kTypes),
    SLUICE_BOTH_VERSIONS("QueueDequeueUpTo", dequeueMany<true>, Style::kEffect, kTypes),
    SLUICE_BOTH_VERSIONS("QueueClose", close, Style::kEffect, "cancel_pending_enqueues"),
    SLUICE_BOTH_VERSIONS("QueueSize", ask<state::QueueSizeOp>, Style::kEffect),
    SLUICE_BOTH_VERSIONS("QueueIsClosed", ask<state::QueueIsClosedOp>, Style::kEffect),
    {"FakeQueue", forwardQueue, Style::kForward},
    {"RefSelect", select, Style::kEffect},
};

#undef SLUICE_BOTH_VERSIONS

} // namespace

ArrayRef<OpExpansion> queueOps() { return kOps; }

} // namespace sluice::import
