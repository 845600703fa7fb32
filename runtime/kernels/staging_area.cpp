// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on staging areas.
#include "runtime/state/staging_area.h"

#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/declared_object.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/waiting.h"
#include "runtime/state/handle.h"

namespace sluice::rt {

namespace {

Status handleRun(KernelCall &call) {
  attributes::state::StageHandle given(call);
  StagingArea::Options options;
  options.title = "staging area '" + std::string(given.name()) + "'";
  options.isKeyed = given.keyed();
  options.capacity = given.capacity();
  options.memoryLimit = given.memoryLimit();
  return giveDeclared<StagingArea>(call, given.object(), std::move(options));
}

Status putRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(StagingArea * area, objectOf<StagingArea>(call.input(0)));
  return area->put(inputsFrom(call, 1), clientOf(call));
}

Status putAtRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(StagingArea * area, objectOf<StagingArea>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int64_t key, numberOf(call, 1, "key"));
  return area->putAt(key, attributes::state::StagePutAt(call).size(), call.input(2),
                     inputsFrom(call, 3), clientOf(call));
}

Status takeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(StagingArea * area, objectOf<StagingArea>(call.input(0)));
  return area->take(call.outputTypes(), clientOf(call));
}

Status peekRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(StagingArea * area, objectOf<StagingArea>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int64_t index, numberOf(call, 1, "index"));
  return area->peek(index, call.outputTypes(), clientOf(call));
}

Status takeAtRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(StagingArea * area, objectOf<StagingArea>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int64_t key, numberOf(call, 1, "key"));
  return area->takeAt(key, call.input(2), attributes::state::StageTakeAt(call).keeps(),
                      call.outputTypes(), clientOf(call));
}

Status takeLeastRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(StagingArea * area, objectOf<StagingArea>(call.input(0)));
  return area->takeLeast(call.input(1), call.outputTypes(), clientOf(call));
}

Status sizeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(StagingArea * area, objectOf<StagingArea>(call.input(0)));
  return giveNumber(call, attributes::state::StageSize(call).incomplete() ? area->incompleteSize()
                                                                          : area->size());
}

Status clearRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(StagingArea * area, objectOf<StagingArea>(call.input(0)));
  area->clear();
  return okStatus();
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(state_stage_handle, scalarShapeRule, handleRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_stage_put, nullptr, putRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_stage_put_at, nullptr, putAtRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_stage_take, nullptr, takeRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_stage_peek, nullptr, peekRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_stage_take_at, nullptr, takeAtRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_stage_take_least, nullptr, takeLeastRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_stage_size, scalarShapeRule, sizeRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_stage_clear, nullptr, clearRun)

} // namespace sluice::rt
