// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams that capture: what is enqueued becomes nodes of a graph.
#pragma once

#include "runtime/sim/driver.h"

namespace sluice::rt::sim {

class Capture {
public:
  cuda::Graph graph = nullptr;
  cuda::Stream origin = nullptr;
  bool owned = true;   // the graph is the capture's until it ends
  bool broken = false; // by a call that may not be made meanwhile
  // What the next node of each stream depends on.
  std::map<cuda::Stream, std::vector<cuda::GraphNode>> last;
};

// Without those of its dependencies that a test wants to miss.
void leaveOutEdges(Driver &driver, cuda::GraphNodeObject &node);
// Enqueues, or adds a node.
void submit(Driver &driver, cuda::Stream stream, Work work);
// For a call on a stream that captures, which may not be made then: the capture is of no use any
// more.
cuda::Result breakCapture(cuda::Stream stream, const char *function);
cuda::Result captureWait(cuda::Stream stream, cuda::Event event);
cuda::Result captureRecord(cuda::Stream stream, cuda::Event event);

} // namespace sluice::rt::sim
