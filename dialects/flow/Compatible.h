// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which types may meet where tokens of several sources do.
#pragma once

#include "mlir/IR/Types.h"

namespace sluice::flow {

// Whether a value of type `a` may arrive where `b` is declared, as at a merge: they are equal, or
// tensors of one element type whose shapes do not contradict each other.
bool mayBecome(mlir::Type a, mlir::Type b);

} // namespace sluice::flow
