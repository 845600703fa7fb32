// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the branches of a graph.
#pragma once

#include "compiler/raise/Branch.h"

#include <vector>

namespace sluice::raise {

// A merge that belongs to no branch, and why.
struct StrayMerge {
  flow::MergeOp merge;
  std::string obstacle;
};

struct Branches {
  std::vector<Branch> found; // explored; those with an obstacle included
  std::vector<StrayMerge> strays;
};

// In all frames. A branch around another one that is still primitive has an obstacle.
Branches findBranches(const GraphFacts &facts);

} // namespace sluice::raise
