// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For kernels on objects that firings wait for.
#pragma once

#include "runtime/kernels/environment.h"
#include "runtime/kernels/kernel.h"

#include <vector>

namespace sluice::rt {

inline Client clientOf(KernelCall &call) {
  return {call.outputs(), call.environment() ? call.environment()->parking : nullptr};
}

// The inputs from the one at `first` on.
inline std::vector<Tensor> inputsFrom(const KernelCall &call, size_t first) {
  std::vector<Tensor> inputs;
  inputs.reserve(call.numInputs() - first);
  for (size_t i = first; i < call.numInputs(); ++i)
    inputs.push_back(call.input(i));
  return inputs;
}

// An input that is one integer; `what` for messages.
inline Result<int64_t> numberOf(const KernelCall &call, size_t input, const char *what) {
  const Tensor &tensor = call.input(input);
  if (tensor.rank() != 0)
    return invalidArgument(std::string(what) + " must be scalar, got shape " +
                           tensor.shape().toString());
  return tensor.asInt();
}

// Output 0 becomes the number, an i32 or an i64.
inline Status giveNumber(KernelCall &call, int64_t number) {
  call.output(0) = call.outputType(0) == DType::kI64 ? Tensor::scalar(number)
                                                     : Tensor::scalar(static_cast<int32_t>(number));
  return okStatus();
}

} // namespace sluice::rt
