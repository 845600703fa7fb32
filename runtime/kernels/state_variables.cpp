// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on whole variables: handles, reading, assigning.
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/environment.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/variable_access.h"
#include "runtime/state/addition.h"

#include <limits>

namespace sluice::rt {

namespace {

Status handleRun(KernelCall &call) {
  const Environment *environment = call.environment();
  using namespace attributes::state;
  size_t index = attributes::SharedBy<Reference, Handle>(call).variable();
  if (!environment || index >= environment->resources.size())
    return internalError(format("no resource has the index %zu", index));
  call.output(0) = Tensor::handle(Ref<Object>::share(environment->resources[index]));
  return okStatus();
}

Status readRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Variable * variable, initializedVariable(call.input(0)));
  if (variable->value.dtype() != call.outputType(0))
    return checkVariableType(*variable, call.outputType(0));
  call.output(0) = variable->value;
  return okStatus();
}

Status assignRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Variable * variable, objectOf<Variable>(call.input(0)));
  const Tensor &value = call.input(1);
  if (value.dtype() != variable->dtype)
    return invalidArgument(format("Trying to assign variable with wrong dtype. Expected %s got %s",
                                  std::string(dtypeName(variable->dtype)).c_str(),
                                  std::string(dtypeName(value.dtype())).c_str()));
  // Where a dim is not declared, values may differ; with validation the present one rules.
  const Shape &shape = variable->initialized() ? variable->value.shape() : variable->shape;
  if (attributes::state::Assign(call).validateShape() && !shape.compatibleWith(value.shape()))
    return invalidArgument("Assign requires shapes of both tensors to match. lhs shape= " +
                           shape.toString() + " rhs shape= " + value.shape().toString());
  SLUICE_RETURN_IF_ERROR(variable->accepts(value));
  // Elements are shared until one of both sides is overwritten.
  variable->value = value;
  return okStatus();
}

// What a loop carries on with, of each variable; of one without a value zeros, if the loop does not
// run.
Status takeRun(KernelCall &call) {
  constexpr std::byte zero[16] = {};
  bool runs = *call.input(0).data<bool>();
  for (size_t i = 0; i + 1 < call.numInputs(); ++i) {
    SLUICE_ASSIGN_OR_RETURN(Variable * variable, objectOf<Variable>(call.input(i + 1)));
    if (runs || variable->initialized()) {
      SLUICE_ASSIGN_OR_RETURN(variable, initializedVariable(call.input(i + 1)));
      SLUICE_RETURN_IF_ERROR(checkVariableType(*variable, call.outputType(i)));
      call.output(i) = variable->value;
    } else {
      SLUICE_ASSIGN_OR_RETURN(call.output(i),
                              Tensor::repeated(variable->dtype, variable->shape, zero));
    }
  }
  return okStatus();
}

Status giveRun(KernelCall &call) {
  if (!*call.input(0).data<bool>())
    return okStatus();
  size_t count = (call.numInputs() - 1) / 2;
  for (size_t i = 1; i <= count; ++i) { // all or none
    SLUICE_ASSIGN_OR_RETURN(Variable * variable, objectOf<Variable>(call.input(i)));
    SLUICE_RETURN_IF_ERROR(variable->accepts(call.input(count + i)));
  }
  for (size_t i = 1; i <= count; ++i) {
    SLUICE_ASSIGN_OR_RETURN(Variable * variable, objectOf<Variable>(call.input(i)));
    variable->value = call.input(count + i);
  }
  return okStatus();
}

Status updateRun(KernelCall &call, Status (*update)(Tensor &, const Tensor &)) {
  SLUICE_ASSIGN_OR_RETURN(Variable * variable, initializedVariable(call.input(0)));
  const Tensor &value = call.input(1);
  SLUICE_RETURN_IF_ERROR(checkVariableType(*variable, value.dtype()));
  if (!(variable->value.shape() == value.shape()))
    return invalidArgument(
        format("Cannot update variable with shape %s using a Tensor with shape %s, shapes must be "
               "equal.",
               variable->value.shape().toString().c_str(), value.shape().toString().c_str()));
  return update(variable->value, value);
}
Status assignAddRun(KernelCall &call) { return updateRun(call, addInto); }
Status assignSubRun(KernelCall &call) { return updateRun(call, subtractFrom); }

template <typename T> Status countUp(Variable &variable, int64_t limit, Tensor &before) {
  T value = *variable.value.data<T>();
  if (value >= limit)
    return outOfRange(format("Reached limit of %lld", static_cast<long long>(limit)));
  before = variable.value;
  variable.value = Tensor::scalar(static_cast<T>(value + 1));
  return okStatus();
}
Status countUpToRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Variable * variable, initializedVariable(call.input(0)));
  SLUICE_RETURN_IF_ERROR(checkVariableType(*variable, call.outputType(0)));
  if (variable->value.rank() != 0)
    return invalidArgument("input is not a scalar: " + variable->value.shape().toString());
  int64_t limit = attributes::state::CountUpTo(call).limit();
  if (call.outputType(0) == DType::kI32)
    return countUp<int32_t>(*variable, limit, call.output(0));
  return countUp<int64_t>(*variable, limit, call.output(0));
}

Status isInitializedRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Variable * variable, objectOf<Variable>(call.input(0)));
  call.output(0) = Tensor::scalar(variable->initialized());
  return okStatus();
}

Status variableShapeShape(ShapeCall &call) {
  call.output(0) = Shape{Shape::kUnknown};
  return okStatus();
}
Status variableShapeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Variable * variable, initializedVariable(call.input(0)));
  const Shape &shape = variable->value.shape();
  SLUICE_ASSIGN_OR_RETURN(call.output(0),
                          Tensor::allocate(call.outputType(0), Shape{shape.rank()}));
  for (int i = 0; i < shape.rank(); ++i) {
    if (call.outputType(0) == DType::kI32 && shape.dim(i) > std::numeric_limits<int32_t>::max())
      return invalidArgument(format("size %lld does not fit into i32; ask for i64",
                                    static_cast<long long>(shape.dim(i))));
    putInt(call.output(0), i, shape.dim(i));
  }
  return okStatus();
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(state_reference, scalarShapeRule, handleRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_handle, scalarShapeRule, handleRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_read, nullptr, readRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_assign, nullptr, assignRun)
SLUICE_DEFINE_KERNEL(state_take,
                     {nullptr, takeRun, Kernel::kStateful | Kernel::kAllocates | Kernel::kKeeps})
SLUICE_DEFINE_KERNEL(state_give,
                     {nullptr, giveRun, Kernel::kStateful | Kernel::kAllocates | Kernel::kGives})
SLUICE_DEFINE_UPDATE_KERNEL(state_assign_add, assignAddRun)
SLUICE_DEFINE_UPDATE_KERNEL(state_assign_sub, assignSubRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_count_up_to, scalarShapeRule, countUpToRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_is_initialized, scalarShapeRule, isInitializedRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_variable_shape, variableShapeShape, variableShapeRun)

} // namespace sluice::rt
