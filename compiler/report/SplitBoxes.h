// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes with many children get boxes inside, so that a large graph can be looked at piece by piece.
#pragma once

#include "compiler/report/DrawnGraph.h"

namespace sluice::report {

// No box has more children than this afterwards.
inline constexpr size_t kMostChildren = 60;

// Children of one name scope go into a box of it; what is still too much is cut into parts, by
// layers.
void splitBoxes(DrawnGraph &graph);

} // namespace sluice::report
