// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a flow.while of a loop.
#pragma once

#include "compiler/raise/FindLoops.h"

namespace sluice::raise {

// Replaces a loop without obstacle, and erases its ops.
void buildLoop(const GraphFacts &facts, const Loop &loop);

} // namespace sluice::raise
