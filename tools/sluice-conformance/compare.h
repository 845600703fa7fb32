// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides whether a value agrees with the recorded one, within the tolerance of its dtype.
#pragma once

#include "tools/sluice-conformance/tensor.h"

#include <optional>
#include <string>

namespace sluice::conformance {

// |got - want| ≤ absolute + relative · |want|; both 0 asks for equal bits.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

Tolerance toleranceOf(llvm::StringRef dtype);

enum class Depth {
  kValues,
  kShapeAndDtype, // for values that differ from run to run
};

// What differs, or nothing. NaN agrees with NaN.
std::optional<std::string> findMismatch(const Tensor &got, const Tensor &want, Depth depth);

// The same for a recorded plain number, which stands for a scalar of the dtype.
std::optional<std::string> findMismatch(const Tensor &got, double want, llvm::StringRef dtype,
                                        Depth depth);

// "InvalidArgumentError" → "INVALID_ARGUMENT"; names that are already codes stay.
std::string errorCodeOf(llvm::StringRef exceptionName);

} // namespace sluice::conformance
