// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that all kernels on TensorArrays share.
#pragma once

#include "runtime/state/handle.h"
#include "runtime/state/tensor_array.h"

namespace sluice::rt {

inline Status checkWrittenType(const TensorArray &array, DType dtype) {
  if (array.dtype() == dtype)
    return okStatus();
  return invalidArgument("TensorArray dtype is " + std::string(dtypeName(array.dtype())) +
                         " but Op is trying to write dtype " + std::string(dtypeName(dtype)) + ".");
}

inline Status checkReadType(const TensorArray &array, DType dtype) {
  if (array.dtype() == dtype)
    return okStatus();
  return invalidArgument("TensorArray dtype is " + std::string(dtypeName(array.dtype())) +
                         " but Op requested dtype " + std::string(dtypeName(dtype)) + ".");
}

} // namespace sluice::rt
