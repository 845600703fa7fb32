// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edges of a drawn graph as the boxes around their ends see them.
#pragma once

#include "compiler/report/DrawnGraph.h"
#include "compiler/report/Layers.h"

namespace sluice::report {

// The children of one box as vertices, and the edges between and out of them.
struct BoxContents {
  std::vector<Item> items;
  LinkedVertices graph; // of indices into `items`
};

// By box. An edge is seen by the innermost box around both of its ends, as a link between two of
// its children, and by those around one end, as a line from above or to below.
std::vector<BoxContents> contentsOfBoxes(const DrawnGraph &graph);

// Fills in how the children of each box stand.
void arrangeBoxes(DrawnGraph &graph);

} // namespace sluice::report
