// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much work an op is, by what its kernel says of the shapes that types tell.
#pragma once

#include "mlir/IR/Operation.h"

#include <cstdint>
#include <optional>

namespace sluice {

// In elementary operations of one firing; without a kernel's word one for each element of the
// results. Nothing if a size is not known, or there is no kernel.
std::optional<uint64_t> workOf(mlir::Operation *op);
// The same with `size` for each size that is not known.
std::optional<uint64_t> workOfUnknown(mlir::Operation *op, int64_t size);

} // namespace sluice
