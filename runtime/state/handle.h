// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a tensor of dtype kHandle to the object that it names.
#pragma once

#include "runtime/memory/tensor.h"

namespace sluice::rt {

// INVALID_ARGUMENT unless the tensor is a handle to an object of this kind.
Result<Object *> objectOf(const Tensor &handle, Object::Kind kind);

// The object stays owned by the handle. T names its kind as T::kKind.
template <typename T> Result<T *> objectOf(const Tensor &handle) {
  SLUICE_ASSIGN_OR_RETURN(Object * object, objectOf(handle, T::kKind));
  return static_cast<T *>(object);
}

} // namespace sluice::rt
