// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types as checkpoints number them.
#pragma once

#include "runtime/base/dtype.h"

#include <optional>

namespace sluice::rt {

// 0 for handles, which cannot be stored.
int numberOfType(DType dtype);
// Nothing for numbers that are no type, and for types that the runtime does not compute with.
std::optional<DType> typeOfNumber(int64_t number);

} // namespace sluice::rt
