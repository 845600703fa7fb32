// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass `import-order-effects`: decides the races that a graph leaves between reads and writes
// of one variable.
//
// Requires: graphs as import builds them, with ops in topological order.
// Produces: for each variable and frame, every write is ordered after the reads and writes before
// it, and every read after the last write before it, where "before" is the order of ops in the
// block. Edges go through `flow.trigger`, so a dead op on one side does not kill the other.
// Limits: between frames and between iterations only the graph's own edges order.
#pragma once

#include "dialects/flow/Flow.h"

#include "mlir/Pass/Pass.h"

#include <cstdint>
#include <memory>

namespace sluice::import {

// Returns the number of order edges added, or failure, after an error, when frames mix.
llvm::FailureOr<uint64_t> orderEffects(flow::GraphOp graph);

std::unique_ptr<mlir::Pass> createOrderEffectsPass();
void registerImportPasses();

} // namespace sluice::import
