// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that choose one of several handles.
#include "runtime/state/handles.h"

#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/waiting.h"
#include "runtime/state/handle.h"

namespace sluice::rt {

namespace {

Status packRun(KernelCall &call) {
  call.output(0) = Tensor::handle(Ref<Object>::adopt(new Handles(inputsFrom(call, 0))));
  return okStatus();
}

Status chooseRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Handles * handles, objectOf<Handles>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int64_t index, numberOf(call, 1, "the index of a handle"));
  size_t count = handles->all.size();
  if (index < 0 || static_cast<size_t>(index) >= count)
    return invalidArgument(
        format("indices = %lld is not in [0, %zu)", static_cast<long long>(index), count));
  call.output(0) = handles->all[static_cast<size_t>(index)];
  return okStatus();
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(state_pack_handles, scalarShapeRule, packRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_choose_handle, scalarShapeRule, chooseRun)

} // namespace sluice::rt
