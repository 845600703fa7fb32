// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math of kernels as intrinsics.
#pragma once

#include "mlir/Pass/Pass.h"

namespace sluice::codegen {

// On a gpu.module: ops of the math dialect on f32 and f64 become calls of LLVM's intrinsics.
std::unique_ptr<mlir::Pass> createMathIntrinsicsPass();

} // namespace sluice::codegen
