// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of other lanes of a warp.
#pragma once

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice::codegen {

// What the lane has whose number differs in the bits of `distance`; no lane may be absent. Of any
// number of up to 64 bits, since hardware has it for 32 only.
mlir::Value shuffled(mlir::ImplicitLocOpBuilder &b, mlir::Value value, int32_t distance);

} // namespace sluice::codegen
