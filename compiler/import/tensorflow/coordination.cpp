// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "coordination": barriers, accumulators of gradients, and mutexes.
#include "compiler/import/tensorflow/SharedObjects.h"

using namespace mlir;

namespace sluice::import {

namespace {

// ---- Barriers

void barrier(Expansion &e) {
  if (auto components = componentTypes(e, "component_types", "shapes"))
    giveHandle<state::BarrierHandleOp>(e, "barrier", typesAttribute(e, "components", *components));
}

void insert(Expansion &e) {
  if (hasObject(e, "barrier"))
    e.effect<state::BarrierInsertOp>({}, e.inputs(),
                                     e.number("component", e.intAttr("component_index")));
}

void takeTuples(Expansion &e) {
  if (hasObject(e, "barrier"))
    giveResults(
        e, e.effect<state::BarrierTakeOp>(resultTypes(e), e.inputs(),
                                          e.flag("allow_fewer", e.boolAttr("allow_small_batch"))));
}

void closeBarrier(Expansion &e) {
  if (hasObject(e, "barrier"))
    e.effect<state::BarrierCloseOp>({}, e.inputs(),
                                    e.flag("cancels", e.boolAttr("cancel_pending_enqueues")));
}

template <bool kIncomplete> void barrierSize(Expansion &e) {
  if (hasObject(e, "barrier"))
    giveResults(e, e.effect<state::BarrierSizeOp>(resultTypes(e), e.inputs(),
                                                  e.flag("incomplete", kIncomplete)));
}

// ---- Accumulators

template <bool kSparse> void accumulator(Expansion &e) {
  Type dtype = e.typeAttr("dtype");
  if (!dtype)
    return;
  giveHandle<state::AccumulatorHandleOp>(
      e, "accumulator",
      {e.type("dtype", dtype), e.type("shape", e.shapeAttr("shape", dtype)),
       e.flag("sparse", kSparse), e.flag("averages", e.stringAttr("reduction_type") == "MEAN")});
}

template <typename OpT> void changeAccumulator(Expansion &e) {
  if (hasObject(e, "accumulator"))
    e.effect<OpT>({}, e.inputs());
}

void applyRows(Expansion &e) {
  if (hasObject(e, "accumulator"))
    e.effect<state::AccumulatorApplyRowsOp>(
        {}, e.inputs(), e.flag("has_known_shape", e.boolAttr("has_known_shape")));
}

template <typename OpT> void askAccumulator(Expansion &e) {
  if (hasObject(e, "accumulator"))
    giveResults(e, e.effect<OpT>(resultTypes(e), e.inputs()));
}

// ---- Mutexes

void mutex(Expansion &e) {
  giveHandle<state::MutexHandleOp>(e, "mutex", {}, /*nodeNameCounts=*/true);
}

void lock(Expansion &e) {
  if (!hasObject(e, "mutex"))
    return;
  Type type = state::ObjectType::get(e.builder().getContext(), "lock");
  e.result(0, e.effect<state::MutexLockOp>(type, e.inputs()).getLock());
}

void release(Expansion &e) {
  if (hasObject(e, "lock"))
    e.effect<state::MutexReleaseOp>({}, e.inputs());
}

constexpr llvm::StringLiteral kBarrier = "component_types shapes container shared_name";
// TensorFlow does not read wait_for_incomplete either.
constexpr llvm::StringLiteral kTake = "component_types allow_small_batch wait_for_incomplete";
constexpr llvm::StringLiteral kAccumulator = "shape container shared_name reduction_type";

constexpr OpExpansion kOps[] = {
    {"Barrier", barrier, Style::kEffect, kBarrier},
    {"BarrierInsertMany", insert, Style::kEffect, "component_index"},
    {"BarrierTakeMany", takeTuples, Style::kEffect, kTake},
    {"BarrierClose", closeBarrier, Style::kEffect, "cancel_pending_enqueues"},
    {"BarrierReadySize", barrierSize<false>, Style::kEffect},
    {"BarrierIncompleteSize", barrierSize<true>, Style::kEffect},
    {"ConditionalAccumulator", accumulator<false>, Style::kEffect, kAccumulator},
    {"ResourceConditionalAccumulator", accumulator<false>, Style::kEffect, kAccumulator},
    {"SparseConditionalAccumulator", accumulator<true>, Style::kEffect, kAccumulator},
    {"AccumulatorApplyGradient", changeAccumulator<state::AccumulatorApplyOp>, Style::kEffect},
    {"ResourceAccumulatorApplyGradient", changeAccumulator<state::AccumulatorApplyOp>,
     Style::kEffect},
    {"SparseAccumulatorApplyGradient", applyRows, Style::kEffect, "has_known_shape"},
    {"AccumulatorTakeGradient", askAccumulator<state::AccumulatorTakeOp>, Style::kEffect},
    {"ResourceAccumulatorTakeGradient", askAccumulator<state::AccumulatorTakeOp>, Style::kEffect},
    {"SparseAccumulatorTakeGradient", askAccumulator<state::AccumulatorTakeRowsOp>, Style::kEffect},
    {"AccumulatorNumAccumulated", askAccumulator<state::AccumulatorCountOp>, Style::kEffect},
    {"ResourceAccumulatorNumAccumulated", askAccumulator<state::AccumulatorCountOp>,
     Style::kEffect},
    {"AccumulatorSetGlobalStep", changeAccumulator<state::AccumulatorSetStepOp>, Style::kEffect},
    {"ResourceAccumulatorSetGlobalStep", changeAccumulator<state::AccumulatorSetStepOp>,
     Style::kEffect},
    {"MutexV2", mutex, Style::kEffect, "container shared_name"},
    {"MutexLock", lock, Style::kEffect},
    {"ConsumeMutexLock", release, Style::kEffect},
};

} // namespace

ArrayRef<OpExpansion> coordinationOps() { return kOps; }

} // namespace sluice::import
