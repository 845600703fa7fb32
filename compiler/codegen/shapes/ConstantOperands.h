// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that are constants: axes, permutations, bounds of slices.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace sluice::nd {
class GatherOp;
}

namespace sluice::codegen {

// The elements of an integer constant in row-major order; nothing for other values.
std::optional<llvm::SmallVector<int64_t>> constantInts(mlir::Value value);
// Of a constant with one element.
std::optional<int64_t> constantInt(mlir::Value value);
// A constant axis of a tensor of that rank, from 0 on; nothing when it is out of range.
std::optional<int64_t> constantAxis(mlir::Value value, int64_t rank);
// How many first dims of params and indices run in step.
size_t batchDimsOf(nd::GatherOp gather);
// The same for an axis that is known as a number.
std::optional<int64_t> normalizedAxis(int64_t axis, int64_t rank);
// Which dims constant axes name; nothing when one is out of range or occurs twice.
std::optional<llvm::SmallVector<bool>> constantAxisSet(mlir::Value value, int64_t rank);

} // namespace sluice::codegen
