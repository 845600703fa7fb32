// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the emit phase.
#pragma once

#include "dialects/exe/Exe.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace sluice::emit {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/emit/Passes.h.inc"
} // namespace sluice::emit
