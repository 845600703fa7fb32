// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Denormal floats that come from outside of a program.
//
// Arithmetic counts denormals as zero (`runtime/base/denormal_mode.h`), but what moves or compares
// elements may or may not, depending on how it was compiled. So a program never holds a denormal:
// they become zeros where values enter it, as feeds, variables and constants, and no op makes one.
#pragma once

#include "runtime/memory/tensor.h"

namespace sluice::rt {

// Denormals become zeros of their sign. Halves are left as they are: arithmetic on them is that of
// f32, where they are normal. The first so many bytes are known to hold none of f32.
Status flushDenormals(Tensor &tensor, size_t bytesWithoutF32Denormals = 0);

} // namespace sluice::rt
