// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the raise phase.
#pragma once

#include "dialects/array/Array.h"
#include "dialects/flow/Flow.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"

#include "mlir/Pass/Pass.h"

namespace sluice::raise {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/raise/Passes.h.inc"

} // namespace sluice::raise
