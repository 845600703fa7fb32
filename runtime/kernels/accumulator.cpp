// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on accumulators of gradients.
#include "runtime/state/accumulator.h"

#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/declared_object.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/waiting.h"
#include "runtime/state/handle.h"

namespace sluice::rt {

namespace {

Status handleRun(KernelCall &call) {
  attributes::state::AccumulatorHandle given(call);
  Accumulator::Options options;
  options.title = "accumulator '" + std::string(given.name()) + "'";
  options.dtype = given.dtype();
  options.shape = given.shape();
  options.isSparse = given.sparse();
  options.averages = given.averages();
  return giveDeclared<Accumulator>(call, given.object(), std::move(options));
}

Status applyRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Accumulator * accumulator, objectOf<Accumulator>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int64_t step, numberOf(call, 1, "the step"));
  return accumulator->apply(step, call.input(2));
}

Status applyRowsRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Accumulator * accumulator, objectOf<Accumulator>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int64_t step, numberOf(call, 1, "the step"));
  bool isKnown = attributes::state::AccumulatorApplyRows(call).hasKnownShape();
  return accumulator->applyRows(step, call.input(2), call.input(3),
                                isKnown ? &call.input(4) : nullptr);
}

template <bool kRows> Status takeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Accumulator * accumulator, objectOf<Accumulator>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int64_t count, numberOf(call, 1, "the number of gradients"));
  return accumulator->take(count, call.outputType(kRows ? 1 : 0), kRows, clientOf(call));
}

Status countRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Accumulator * accumulator, objectOf<Accumulator>(call.input(0)));
  return giveNumber(call, accumulator->count());
}

Status setStepRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Accumulator * accumulator, objectOf<Accumulator>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int64_t step, numberOf(call, 1, "the step"));
  return accumulator->setStep(step);
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(state_accumulator_handle, scalarShapeRule, handleRun)
SLUICE_DEFINE_UPDATE_KERNEL(state_accumulator_apply, applyRun)
SLUICE_DEFINE_UPDATE_KERNEL(state_accumulator_apply_rows, applyRowsRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_accumulator_take, nullptr, takeRun<false>)
SLUICE_DEFINE_EFFECT_KERNEL(state_accumulator_take_rows, nullptr, takeRun<true>)
SLUICE_DEFINE_EFFECT_KERNEL(state_accumulator_count, scalarShapeRule, countRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_accumulator_set_step, nullptr, setStepRun)

} // namespace sluice::rt
