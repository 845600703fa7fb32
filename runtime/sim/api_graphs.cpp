// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making graphs and launching them.
#include "runtime/sim/capture.h"
#include "runtime/sim/copies.h"
#include "runtime/sim/entry.h"
#include "runtime/sim/graphs.h"
#include "runtime/sim/launches.h"

namespace sluice::rt::sim {

using namespace cuda;

bool Driver::isGraph(Graph graph) const { return graphs.knows(graph) || bodies.count(graph); }

Result cuGraphCreate(Graph *graph, unsigned flags) {
  return entry("cuGraphCreate", [=](Driver &driver, auto &) {
    if (flags)
      return kInvalidValue;
    *graph = driver.graphs.create();
    return kSuccess;
  });
}

static void forgetBodies(Driver &driver, const GraphObject &graph) {
  for (const auto &node : graph.nodes)
    for (const auto &body : node->bodies) {
      forgetBodies(driver, *body);
      driver.bodies.erase(body.get());
    }
}

Result cuGraphDestroy(Graph graph) {
  return entry("cuGraphDestroy", [=](Driver &driver, auto &) {
    if (!driver.graphs.knows(graph))
      return refuse(kInvalidValue, "cuGraphDestroy: expected a graph that was created");
    forgetBodies(driver, *graph);
    driver.graphs.destroy(graph);
    return kSuccess;
  });
}

// ---- Nodes --------------------------------------------------------------------------------------

static Result addCopy(Driver &driver, const CopyParameters &copy, GraphNodeObject &node) {
  if (copy.height > 1 || copy.depth > 1 || copy.fromY || copy.fromZ || copy.toY || copy.toZ)
    return refuse(kNotSupported, "cuGraphAddNode: only copies of one row are simulated");
  DevicePointer from = copy.fromDevice + copy.fromX, to = copy.toDevice + copy.toX;
  const void *fromHost = static_cast<const char *>(copy.fromHost) + copy.fromX;
  void *toHost = static_cast<char *>(copy.toHost) + copy.toX;
  bool up = copy.fromType == kMemoryHost, down = copy.toType == kMemoryHost;
  if (up == down && up)
    return refuse(kNotSupported, "cuGraphAddNode: copies within the host are not simulated");
  if ((up && !driver.host.isPinned(fromHost, copy.width)) ||
      (down && !driver.host.isPinned(toHost, copy.width)))
    return refuse(kInvalidValue, "cuGraphAddNode: expected pinned memory of the host");
  if (!up)
    if (Result result = checkRange(driver, "cuGraphAddNode", from, copy.width))
      return result;
  if (!down)
    if (Result result = checkRange(driver, "cuGraphAddNode", to, copy.width))
      return result;
  node.work = up     ? copyFromPinned(driver, to, fromHost, copy.width, false)
              : down ? copyToHost(driver, toHost, from, copy.width)
                     : copyOnDevice(driver, to, from, copy.width);
  return kSuccess;
}

static Result addMemset(Driver &driver, const MemsetNodeParameters &wanted, GraphNodeObject &node) {
  size_t bytes = wanted.elementBytes;
  if ((bytes != 1 && bytes != 2 && bytes != 4) || wanted.height > 1 || wanted.to % bytes)
    return refuse(kInvalidValue, "cuGraphAddNode: expected one row of aligned elements");
  if (Result result = checkRange(driver, "cuGraphAddNode", wanted.to, bytes * wanted.width))
    return result;
  node.work = fill(driver, wanted.to, wanted.value, bytes, wanted.width);
  return kSuccess;
}

static Result addConditional(Driver &driver, Graph graph, ConditionalNodeParameters &wanted,
                             GraphNodeObject &node) {
  auto found = driver.conditions.find(wanted.handle);
  if (found == driver.conditions.end() || found->second.graph != graph || found->second.used)
    return refuse(kInvalidValue,
                  "cuGraphAddNode: expected a handle of this graph, of no other node");
  constexpr int kHasElse = 12080; // and switches
  bool isOld = driver.options.version < kHasElse;
  unsigned most = wanted.type == kConditionalWhile ? 1
                  : wanted.type == kConditionalIf  ? (isOld ? 1 : 2)
                                                   : (isOld ? 0 : ~0u);
  if (!wanted.size || wanted.size > most)
    return refuse(kInvalidValue, "cuGraphAddNode: a conditional node cannot have %u bodies",
                  wanted.size);
  found->second.used = true;
  node.handle = wanted.handle;
  node.conditional = wanted.type;
  for (unsigned i = 0; i < wanted.size; ++i) {
    node.bodies.push_back(std::make_shared<GraphObject>());
    node.bodyHandles.push_back(node.bodies.back().get());
    driver.bodies.insert(node.bodies.back().get());
  }
  wanted.bodies = node.bodyHandles.data();
  return kSuccess;
}

static Result fillNode(Driver &driver, Graph graph, GraphNodeParameters &wanted,
                       GraphNodeObject &node) {
  node.type = wanted.type;
  switch (wanted.type) {
  case kNodeEmpty:
    return kSuccess;
  case kNodeKernel: {
    KernelLaunch launch;
    Result result = makeLaunch(driver, "cuGraphAddNode", wanted.kernel, launch);
    if (!result)
      node.work = kernelWork(driver, std::move(launch));
    return result;
  }
  case kNodeMemcpy:
    return addCopy(driver, wanted.memcpy.copy, node);
  case kNodeMemset:
    return addMemset(driver, wanted.memset, node);
  case kNodeGraph:
    if (!driver.graphs.knows(wanted.graph.graph))
      return refuse(kInvalidValue, "cuGraphAddNode: expected a graph that was created");
    for (const auto &inner : wanted.graph.graph->nodes)
      if (inner->type == kNodeConditional)
        return refuse(kInvalidValue, "cuGraphAddNode: a child may have no conditional nodes");
    node.child = std::make_shared<GraphObject>(*wanted.graph.graph);
    return kSuccess;
  case kNodeConditional:
    return addConditional(driver, graph, wanted.conditional, node);
  default:
    return refuse(kNotSupported, "cuGraphAddNode: nodes of type %d are not simulated", wanted.type);
  }
}

static bool has(const GraphObject &graph, GraphNode node) {
  for (const auto &one : graph.nodes)
    if (one.get() == node)
      return true;
  return false;
}

Result cuGraphAddNode(GraphNode *added, Graph graph, const GraphNode *dependencies,
                      const GraphEdgeData *edges, size_t count, GraphNodeParameters *wanted) {
  return entry("cuGraphAddNode", [=](Driver &driver, auto &) {
    if (!driver.isGraph(graph))
      return refuse(kInvalidValue, "cuGraphAddNode: expected a graph that was created");
    if (edges)
      return refuse(kNotSupported, "cuGraphAddNode: data of edges is not simulated");
    auto node = std::make_shared<GraphNodeObject>();
    if (Result result = fillNode(driver, graph, *wanted, *node))
      return result;
    for (size_t i = 0; i < count; ++i) {
      if (!has(*graph, dependencies[i]))
        return refuse(kInvalidValue, "cuGraphAddNode: expected dependencies of the same graph");
      node->dependencies.push_back(dependencies[i]);
    }
    leaveOutEdges(driver, *node);
    *added = node.get();
    graph->nodes.push_back(std::move(node));
    return kSuccess;
  });
}

// ---- Launches -----------------------------------------------------------------------------------

static bool hasEmptyBody(const GraphObject &graph) {
  for (const auto &node : graph.nodes)
    for (const auto &body : node->bodies)
      if (body->nodes.empty() || hasEmptyBody(*body))
        return true;
  return false;
}

static void collectHandles(const GraphPlan &plan, std::vector<ConditionalHandle> &handles) {
  for (const PlanNode &node : plan.nodes) {
    if (node.handle)
      handles.push_back(node.handle);
    for (const GraphPlan &body : node.bodies)
      collectHandles(body, handles);
  }
}

Result cuGraphInstantiateWithFlags(GraphExec *exec, Graph graph, unsigned long long flags) {
  return entry("cuGraphInstantiateWithFlags", [=](Driver &driver, auto &) {
    if (!driver.graphs.knows(graph) || flags)
      return refuse(kInvalidValue, "cuGraphInstantiateWithFlags: expected a graph and no flags");
    if (hasEmptyBody(*graph))
      return refuse(kInvalidValue, "cuGraphInstantiateWithFlags: a conditional node has a body "
                                   "without nodes, with which older drivers hang");
    uint32_t nextIndex = 0;
    *exec = driver.graphExecs.create();
    (*exec)->plan = std::make_shared<GraphPlan>(planOf(*graph, nextIndex));
    collectHandles(*(*exec)->plan, (*exec)->handles);
    return kSuccess;
  });
}

Result cuGraphExecDestroy(GraphExec exec) {
  return entry("cuGraphExecDestroy", [=](Driver &driver, auto &) {
    if (!driver.graphExecs.knows(exec))
      return refuse(kInvalidValue, "cuGraphExecDestroy: expected a graph that was instantiated");
    driver.graphExecs.destroy(exec);
    return kSuccess;
  });
}

static Result checkExec(Driver &driver, const char *function, GraphExec exec, Stream stream) {
  if (!driver.graphExecs.knows(exec))
    return refuse(kInvalidValue, "%s: expected a graph that was instantiated", function);
  return checkStream(driver, function, stream);
}

Result cuGraphUpload(GraphExec exec, Stream stream) {
  return entry("cuGraphUpload", [=](Driver &driver, auto &) {
    return checkExec(driver, "cuGraphUpload", exec, stream);
  });
}

Result cuGraphLaunch(GraphExec exec, Stream stream) {
  return entry("cuGraphLaunch", [=](Driver &driver, auto &) {
    if (Result result = checkExec(driver, "cuGraphLaunch", exec, stream))
      return result;
    if (stream->capture)
      return refuse(kStreamCaptureUnsupported, "cuGraphLaunch: the stream captures");
    auto run = [&driver, plan = exec->plan, handles = exec->handles](OperationId id) {
      for (ConditionalHandle handle : handles) {
        Condition &condition = driver.conditions.at(handle);
        condition.setBy = condition.readBy = 0;
        if (condition.assigned)
          condition.value = condition.initial;
      }
      runPlan(driver, *plan, id);
    };
    driver.streams.enqueue(stream, {"a graph", std::move(run)});
    return kSuccess;
  });
}

} // namespace sluice::rt::sim
