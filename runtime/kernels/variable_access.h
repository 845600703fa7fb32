// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels reach variables: by handle, initialised, and with elements that may be overwritten.
#pragma once

#include "runtime/state/handle.h"
#include "runtime/state/variable.h"

namespace sluice::rt {

inline Result<Variable *> initializedVariable(const Tensor &handle) {
  SLUICE_ASSIGN_OR_RETURN(Variable * variable, objectOf<Variable>(handle));
  if (!variable->initialized())
    return failedPrecondition("Attempting to use uninitialized value " + variable->name);
  return variable;
}

// Whoever read the variable before keeps what it read.
inline Status makeWritable(Variable &variable) {
  if (variable.value.solelyOwned())
    return okStatus();
  SLUICE_ASSIGN_OR_RETURN(variable.value, variable.value.clone());
  return okStatus();
}

inline Status checkVariableType(const Variable &variable, DType dtype) {
  if (variable.value.dtype() == dtype)
    return okStatus();
  return invalidArgument(format("expected a value of type %s for variable '%s' but got %s",
                                std::string(dtypeName(variable.value.dtype())).c_str(),
                                variable.name.c_str(), std::string(dtypeName(dtype)).c_str()));
}

} // namespace sluice::rt
