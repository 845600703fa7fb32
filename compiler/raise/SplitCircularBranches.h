// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes branches apart that would depend on themselves.
#pragma once

#include "compiler/raise/Branch.h"

#include <vector>

namespace sluice::raise {

// Splits branches that depend on each other in a circle. Each part is explored anew.
void splitCircularBranches(const GraphFacts &facts, std::vector<Branch> &branches);

} // namespace sluice::raise
