// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the codegen phase that work on graphs. Those on the code of codelets are in cpu/.
#pragma once

#include "dialects/flow/Flow.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace sluice::codegen {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/codegen/Passes.h.inc"

} // namespace sluice::codegen
