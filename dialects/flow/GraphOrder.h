// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of ops in a graph with cycles.
#pragma once

#include "dialects/flow/Flow.h"

#include <vector>

namespace sluice::flow {

// All ops, each one after the producers of its operands. Results of flow.next_iteration are the
// exception: every cycle passes through one. Otherwise near the order in the text.
std::vector<mlir::Operation *> operandsFirst(TokenGraph graph);

} // namespace sluice::flow
