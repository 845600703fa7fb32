// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the `flow.graph` of one signature, or the `flow.func` of a function's body, node by node
// in topological order.
//
// Loops: a Merge is made with its forward value standing in for each back edge; the NextIteration
// that is built later takes that place. Control outputs are made when somebody first asks for them.
// Calls: a node that calls a function can be built once that function is; until then the builder
// stops there, and goes on when asked again.
#pragma once

#include "compiler/import/HandleTypes.h"
#include "compiler/import/Placement.h"
#include "compiler/import/Selection.h"
#include "compiler/import/Variables.h"
#include "compiler/import/functions/FunctionTable.h"
#include "compiler/import/tensorflow/Expansion.h"

#include "llvm/ADT/DenseSet.h"

namespace sluice::flow {
class FrameAnalysis;
}

namespace sluice::import {

class FunctionLibrary;

// What the builders of one module share.
struct ModuleParts {
  mlir::MLIRContext *context;
  Declarations &declarations;
  FunctionTable &functions;
  DiagnosticList &diagnostics;
  bool asksForGradients = false;
  const FunctionLibrary *library = nullptr;
};

class GraphBuilder {
public:
  // `placement` is null when where nodes ask to be is not kept.
  GraphBuilder(const Graph &graph, const Selection &selection, const CalleesOfNodes &callees,
               ModuleParts &parts, const Placement *placement);
  // Of a function's body, whose types and effects become known.
  GraphBuilder(Function &function, ModuleParts &parts, const Placement *placement);

  // Builds on, at the end of the module. The function that has to be built before that can go on;
  // null: all is built.
  Function *build(mlir::ModuleOp module);

  // ---- For expansions
  mlir::OpBuilder &builder() { return builder_; }
  const Graph &graph() const { return graph_; }
  DiagnosticList &diagnostics() { return diagnostics_; }
  Declarations &declarations() { return parts_.declarations; }
  HandleTypes &handles() { return handles_; }
  // What a function is given, and gives. Nothing is, outside of one.
  bool isOfFunction() const { return function_; }
  Value argument(uint32_t index) const { return arguments_[index]; }
  void setReturn(uint32_t index, Value value);
  // Of the node that is being built, in the order of its op's attributes.
  llvm::ArrayRef<const Function *> callees() const { return callees_; }
  // Something that whoever calls this function may have to wait for.
  void addEffect(Value token) { effects_.push_back(token); }
  // The node's control output is there when all of its outputs are.
  void setDoneAfterAll(uint32_t node) { isDoneAfterAll_[node] = true; }
  mlir::Location locationOf(uint32_t node);
  bool isUsed(Endpoint endpoint) const;
  bool isControlUsed(uint32_t node) const { return isControlUsed_[node]; }
  bool carriesReference(uint32_t node) const { return carries_[node]; }
  // If not, its values are dead all or none.
  bool hasSwitches() const { return hasSwitches_; }
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
  void begin(mlir::ModuleOp module);
  void finish();
  void collectUses();
  mlir::TensorType typeOfPlaceholder(Endpoint feed, Type element) const;
  void addFeeds();
  void addArguments();
  Function *buildNode(uint32_t node);
  Function *findCallees(uint32_t node, ValueRange inputs);
  void buildComposite(uint32_t node, const OpExpansion &expansion, const Expansion &outside);
  bool gather(uint32_t node, llvm::SmallVector<Value> &inputs, llvm::SmallVector<Value> &tokens);
  bool readReferences(uint32_t node, Style style, llvm::SmallVector<Value> &inputs,
                      ValueRange tokens);
  bool areTensors(uint32_t node, ValueRange inputs, bool orLists);
  void collectEffects(mlir::Operation *last);
  void patchBackEdges();
  void addFetches();
  void addGradients();
  bool addTangents(const SelectedGradients &gradients, llvm::ArrayRef<mlir::Type> types,
                   llvm::SmallVector<Value> &tangents);
  llvm::SmallVector<Value> addUnknowns(mlir::ValueRange values, mlir::Location loc);
  bool addDifferentiated(const SelectedGradients &gradients, size_t i, llvm::SmallVector<Value> &ys,
                         llvm::SmallVector<Value> &seeds);
  Value independent(Endpoint endpoint, Value value);
  std::string nameOfOwnGradient(const Node &node) const;
  void linkFeed(Endpoint endpoint, mlir::Value computed);
  void nameOwnGradient(uint32_t node, ValueRange inputs);
  void addTargets();
  void addReturn();
  Value effectsDone(mlir::Location loc);

  struct BackEdge {
    mlir::Operation *merge;
    unsigned operand;
    Endpoint from;
  };

  const Graph &graph_;
  const Selection &selection_;
  const CalleesOfNodes &calleesOf_;
  Function *function_ = nullptr; // null: a signature
  ModuleParts &parts_;
  DiagnosticList &diagnostics_;
  HandleTypes handles_;
  const Placement *placement_;
  mlir::OpBuilder builder_;
  Type tokenType_;
  mlir::Block *body_ = nullptr; // null: not begun
  size_t next_ = 0;             // node of the selection
  Value start_;
  std::vector<llvm::SmallVector<Value, 1>> results_; // by node
  std::vector<Value> feeds_, arguments_, returns_, effects_;
  llvm::SmallVector<const Function *> callees_;
  mlir::FlatSymbolRefAttr ownGradient_; // of the function that is called; null if it has none
  std::vector<Value> done_;             // control output by node, once it exists
  std::vector<bool> failed_, isDoneAfterAll_, isControlUsed_;
  bool hasSwitches_ = false;
  std::vector<bool> carries_;
  llvm::DenseSet<uint64_t> used_;
  std::vector<BackEdge> backEdges_;
};

} // namespace sluice::import
