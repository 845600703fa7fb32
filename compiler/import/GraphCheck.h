// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of a whole graph before anything is built from it.
//
// Every check is linear in the size of the graph and none recurses. Attributes and types of nodes
// whose op cannot be built are passed over here: whether they matter is known only after pruning.
// Nodes that no fetch reaches are checked like all others.
#pragma once

#include "compiler/import/Graph.h"

#include <string>
#include <vector>

namespace sluice::import {

// A loop as written: its name under a parent frame. Frame 0 is the root.
struct StaticFrame {
  std::string name;
  uint32_t parent = 0;
  uint32_t enter = 0; // the first Enter of the frame
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t pivot = kNone; // the LoopCond that decides about it
};

struct CheckedGraph {
  // Every node after the nodes it depends on; edges out of NextIteration do not count. Among the
  // nodes that are ready, the first one of the file comes first.
  std::vector<uint32_t> order;
  std::vector<StaticFrame> frames;
  // The frame each node executes in: for Enter the child, for Exit the frame that it leaves.
  std::vector<uint32_t> frameOf;
};

// All checks in order; false when there were errors.
bool checkGraph(Graph &graph, CheckedGraph &checked, DiagnosticList &diagnostics);

// The single checks. Attributes: names, kinds, allowed values, shapes and tensors.
void checkAttributes(const Graph &graph, DiagnosticList &diagnostics);
// Computes the types of all inputs and outputs, and checks their number and agreement.
void checkTypes(Graph &graph, DiagnosticList &diagnostics);
// Orders the nodes; an error when a cycle does not pass through NextIteration.
void checkCycles(const Graph &graph, CheckedGraph &checked, DiagnosticList &diagnostics);
// Gives each node its frame; an error when frames mix. Needs the order.
void checkFrames(const Graph &graph, CheckedGraph &checked, DiagnosticList &diagnostics);

// What is wrong with a shape; empty when nothing is. `elements` gets the number of elements, or
// -1 when it is not known.
std::string problemOfShape(const graphdef::TensorShapeProto &shape, const Limits &limits,
                           int64_t &elements);

} // namespace sluice::import
