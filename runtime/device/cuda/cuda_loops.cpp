// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CudaDevice: loops, as graphs whose conditions are set by kernels.
#include "runtime/device/cuda/cuda_device.h"

#include <algorithm>
#include <span>

namespace sluice::rt::cuda {

namespace {

// Adds nodes to a graph, each behind the one before.
class GraphBuilder {
public:
  GraphBuilder(const Driver &driver, DriverErrors &errors, const LoopPlan &plan)
      : driver_(driver), errors_(errors), plan_(plan) {}

  Status addAll(Graph graph) {
    GraphNode last = nullptr;
    return addLoop(graph, plan_.live, plan_.steps, last);
  }

private:
  Status add(Graph graph, GraphNodeParameters &node, GraphNode &last) {
    GraphNode added = nullptr;
    SLUICE_RETURN_IF_ERROR(
        errors_.check(driver_.cuGraphAddNode(&added, graph, &last, nullptr, last ? 1 : 0, &node),
                      "cuGraphAddNode"));
    last = added;
    return okStatus();
  }

  Status addKernel(Graph graph, const KernelLaunch &launch, GraphNode &last) {
    GraphNodeParameters node = {};
    node.type = kNodeKernel;
    KernelNodeParameters &kernel = node.kernel;
    kernel.function = static_cast<Function>(launch.kernel.handle);
    kernel.gridX = launch.grid.x;
    kernel.gridY = launch.grid.y;
    kernel.gridZ = launch.grid.z;
    kernel.blockX = launch.block.x;
    kernel.blockY = launch.block.y;
    kernel.blockZ = launch.block.z;
    kernel.sharedBytes = static_cast<unsigned>(launch.sharedBytes);
    kernel.parameters = launch.parameters;
    return add(graph, node, last);
  }

  Status addSetting(Graph graph, const void *word, ConditionalHandle handle, GraphNode &last) {
    void *parameters[] = {&word, &handle};
    KernelLaunch launch;
    launch.kernel = plan_.setCondition;
    launch.parameters = parameters;
    return addKernel(graph, launch, last);
  }

  // A condition of the graph, which is what the word says.
  Status addCondition(Graph graph, const void *word, ConditionalHandle &handle, GraphNode &last) {
    SLUICE_RETURN_IF_ERROR(
        errors_.check(driver_.cuGraphConditionalHandleCreate(&handle, graph, nullptr, 0, 0),
                      "cuGraphConditionalHandleCreate"));
    return addSetting(graph, word, handle, last);
  }

  // With two bodies, the second one is for where the condition does not hold.
  Status addConditional(Graph graph, ConditionalType type, ConditionalHandle handle,
                        GraphNode &last, std::span<Graph> bodies) {
    GraphNodeParameters node = {};
    node.type = kNodeConditional;
    node.conditional.handle = handle;
    node.conditional.type = type;
    node.conditional.size = static_cast<unsigned>(bodies.size());
    SLUICE_RETURN_IF_ERROR(add(graph, node, last));
    std::copy_n(node.conditional.bodies, bodies.size(), bodies.begin());
    return okStatus();
  }

  // The condition is set before it each time: of a loop within another one its first value would
  // be that of a launch.
  Status addLoop(Graph graph, const void *live, const std::vector<LoopStep> &steps,
                 GraphNode &last) {
    ConditionalHandle handle = 0;
    SLUICE_RETURN_IF_ERROR(addCondition(graph, live, handle, last));
    Graph body = nullptr;
    SLUICE_RETURN_IF_ERROR(addConditional(graph, kConditionalWhile, handle, last, {&body, 1}));
    GraphNode inside = nullptr;
    SLUICE_RETURN_IF_ERROR(addSteps(body, steps, inside));
    return addSetting(body, live, handle, inside);
  }

  // Both sides of a branch as one node, where the driver has such.
  Status addBranch(Graph graph, const LoopStep &step, const LoopStep *other, GraphNode &last) {
    ConditionalHandle handle = 0;
    SLUICE_RETURN_IF_ERROR(addCondition(graph, step.taken, handle, last));
    Graph bodies[2] = {};
    SLUICE_RETURN_IF_ERROR(
        addConditional(graph, kConditionalIf, handle, last, {bodies, other ? 2u : 1u}));
    GraphNode inside = nullptr;
    SLUICE_RETURN_IF_ERROR(addSteps(bodies[0], step.steps, inside));
    if (!other)
      return okStatus();
    inside = nullptr;
    return addSteps(bodies[1], other->steps, inside);
  }

  Status addSteps(Graph graph, const std::vector<LoopStep> &steps, GraphNode &last) {
    constexpr int kHasElse = 12080;
    for (size_t i = 0; i < steps.size(); ++i) {
      const LoopStep &step = steps[i];
      if (step.kind == LoopStep::Kind::kLaunch) {
        SLUICE_RETURN_IF_ERROR(addKernel(graph, step.launch, last));
      } else if (step.kind == LoopStep::Kind::kLoop) {
        SLUICE_RETURN_IF_ERROR(addLoop(graph, step.taken, step.steps, last));
      } else {
        bool hasElse = driver_.version >= kHasElse && i + 1 < steps.size() && steps[i + 1].isElse;
        SLUICE_RETURN_IF_ERROR(addBranch(graph, step, hasElse ? &steps[i + 1] : nullptr, last));
        i += hasElse;
      }
    }
    return okStatus();
  }

  const Driver &driver_;
  DriverErrors &errors_;
  const LoopPlan &plan_;
};

} // namespace

// Earlier drivers have functions of these names that take something else.
bool CudaDevice::canLoop() const {
  constexpr int kLeast = 12030;
  return driver_.version >= kLeast && driver_.cuGraphAddNode &&
         driver_.cuGraphConditionalHandleCreate;
}

rt::Result<DeviceLoop> CudaDevice::makeLoop(const LoopPlan &plan) {
  SLUICE_RETURN_IF_ERROR(enter());
  if (!canLoop())
    return Status(Code::kUnimplemented, name() + ": the driver has no graphs with conditions");
  Graph graph = nullptr;
  SLUICE_RETURN_IF_ERROR(errors_.check(driver_.cuGraphCreate(&graph, 0), "cuGraphCreate"));
  GraphExec loop = nullptr;
  Status made = GraphBuilder(driver_, errors_, plan).addAll(graph);
  if (made.ok())
    made = errors_.check(driver_.cuGraphInstantiateWithFlags(&loop, graph, 0),
                         "cuGraphInstantiateWithFlags");
  driver_.cuGraphDestroy(graph);
  SLUICE_RETURN_IF_ERROR(made);
  std::lock_guard lock(modulesMutex_);
  loops_.push_back(loop);
  return DeviceLoop{loop};
}

void CudaDevice::dropLoop(DeviceLoop loop) {
  if (!enter().ok())
    return;
  auto *handle = static_cast<GraphExec>(loop.handle);
  std::lock_guard lock(modulesMutex_);
  loops_.erase(std::find(loops_.begin(), loops_.end(), handle));
  driver_.cuGraphExecDestroy(handle);
}

rt::Result<Moment> CudaDevice::runLoop(DeviceLoop loop, StreamId stream) {
  SLUICE_RETURN_IF_ERROR(enter(stream));
  return streams_.enqueue(stream, "cuGraphLaunch", [&](Stream handle) {
    return driver_.cuGraphLaunch(static_cast<GraphExec>(loop.handle), handle);
  });
}

} // namespace sluice::rt::cuda
