// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops have to do with the memories of a rank, as traits (Faces.h).
#pragma once

#include "mlir/IR/OpDefinition.h"

namespace sluice {

// Its result is its operand, in another memory.
template <typename Op>
struct CopiesBetweenMemories : mlir::OpTrait::TraitBase<Op, CopiesBetweenMemories> {};

} // namespace sluice
