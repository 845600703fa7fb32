// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order of nodes and static frames.
//
// Loops are the only legal cycles: their back edges run from NextIteration to Merge. Cutting those
// leaves a graph without cycles, whose order is computed first. A walk in that order gives each
// node its frame: that of its inputs, or for Enter the child frame that it names. All inputs of a
// node must agree. Constants that wait for nothing are there in every frame, whoever takes their
// value; an order after them belongs to the root. What depends on constant Enters alone fires in
// every iteration: if that opened the next one, the loop would never end.
#include "compiler/import/GraphCheck.h"
#include "compiler/import/Limits.h"

#include "llvm/ADT/StringMap.h"

#include <functional>
#include <queue>

namespace sluice::import {

namespace {

bool isBackEdge(const Graph &graph, uint32_t source) {
  return isNextIteration(graph.node(source).opName());
}

template <typename Visit> void forEachSource(const Node &node, Visit visit) {
  for (Endpoint from : node.inputs)
    visit(from.node);
  for (uint32_t from : node.controls)
    visit(from);
}

// Consumers of each node in one array: those of node i at [start[i], start[i + 1]).
struct Consumers {
  std::vector<uint32_t> start;
  std::vector<uint32_t> nodes;

  explicit Consumers(const Graph &graph) : start(graph.nodes().size() + 1) {
    for (const Node &node : graph.nodes())
      forEachSource(node, [&](uint32_t from) { ++start[from + 1]; });
    for (size_t i = 1; i < start.size(); ++i)
      start[i] += start[i - 1];
    nodes.resize(start.back());
    std::vector<uint32_t> next(start.begin(), start.end() - 1);
    for (uint32_t i = 0; i < graph.nodes().size(); ++i)
      forEachSource(graph.node(i), [&](uint32_t from) { nodes[next[from]++] = i; });
  }
};

// Names the nodes of one cycle, found by walking backwards from a node that never became ready.
std::string describeCycle(const Graph &graph, const std::vector<uint32_t> &pending, uint32_t node) {
  constexpr size_t kNamed = 8;
  std::vector<bool> visited(graph.nodes().size());
  auto step = [&](uint32_t at) {
    uint32_t next = at;
    forEachSource(graph.node(at), [&](uint32_t from) {
      if (next == at && pending[from] > 0 && !isBackEdge(graph, from))
        next = from;
    });
    return next;
  };
  while (!visited[node]) {
    visited[node] = true;
    node = step(node);
  }
  std::string text = quoted(graph.node(node).name().str());
  size_t length = 1;
  for (uint32_t at = step(node); at != node; at = step(at), ++length)
    if (length < kNamed)
      text = quoted(graph.node(at).name().str()) + " -> " + text;
  if (length > kNamed)
    text = "… -> " + text;
  return quoted(graph.node(node).name().str()) + " -> " + text;
}

// Edges out of NextIteration may only be the data inputs of a Merge.
void checkBackEdges(const Graph &graph, DiagnosticList &diagnostics) {
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const Node &node = graph.node(i);
    auto fail = [&](uint32_t from) {
      diagnostics.error(ExitCode::kBadGraph, graph.place(i),
                        "only Merge nodes can have back edges, but this node has the input " +
                            quoted(graph.node(from).name().str()) + " (NextIteration)");
    };
    size_t back = 0;
    for (Endpoint from : node.inputs)
      if (isBackEdge(graph, from.node)) {
        ++back;
        if (!isMerge(node.opName()))
          fail(from.node);
      }
    for (uint32_t from : node.controls)
      if (isBackEdge(graph, from))
        fail(from);
    if (isMerge(node.opName()) && back > 0 && back == node.inputs.size())
      diagnostics.error(ExitCode::kBadGraph, graph.place(i),
                        "expected an input that is no back edge: this Merge can never fire");
  }
}

class Frames {
public:
  Frames(const Graph &graph, CheckedGraph &checked, DiagnosticList &diagnostics)
      : graph_(graph), checked_(checked), diagnostics_(diagnostics) {
    checked.frames.assign(1, StaticFrame());
    checked.frameOf.assign(graph.nodes().size(), 0);
    inEveryIteration_.assign(graph.nodes().size(), false);
    depths_.assign(1, 0);
  }

