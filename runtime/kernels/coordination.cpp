// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on barriers and mutexes.
#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/declared_object.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/waiting.h"
#include "runtime/state/barrier.h"
#include "runtime/state/handle.h"
#include "runtime/state/mutex.h"

namespace sluice::rt {

namespace {

// ---- Barriers

Status barrierHandleRun(KernelCall &call) {
  attributes::state::BarrierHandle given(call);
  Barrier::Options options{"barrier '" + std::string(given.name()) + "'",
                           Components::of(given.components())};
  return giveDeclared<Barrier>(call, given.object(), std::move(options));
}

Status barrierInsertRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Barrier * barrier, objectOf<Barrier>(call.input(0)));
  return barrier->insert(call.input(1), attributes::state::BarrierInsert(call).component(),
                         call.input(2));
}

Status barrierTakeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Barrier * barrier, objectOf<Barrier>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int64_t count, numberOf(call, 1, "the number of elements"));
  return barrier->take(count, attributes::state::BarrierTake(call).allowFewer(), call.outputTypes(),
                       clientOf(call));
}

Status barrierCloseRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Barrier * barrier, objectOf<Barrier>(call.input(0)));
  return barrier->close(attributes::state::BarrierClose(call).cancels());
}

Status barrierSizeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Barrier * barrier, objectOf<Barrier>(call.input(0)));
  return giveNumber(call, attributes::state::BarrierSize(call).incomplete()
                              ? barrier->incompleteSize()
                              : barrier->readySize());
}

// ---- Mutexes

Status mutexHandleRun(KernelCall &call) {
  attributes::state::MutexHandle given(call);
  return giveDeclared<Mutex>(call, given.object(), {"mutex '" + std::string(given.name()) + "'"});
}

Status mutexLockRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Mutex * mutex, objectOf<Mutex>(call.input(0)));
  return mutex->lock(clientOf(call));
}

Status mutexReleaseRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Lock * lock, objectOf<Lock>(call.input(0)));
  return lock->release();
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(state_barrier_handle, scalarShapeRule, barrierHandleRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_barrier_insert, nullptr, barrierInsertRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_barrier_take, nullptr, barrierTakeRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_barrier_close, nullptr, barrierCloseRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_barrier_size, scalarShapeRule, barrierSizeRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_mutex_handle, scalarShapeRule, mutexHandleRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_mutex_lock, scalarShapeRule, mutexLockRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_mutex_release, nullptr, mutexReleaseRun)

} // namespace sluice::rt
