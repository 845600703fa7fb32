// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the lower phase.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"

#include "mlir/Pass/Pass.h"

namespace sluice::lower {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/lower/Passes.h.inc"

} // namespace sluice::lower
