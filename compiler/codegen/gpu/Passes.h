// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on the code of codelets for GPUs.
#pragma once

#include "mlir/Pass/Pass.h"

namespace sluice::codegen {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/codegen/gpu/Passes.h.inc"

} // namespace sluice::codegen
