// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// About how often things happen, to estimate memory.
#pragma once

#include "dialects/flow/Flow.h"

namespace sluice::differentiate {

// What loops are taken for that do not say how often they run, and functions that call themselves.
constexpr int64_t kUnknownTrips = 1000;

// Iterations of a loop, where a counter and a constant bound it or somebody has noted them; nothing
// if that is not known.
std::optional<int64_t> knownTrips(flow::WhileOp loop);
void noteTrips(flow::WhileOp loop, int64_t trips);
void forgetTrips(mlir::Operation *module);

// How often a region of the op is left while what it saves is kept. What a segment saves is gone
// before the next one.
int64_t timesOf(mlir::Operation *forward);
// Whether that follows from what is known.
bool areTimesKnown(mlir::Operation *forward);

} // namespace sluice::differentiate
