// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: nodes and what each waits for; conditions, which kernels set; and graphs as they run.
#pragma once

#include "runtime/sim/driver.h"

struct sluice::rt::cuda::GraphNodeObject {
  GraphNodeType type = kNodeEmpty;
  std::vector<GraphNode> dependencies;
  rt::sim::Work work;                 // of kernels, copies and fillings
  std::shared_ptr<GraphObject> child; // a copy, as it was when the node was added
  ConditionalHandle handle = 0;
  ConditionalType conditional = kConditionalIf;
  std::vector<Graph> bodyHandles; // what programs are given
  std::vector<std::shared_ptr<GraphObject>> bodies;
};

struct sluice::rt::cuda::GraphObject {
  std::vector<std::shared_ptr<GraphNodeObject>> nodes; // each after what it depends on
};

namespace sluice::rt::sim {

struct PlanNode;

// What a graph was when it was instantiated.
struct GraphPlan {
  std::vector<PlanNode> nodes;
};

struct PlanNode {
  cuda::GraphNodeType type = cuda::kNodeEmpty;
  uint32_t index = 0; // in the clocks of a launch
  std::vector<size_t> dependencies;
  Work work;
  cuda::ConditionalHandle handle = 0;
  cuda::ConditionalType conditional = cuda::kConditionalIf;
  std::vector<GraphPlan> bodies; // or the one of a child
};

GraphPlan planOf(const cuda::GraphObject &graph, uint32_t &nextIndex);
// All of it, as one operation of a stream.
void runPlan(Driver &driver, const GraphPlan &plan, OperationId launch);

} // namespace sluice::rt::sim

struct sluice::rt::cuda::GraphExecObject {
  std::shared_ptr<const rt::sim::GraphPlan>
      plan; // a launch may be on its way when this is destroyed
  std::vector<ConditionalHandle> handles;
};
