// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of all functions that are called, directly or not, each checked as a graph.
//
// A function has a body for each choice of its attributes. They are found before anything is built,
// so that whatever is wrong with one of them, or not supported, is told at once.
#pragma once

#include "compiler/import/Selection.h"
#include "compiler/import/functions/Instantiate.h"

#include <deque>

namespace sluice::import {

struct FunctionBody;

// What a node calls.
struct Callees {
  llvm::SmallVector<FunctionBody *, 2> functions; // in the order of its attributes
  // The function that the file names for the derivatives of the one that is called: of its
  // arguments and the derivatives of its results. Null if there is none, or nobody asks.
  FunctionBody *gradient = nullptr;
};
using CalleesOfNodes = llvm::DenseMap<uint32_t, Callees>;

struct FunctionBody {
  std::string name; // of the function
  std::unique_ptr<GraphFile> file;
  std::unique_ptr<Graph> graph;
  CheckedGraph checked;
  Selection selection;
  std::vector<uint32_t> arguments, returns; // `_Arg` and `_Retval` nodes, by index
  // Of each returned value: the argument that it is; kNone if it is computed.
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> forwards;
  CalleesOfNodes callees;
};

class FunctionBodies {
public:
  FunctionBodies(const FunctionLibrary &library, OpTable &table, const GraphFile &file,
                 bool asksForGradients, DiagnosticList &diagnostics);

  // Whether derivatives are asked for, be it by a node that has been reached.
  bool asksForGradients() const { return asksForGradients_; }

  // What a selection of the graph calls, and what that calls.
  void reach(const Graph &graph, const Selection &selection, CalleesOfNodes &callees);

  // In the order in which they were found.
  const std::deque<FunctionBody> &all() const { return bodies_; }

private:
  FunctionBody *bodyOf(const FunctionUse &use, const Graph &graph, uint32_t caller);
  void checkCall(const Graph &graph, uint32_t caller, const FunctionBody &body, size_t callee);
  void check(FunctionBody &body, const graphdef::FunctionDef &function);
  void compare(const Graph &graph, uint32_t caller, const FunctionBody &body, const char *what,
               llvm::ArrayRef<EdgeType> expected, llvm::ArrayRef<EdgeType> got);
  void checkSymbolicGradient(const Graph &graph, uint32_t caller, const FunctionBody &function);
  void checkGradient(const Graph &graph, uint32_t caller, const FunctionBody &function,
                     const FunctionBody &gradient);
  void addCallees(const Graph &graph, const Selection &selection, CalleesOfNodes &callees);

  const FunctionLibrary &library_;
  OpTable &table_;
  const GraphFile &file_;
  bool asksForGradients_;
  DiagnosticList &diagnostics_;
  std::deque<FunctionBody> bodies_;
  llvm::StringMap<FunctionBody *> byKey_; // null: it is malformed, which has been reported
  std::vector<FunctionBody *> open_;
  uint64_t nodes_ = 0;
  bool isFull_ = false;
};

} // namespace sluice::import
