// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greatest fixpoint: every forwarding op is assumed to carry a reference until an input does not.
#include "compiler/import/References.h"

namespace sluice::import {

namespace {

bool isForwarding(llvm::StringRef op) {
  return op == "Identity" || op == "RefIdentity" || isEnter(op) || isExit(op) || isSwitch(op) ||
         isMerge(op) || isNextIteration(op);
}

class Carriers {
public:
  Carriers(const Graph &graph, const Selection &selection)
      : graph_(graph), selection_(selection), carries_(graph.nodes().size()) {}

  std::vector<bool> run() {
    for (uint32_t index : selection_.nodes) {
      const Node &node = graph_.node(index);
      bool isSource = !node.outputTypes.empty() && node.outputTypes[0].isRef;
      carries_[index] = isForwarding(node.opName()) || isSource;
    }
    for (uint32_t index : selection_.nodes)
      if (isForwarding(graph_.node(index).opName()))
        forEachData(index, [&](Endpoint from) {
          if (selection_.isFed(from) || !carries_[from.node])
            drop(index);
          else if (isForwarding(graph_.node(from.node).opName()))
            forwardedTo_[from.node].push_back(index);
        });
    while (!pending_.empty()) {
      uint32_t index = pending_.back();
      pending_.pop_back();
      for (uint32_t consumer : forwardedTo_[index])
        drop(consumer);
      dropLoopEdges(index);
    }
    return std::move(carries_);
  }

private:
  template <typename Visit> void forEachData(uint32_t index, Visit visit) {
    const Node &node = graph_.node(index);
    size_t count =
        isMerge(node.opName()) ? node.inputs.size() : std::min<size_t>(1, node.inputs.size());
    for (size_t i = 0; i < count; ++i)
      visit(node.inputs[i]);
  }

  void drop(uint32_t index) {
    if (carries_[index])
      pending_.push_back(index);
    carries_[index] = false;
  }

  // What comes back to a Merge must be what the Merge gives. What enters for one that gives a value
  // is read before the loop, where its place among other accesses counts.
  void dropLoopEdges(uint32_t index) {
    if (isMerge(graph_.node(index).opName()))
      for (Endpoint from : graph_.node(index).inputs)
        if (llvm::StringRef op = graph_.node(from.node).opName();
            isNextIteration(op) || isEnter(op))
          drop(from.node);
  }

  const Graph &graph_;
  const Selection &selection_;
  std::vector<bool> carries_;
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 2>> forwardedTo_;
  std::vector<uint32_t> pending_;
};

} // namespace

std::vector<bool> findReferenceCarriers(const Graph &graph, const Selection &selection) {
  return Carriers(graph, selection).run();
}

} // namespace sluice::import
