// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape rule that ops share which put elements around a tensor.
#pragma once

#include "runtime/kernels/kernel.h"

namespace sluice::rt {

// Output 0 has the dims of input 0 and what the rows of input 1, a matrix of two columns, add
// before and behind each.
Status paddedShapeRule(ShapeCall &call);

} // namespace sluice::rt