  void run() {
    for (uint32_t node : checked_.order)
      assign(node);
    for (uint32_t i = 0; i < graph_.nodes().size(); ++i)
      if (isMerge(graph_.node(i).opName()))
        checkBackEdgeFrames(i);
  }

private:
  void fail(uint32_t node, std::string message) {
    diagnostics_.error(ExitCode::kBadGraph, graph_.place(node), std::move(message));
  }

  std::string nameOf(uint32_t frame) const {
    return frame == 0 ? "the root frame" : "frame " + quoted(checked_.frames[frame].name);
  }

  // The frame in which the outputs of a node are.
  uint32_t outputFrame(uint32_t node) const {
    uint32_t frame = checked_.frameOf[node];
    return isExit(graph_.node(node).opName()) ? checked_.frames[frame].parent : frame;
  }

  bool isEverywhere(uint32_t node) const {
    return graph_.node(node).opName() == "Const" && graph_.node(node).controls.empty();
  }

  // The frame that all inputs agree on.
  uint32_t inputFrame(uint32_t index) {
    uint32_t first = StaticFrame::kNone;
    uint32_t frame = 0;
    bool failed = false;
    auto agree = [&](uint32_t from) {
      if (isBackEdge(graph_, from) || failed)
        return;
      uint32_t other = outputFrame(from);
      if (first == StaticFrame::kNone) {
        first = from;
        frame = other;
      } else if (other != frame) {
        failed = true;
        fail(index, "has inputs from different frames. The input " +
                        quoted(graph_.node(first).name().str()) + " is in " + nameOf(frame) +
                        ". The input " + quoted(graph_.node(from).name().str()) + " is in " +
                        nameOf(other) + ".");
      }
    };
    for (Endpoint from : graph_.node(index).inputs)
      if (!isEverywhere(from.node))
        agree(from.node);
    for (uint32_t from : graph_.node(index).controls)
      agree(from);
    return frame;
  }

  void assign(uint32_t index) {
    const Node &node = graph_.node(index);
    uint32_t frame = inputFrame(index);
    if (isEnter(node.opName()))
      frame = enterFrame(index, frame);
    checked_.frameOf[index] = frame;
    bool needsFrame =
        isExit(node.opName()) || isNextIteration(node.opName()) || node.opName() == "LoopCond";
    if (frame == 0 && needsFrame)
      fail(index, "belongs to no loop: expected an Enter before it");
    if (node.opName() == "LoopCond" && frame != 0)
      addPivot(index, frame);
    inEveryIteration_[index] = firesInEveryIteration(index);
    if (isNextIteration(node.opName()) && inEveryIteration_[index])
      fail(index, "opens an iteration in every iteration, so that " + nameOf(frame) +
                      " never ends: expected an input that depends on the loop's predicate, but it "
                      "depends on constant Enters alone");
  }

  bool firesInEveryIteration(uint32_t index) const {
    const Node &node = graph_.node(index);
    if (isEnter(node.opName())) {
      const graphdef::AttrValue *constant = graph_.attribute(node, "is_constant");
      return constant && constant->b();
    }
    if (isMerge(node.opName()) || isSwitch(node.opName()) || isExit(node.opName()))
      return false; // dead, or elsewhere
    bool isAny = false, isAll = true;
    forEachSource(node, [&](uint32_t from) {
      if (isEverywhere(from))
        return;
      isAny = true;
      isAll &= inEveryIteration_[from];
    });
    return isAny && isAll;
  }

  uint32_t enterFrame(uint32_t index, uint32_t parent) {
    const Node &node = graph_.node(index);
    const graphdef::AttrValue *name = graph_.attribute(node, "frame_name");
    const graphdef::AttrValue *window = graph_.attribute(node, "parallel_iterations");
    if (!name || name->s().empty()) {
      fail(index, "The Enter must have a frame name");
      return parent;
    }
    if (window && (window->i() < 1 || window->i() > INT32_MAX))
      fail(index, "attribute 'parallel_iterations': expected 1 to 2147483647 but got " +
                      std::to_string(window->i()));
    auto [found, isNew] =
        byName_.try_emplace(name->s(), static_cast<uint32_t>(checked_.frames.size()));
    if (isNew) {
      checked_.frames.push_back({name->s(), parent, index, StaticFrame::kNone});
      depths_.push_back(depths_[parent] + 1);
      checkDepth(index, depths_.back());
    }
    uint32_t frame = found->second;
    if (checked_.frames[frame].parent != parent) {
      fail(index, "Invalid loop structure: Mismatched parent frames for " + nameOf(frame) +
                      ": expected " + nameOf(checked_.frames[frame].parent) + " but got " +
                      nameOf(parent));
      diagnostics_.note(graph_.place(checked_.frames[frame].enter),
                        "the frame is first entered here");
    }
    return frame;
  }

