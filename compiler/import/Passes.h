// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the import phase. Import runs them itself; here they are for tools and tests.
#pragma once

#include "dialects/flow/Flow.h"

#include "mlir/Pass/Pass.h"

#include <cstdint>

namespace sluice::import {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/import/Passes.h.inc"

// What the pass import-order-effects does. Returns the number of order edges added, or failure,
// after an error, when frames mix.
llvm::FailureOr<uint64_t> orderEffects(flow::TokenGraph graph);

// What the pass import-settle-merges does. Returns the number of merges that it changed, or
// failure, after an error, when frames mix.
llvm::FailureOr<uint64_t> settleMerges(flow::TokenGraph graph);

// What the pass import-resolve-lists does. Returns the number of lists whose type changed, or
// failure, after an error, when elements of one would be of two types.
uint64_t resolveLists(mlir::ModuleOp module);

} // namespace sluice::import
