// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drawing a graph in layers: which layer each vertex goes to, in what order they stand there, and
// through which places long links are led. Knows nothing of sizes: whoever draws adds those.
//
// The steps are those of Sugiyama's method: links that close a cycle are turned round, layers
// follow from longest paths, a link that skips layers gets a bend in each of them, and sweeps over
// the layers sort each by the mean position of its neighbours, which avoids most crossings.
#pragma once

#include <vector>

namespace sluice::report {

struct Link {
  unsigned from = 0, to = 0;
  bool isBack = false; // known to close a cycle
};

struct LinkedVertices {
  unsigned size = 0;
  std::vector<Link> links; // no two of the same ends
  // Vertices with links from above the picture and to below it: room is kept for these lines.
  std::vector<bool> hasAbove, hasBelow;
};

// The layer of each vertex. Links that close a cycle, beside those known to, are marked as back.
std::vector<unsigned> assignLayers(LinkedVertices &graph);

struct Layering {
  // From the top; a number below `size` is a vertex, others are bends.
  std::vector<std::vector<unsigned>> layers;
  // The bends of each link, from its start to its end; one that leads up has a bend beside each
  // end, too.
  std::vector<std::vector<unsigned>> bendsOf;
  // The bends of lines from above to a vertex, and of those from it to below.
  std::vector<std::vector<unsigned>> bendsAbove, bendsBelow;
};

Layering arrange(LinkedVertices graph);

} // namespace sluice::report
