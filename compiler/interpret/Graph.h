// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flow.graph made ready for interpretation: who uses what, which operands are constants, which
// kernel an op runs, how many enters a frame has.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/interfaces/KernelOps.h"
#include "runtime/api/runner.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::interpret {

// An operand that a token goes to.
struct Use {
  unsigned node;
  unsigned operand;
};

// One op that fires. Constants are no nodes: they are always there.
struct Node {
  mlir::Operation *op;
  std::string name; // as in messages
  // By operand: its value if it is a constant; nothing if it comes as a token.
  std::vector<std::optional<rt::Tensor>> constants;
  std::vector<std::vector<Use>> uses; // by result
  // Only of ops with a kernel.
  const rt::Kernel *kernel = nullptr;
  std::unique_ptr<KernelAttrs> attributes;
  llvm::SmallVector<rt::DType> outputTypes;
  // Of a merge: the first value operand that is a constant, taken when all others are dead.
  std::optional<unsigned> fallback;
  // Waits for what an enter brings to iteration 0 alone, so it never fires again; what else arrives
  // there later is dropped.
  bool onlyFirst = false;
  // Position among the feeds, fetches or targets.
  unsigned port = 0;

  bool isMerge() const { return mlir::isa<flow::MergeOp>(op); }
  // All operands are constants, if there are any.
  bool firesAtStart() const;
};

class Graph {
public:
  static rt::Result<std::unique_ptr<Graph>> make(flow::GraphOp graph, const ResolveSymbol &resolve);

  const rt::SignatureInfo &signature() const { return signature_; }
  const std::vector<Node> &nodes() const { return nodes_; }
  // Number of enters that every instance of a frame waits for.
  unsigned numEnters(const std::vector<std::string_view> &framePath) const {
    return numEnters_.at(framePath);
  }

private:
  // Names of the frames around a token, outermost first.
  using FramePath = std::vector<std::string_view>;

  rt::Status addNodes(flow::GraphOp graph, const ResolveSymbol &resolve);
  rt::Status addKernel(Node &node, const ResolveSymbol &resolve);
  void addPort(Node &node);
  rt::Status connect();
  rt::Status countEnters();
  void findFirstIterationNodes();
  rt::Result<FramePath> pathOfResults(const Node &node, FramePath path) const;

  rt::SignatureInfo signature_;
  std::vector<Node> nodes_;
  std::map<FramePath, unsigned> numEnters_;
};

} // namespace sluice::interpret
