// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams that capture: what is enqueued becomes nodes of a graph.
#pragma once

#include "runtime/sim/driver.h"

namespace sluice::rt::sim {

class Capture {
public:
  cuda::Graph graph = nullptr;
  cuda::Stream origin = nullptr;
  bool owned = true; // the graph is the capture's until it ends
  // What the next node of each stream depends on.
  std::map<cuda::Stream, std::vector<cuda::GraphNode>> last;
};

// Enqueues, or adds a node.
void submit(Driver &driver, cuda::Stream stream, Work work);
cuda::Result captureWait(cuda::Stream stream, cuda::Event event);
cuda::Result captureRecord(cuda::Stream stream, cuda::Event event);

} // namespace sluice::rt::sim
