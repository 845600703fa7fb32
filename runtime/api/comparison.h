// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparison of a fetched tensor with the expected one.
#pragma once

#include "runtime/memory/tensor.h"

#include <string>
#include <string_view>

namespace sluice::rt {

// |got - expected| <= atol + rtol * |expected|
struct Tolerance {
  double rtol = 0;
  double atol = 0;
};

// What rounding excuses for the dtype; nothing for all but floats and complex numbers.
Tolerance defaultTolerance(DType dtype);
// Nothing if the tensors agree; else the first element that differs and the number of those. NaN
// agrees with NaN, infinities with themselves.
std::string describeMismatch(std::string_view name, const Tensor &got, const Tensor &expected,
                             Tolerance tolerance);

} // namespace sluice::rt
