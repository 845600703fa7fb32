// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the differentiate phase.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace sluice::differentiate {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/differentiate/Passes.h.inc"

} // namespace sluice::differentiate
