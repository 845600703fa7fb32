// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and zeros of whole tensors, as the objects that collect values need them.
#pragma once

#include "runtime/memory/tensor.h"

namespace sluice::rt {

Result<Tensor> zeros(DType dtype, const Shape &shape);

// Adds equally shaped numbers of one dtype elementwise. Others that hold `sum` keep their elements.
Status addInto(Tensor &sum, const Tensor &value);
Status subtractFrom(Tensor &difference, const Tensor &value);

} // namespace sluice::rt