  void checkDepth(uint32_t index, uint32_t depth) {
    const Limits &limits = graph_.file().limits();
    if (!limits.allows(LimitId::kLoopNesting, depth))
      fail(index, limits.excess(LimitId::kLoopNesting, "loops inside each other", depth));
  }

  // Counters that TensorFlow adds for gradients share their frame legally: where there is another
  // LoopCond, they decide nothing.
  bool isCounter(uint32_t node) const { return graph_.node(node).name().contains("LoopCounter"); }

  void addPivot(uint32_t index, uint32_t frame) {
    uint32_t &pivot = checked_.frames[frame].pivot;
    if (pivot != StaticFrame::kNone && isCounter(index))
      return;
    if (pivot != StaticFrame::kNone && !isCounter(pivot)) {
      fail(index, nameOf(frame) + " has more than one LoopCond node");
      diagnostics_.note(graph_.place(pivot), "the other LoopCond is here");
    }
    pivot = index;
  }

  void checkBackEdgeFrames(uint32_t index) {
    for (Endpoint from : graph_.node(index).inputs)
      if (isBackEdge(graph_, from.node) && checked_.frameOf[from.node] != checked_.frameOf[index])
        fail(index, "is in " + nameOf(checked_.frameOf[index]) + " but its back edge from " +
                        quoted(graph_.node(from.node).name().str()) + " comes from " +
                        nameOf(checked_.frameOf[from.node]));
  }

  const Graph &graph_;
  CheckedGraph &checked_;
  DiagnosticList &diagnostics_;
  llvm::StringMap<uint32_t> byName_;
  std::vector<uint32_t> depths_;       // of frames: loops around them, themselves included
  std::vector<bool> inEveryIteration_; // by node
};

} // namespace

void checkCycles(const Graph &graph, CheckedGraph &checked, DiagnosticList &diagnostics) {
  checkBackEdges(graph, diagnostics);
  if (diagnostics.hasErrors())
    return;
  std::vector<uint32_t> pending(graph.nodes().size());
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t i = 0; i < pending.size(); ++i) {
    forEachSource(graph.node(i),
                  [&](uint32_t from) { pending[i] += isBackEdge(graph, from) ? 0 : 1; });
    if (pending[i] == 0)
      ready.push(i);
  }
  Consumers consumers(graph);
  while (!ready.empty()) {
    uint32_t node = ready.top();
    ready.pop();
    checked.order.push_back(node);
    if (isBackEdge(graph, node))
      continue;
    for (uint32_t i = consumers.start[node]; i < consumers.start[node + 1]; ++i)
      if (--pending[consumers.nodes[i]] == 0)
        ready.push(consumers.nodes[i]);
  }
  if (checked.order.size() == pending.size())
    return;
  for (uint32_t i = 0; i < pending.size(); ++i)
    if (pending[i] > 0)
      return diagnostics.error(ExitCode::kBadGraph, graph.place(i),
                               "the graph has a cycle without NextIteration: " +
                                   describeCycle(graph, pending, i));
}

void checkFrames(const Graph &graph, CheckedGraph &checked, DiagnosticList &diagnostics) {
  Frames(graph, checked, diagnostics).run();
}

bool checkGraph(Graph &graph, CheckedGraph &checked, DiagnosticList &diagnostics) {
  checkAttributes(graph, diagnostics);
  if (!diagnostics.hasErrors())
    checkTypes(graph, diagnostics);
  if (!diagnostics.hasErrors())
    checkCycles(graph, checked, diagnostics);
  if (!diagnostics.hasErrors())
    checkFrames(graph, checked, diagnostics);
  return !diagnostics.hasErrors();
}

} // namespace sluice::import
