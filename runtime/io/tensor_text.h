// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors for people: values as text on output, literals like `2x2xf32=1,2,3,4` on input.
#pragma once

#include "runtime/base/status.h"
#include "runtime/memory/tensor.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::rt {

// `f32[2,3] =` and the values in nested brackets, a line for each row of a matrix. Long tensors
// are abbreviated to the first and last three of each dim unless `full`.
std::string tensorText(const Tensor &tensor, bool full);

// `SHAPExDTYPE=VALUES` with comma-separated values in row-major order; `DTYPE=VALUE` is a scalar.
// VALUES may be one value, which fills the tensor, or `zeros` or `rand`; alone, these two words
// take dtype and shape of `declared`. `seed` selects the numbers of `rand`: floats in [0, 1),
// integers from 0 to 9, bools.
Result<Tensor> parseTensorLiteral(std::string_view text, DType declaredDtype,
                                  const Shape &declaredShape, uint64_t seed);

} // namespace sluice::rt
