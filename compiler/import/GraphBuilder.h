// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the `flow.graph` of one signature, node by node in topological order.
//
// Loops: a Merge is made with its forward value standing in for each back edge; the NextIteration
// that is built later takes that place. Control outputs are made when somebody first asks for them.
#pragma once

#include "compiler/import/HandleTypes.h"
#include "compiler/import/Placement.h"
#include "compiler/import/Selection.h"
#include "compiler/import/Variables.h"
#include "compiler/import/tensorflow/Expansion.h"

#include "llvm/ADT/DenseSet.h"

namespace sluice::import {

class GraphBuilder {
public:
  // `placement` is null when where nodes ask to be is not kept.
  GraphBuilder(const Graph &graph, const Selection &selection, Declarations &declarations,
               HandleTypes &handles, DiagnosticList &diagnostics, mlir::MLIRContext *context,
               const Placement *placement);

  // The graph op stands at the end of the module.
  void build(mlir::ModuleOp module);

  // ---- For expansions
  mlir::OpBuilder &builder() { return builder_; }
  const Graph &graph() const { return graph_; }
  DiagnosticList &diagnostics() { return diagnostics_; }
  Declarations &declarations() { return declarations_; }
  HandleTypes &handles() { return handles_; }
  mlir::Location locationOf(uint32_t node);
  bool isUsed(Endpoint endpoint) const;
  bool carriesReference(uint32_t node) const { return carries_[node]; }
  bool isPivot(uint32_t node) const { return selection_.isPivot[node]; }
  // The value of an edge; null when its node failed. Back edges have none yet.
  Value valueOf(Endpoint endpoint) const;
  bool isBackEdge(Endpoint endpoint) const;
  void setResult(Endpoint endpoint, Value value);
  void setDone(uint32_t node, Value token) { done_[node] = token; }
  void setFailed(uint32_t node) { failed_[node] = true; }
  bool hasFailed(uint32_t node) const { return failed_[node]; }
  // Operand `operand` of `merge` waits for the NextIteration at the endpoint.
  void addBackEdge(mlir::Operation *merge, unsigned operand, Endpoint endpoint);
  // Reads a reference once all `triggers` are there; other values stay as they are.
  Value readReference(Value value, mlir::Location loc, ValueRange triggers);
  // One token for several values and tokens; constants need no waiting.
  Value joined(ValueRange values, mlir::Location loc);
  // The token of a node's control output.
  Value controlToken(uint32_t node);
  Value startToken();

private:
  void collectUses();
  mlir::TensorType typeOfPlaceholder(Endpoint feed, Type element) const;
  void addFeeds();
  void buildNode(uint32_t node);
  void buildComposite(uint32_t node, const OpExpansion &expansion, const Expansion &outside);
  bool gather(uint32_t node, llvm::SmallVector<Value> &inputs, llvm::SmallVector<Value> &tokens);
  bool readReferences(uint32_t node, Style style, llvm::SmallVector<Value> &inputs,
                      ValueRange tokens);
  bool areTensors(uint32_t node, ValueRange inputs);
  void patchBackEdges();
  void addFetches();
  void addTargets();

  struct BackEdge {
    mlir::Operation *merge;
    unsigned operand;
    Endpoint from;
  };

  const Graph &graph_;
  const Selection &selection_;
  Declarations &declarations_;
  HandleTypes &handles_;
  DiagnosticList &diagnostics_;
  const Placement *placement_;
  mlir::OpBuilder builder_;
  Type tokenType_;
  mlir::Block *body_ = nullptr;
  Value start_;
  std::vector<llvm::SmallVector<Value, 1>> results_; // by node
  std::vector<Value> feeds_;
  std::vector<Value> done_; // control output by node, once it exists
  std::vector<bool> failed_;
  std::vector<bool> carries_;
  llvm::DenseSet<uint64_t> used_;
  std::vector<BackEdge> backEdges_;
};

} // namespace sluice::import
