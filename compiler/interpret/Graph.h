// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flow.graph made ready for interpretation: who uses what, which operands are constants, which
// kernel an op runs, how many enters a frame has. Ops in the regions of branches and loops are
// nodes like the others, and so are those of the functions that are called, once for all calls.
#pragma once

#include "compiler/interpret/StrictOp.h"
#include "runtime/api/runner.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::interpret {

// An operand that a token goes to.
struct Use {
  unsigned node;
  unsigned operand;
};

// A region of a branch or loop.
struct Region {
  std::vector<std::vector<Use>> arguments; // uses of the block's arguments
  std::vector<unsigned> nodes;             // the terminator last
};

// One op that fires. Constants are no nodes: they are always there.
struct Node {
  mlir::Operation *op;
  std::optional<unsigned> parent; // the branch or loop in whose region it stands
  std::string name;               // as in messages
  // By operand: its value if it is a constant; nothing if it comes as a token.
  std::vector<std::optional<rt::Tensor>> constants;
  std::vector<std::vector<Use>> uses; // by result
  std::unique_ptr<KernelCall> kernel; // only of ops with a kernel
  std::unique_ptr<StrictOp> strict;   // only of codelets, composites and the like
  std::vector<Region> regions;        // only of branches and loops that are not strict
  // Of a merge: the first value operand that is a constant, taken when all others are dead.
  std::optional<unsigned> fallback;
  // Of a merge: from how many values a token can come in iteration 0, and in a later one. The back
  // edge brings none to the first, what an enter brings once none to the others.
  std::array<unsigned, 2> numComing{};
  // Waits for what an enter brings to iteration 0 alone, so it never fires again; what else arrives
  // there later is dropped.
  bool onlyFirst = false;
  unsigned numTokens = 0; // operands that are no constants
  unsigned numEnters = 0; // of an enter: those that an instance of its frame waits for
  // Position among the feeds, fetches or targets; of a call, its function's among the functions.
  unsigned port = 0;
  unsigned body = 0; // 0: an op of the graph; else of the function with this number, from 1

  bool isMerge() const { return mlir::isa<flow::MergeOp>(op); }
  // Acts on each operand as it comes: branches, loops, and the ends of their regions.
  bool isPiecewise() const {
    return !strict && mlir::isa<flow::CondOp, flow::WhileOp, flow::ConditionOp, flow::YieldOp>(op);
  }
  bool firesAtStart() const { return numTokens == 0; }
};

class Graph {
public:
  static rt::Result<std::unique_ptr<Graph>> make(flow::GraphOp graph, const ResolveSymbol &resolve);

  const rt::SignatureInfo &signature() const { return signature_; }
  const std::vector<Node> &nodes() const { return nodes_; }
  bool asksForDerivatives() const { return asksForDerivatives_; }
  // What of a function waits for nothing, its arguments among them.
  std::span<const unsigned> startsOf(unsigned function) const { return starts_[function]; }
  // The op whose result the value is, or around whose region it is an argument.
  unsigned producerOf(mlir::Value value) const;

private:
  rt::Status addNodes(flow::GraphOp graph, const ResolveSymbol &resolve);
  rt::Status addBody(flow::TokenGraph graph, const ResolveSymbol &resolve);
  unsigned bodyOf(flow::CallOp call);
  rt::Status addNode(mlir::Operation *op, const ResolveSymbol &resolve);
  void addPort(Node &node);
  std::vector<Use> &usesOf(mlir::Value value);
  rt::Status connect();
  rt::Status countEnters();
  void findFirstIterationNodes();
  static bool losesArrival(Node &node, unsigned operand);
  void addComingOnce(unsigned position, std::vector<unsigned> &open);

  rt::SignatureInfo signature_;
  bool asksForDerivatives_ = false;
  std::vector<flow::TokenGraph> bodies_; // the graph, then functions
  llvm::StringMap<unsigned> bodiesByName_;
  mlir::SymbolTableCollection symbols_;
  std::vector<std::vector<unsigned>> starts_; // by body
  std::vector<Node> nodes_;
  llvm::DenseMap<mlir::Operation *, unsigned> positions_;
  llvm::DenseMap<unsigned, unsigned> enteredFrames_;               // by enter
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 2>> exits_; // by frame
};

} // namespace sluice::interpret
