// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocking flows in levels from the source, without recursion.
#include "compiler/differentiate/MinimumCut.h"

#include <algorithm>

namespace sluice::differentiate {

void MinimumCut::add(unsigned from, unsigned to, int64_t capacity) {
  edgesOf_[from].push_back(static_cast<unsigned>(edges_.size()));
  edges_.push_back({to, capacity});
  edgesOf_[to].push_back(static_cast<unsigned>(edges_.size()));
  edges_.push_back({from, 0});
}

bool MinimumCut::findLevels(unsigned source, unsigned sink) {
  levels_.assign(edgesOf_.size(), -1);
  levels_[source] = 0;
  std::vector<unsigned> queue{source};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned number : edgesOf_[queue[i]]) {
      const Edge &edge = edges_[number];
      if (edge.left > 0 && levels_[edge.to] < 0) {
        levels_[edge.to] = levels_[queue[i]] + 1;
        queue.push_back(edge.to);
      }
    }
  return levels_[sink] >= 0;
}

// One more way through the levels; 0 when there is none.
int64_t MinimumCut::push(unsigned source, unsigned sink) {
  std::vector<unsigned> way; // edges
  unsigned at = source;
  while (at != sink) {
    size_t &next = next_[at];
    if (next == edgesOf_[at].size()) {
      if (way.empty())
        return 0;
      at = edges_[way.back() ^ 1].to; // a dead end: back, and on with the next edge
      way.pop_back();
      ++next_[at];
      continue;
    }
    const Edge &edge = edges_[edgesOf_[at][next]];
    if (edge.left > 0 && levels_[edge.to] == levels_[at] + 1) {
      way.push_back(edgesOf_[at][next]);
      at = edge.to;
    } else {
      ++next;
    }
  }
  int64_t flow = kWhole;
  for (unsigned number : way)
    flow = std::min(flow, edges_[number].left);
  for (unsigned number : way) {
    edges_[number].left -= flow;
    edges_[number ^ 1].left += flow;
  }
  return flow;
}

llvm::BitVector MinimumCut::behindCut(unsigned source, unsigned sink) {
  while (findLevels(source, sink)) {
    next_.assign(edgesOf_.size(), 0);
    while (push(source, sink) > 0) {
    }
  }
  // Who still reaches the sink: backwards along edges with something left.
  llvm::BitVector behind(static_cast<unsigned>(edgesOf_.size()));
  std::vector<unsigned> open{sink};
  behind.set(sink);
  while (!open.empty()) {
    unsigned at = open.back();
    open.pop_back();
    for (unsigned number : edgesOf_[at]) {
      unsigned from = edges_[number].to;
      if (edges_[number ^ 1].left > 0 && !behind[from]) {
        behind.set(from);
        open.push_back(from);
      }
    }
  }
  return behind;
}

} // namespace sluice::differentiate
