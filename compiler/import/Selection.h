// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one signature needs of a graph.
#pragma once

#include "compiler/import/GraphCheck.h"
#include "compiler/import/Importer.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <vector>

namespace sluice::import {

// Derivatives to be fetched. The ys, seeds and stops may be those of an earlier request.
struct SelectedGradients {
  std::string name; // "gradients", "gradients_1", …; "jvp", … with tangents
  std::vector<Endpoint> ys, seeds, xs, stops, tangents;
  std::vector<std::string> fetchNames; // by x, with tangents by y
};

struct Selection {
  std::string name;
  bool initializes = false;
  std::vector<Endpoint> feeds;
  std::vector<Endpoint> fetches;
  std::vector<uint32_t> targets;
  // What the caller calls them, and the shapes that feeds were promised to have; by position.
  std::vector<std::string> feedNames, fetchNames;
  std::vector<std::optional<graphdef::TensorShapeProto>> feedShapes;
  std::vector<SelectedGradients> gradients;
  // Nodes to build, in the order of CheckedGraph::order. A node that is fed is among them only
  // when another output of it is needed.
  std::vector<uint32_t> nodes;
  std::vector<bool> isFedNode; // by node: some output is fed
  std::vector<bool> isPivot;   // by node: a LoopCond that decides about its frame

  bool isFed(Endpoint endpoint) const { return feedIndex_.contains(key(endpoint)); }
  std::optional<size_t> feedIndex(Endpoint endpoint) const;
  // Whether derivatives are asked for with respect to the tensor, or end there.
  bool isIndependent(Endpoint endpoint) const { return independent_.contains(key(endpoint)); }
  void addIndependent(Endpoint endpoint) { independent_.insert(key(endpoint)); }
  // Whether derivatives go on from the fed tensor to what would have computed it, which is built.
  bool isThrough(Endpoint endpoint) const { return through_.contains(key(endpoint)); }
  void addThrough(Endpoint endpoint) { through_.insert(key(endpoint)); }
  void addFeed(Endpoint endpoint);

  // Nodes behind those of the graph stand for requests, and their outputs for derivatives by an x.
  uint32_t numNodes = 0;
  bool isDerivative(Endpoint endpoint) const { return endpoint.node >= numNodes; }
  // The node to name where the endpoint is meant: of a derivative, that of its first y.
  uint32_t nodeToName(Endpoint endpoint) const;

private:
  static uint64_t key(Endpoint endpoint) { return uint64_t(endpoint.node) << 32 | endpoint.slot; }
  llvm::DenseMap<uint64_t, size_t> feedIndex_;
  llvm::DenseSet<uint64_t> independent_, through_;
};

// Resolves the names of a request and prunes the graph to it. Nothing when a name is wrong.
std::optional<Selection> select(const Graph &graph, const CheckedGraph &checked,
                                const SignatureRequest &request, DiagnosticList &diagnostics);

// A function's body: what its returned values, control outputs and effects need.
Selection selectBody(const Graph &graph, const CheckedGraph &checked,
                     const std::vector<uint32_t> &roots);

} // namespace sluice::import
