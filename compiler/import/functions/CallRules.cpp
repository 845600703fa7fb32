// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By the names of ops: each has inputs of its own before those that it hands on.
#include "compiler/import/functions/CallRules.h"

namespace sluice::import {

using llvm::StringRef;

static bool isLoop(StringRef op) { return op == "While" || op == "StatelessWhile"; }

llvm::SmallVector<unsigned> argumentsOf(const Node &node) {
  llvm::SmallVector<unsigned> inputs;
  StringRef op = node.opName();
  unsigned own = 0;
  if (op == "If" || op == "StatelessIf" || op == "Case" || op == "StatelessCase" ||
      op == "RemoteCall")
    own = 1; // predicate, branch or device
  if (op == "For") {
    own = 3;             // from, to, by
    inputs.push_back(0); // the body gets the number of the iteration
  }
  for (unsigned i = own; i < node.inputs.size(); ++i)
    inputs.push_back(i);
  return inputs;
}

std::optional<llvm::SmallVector<EdgeType>> resultsOf(const Node &node, size_t callee) {
  if (isLoop(node.opName()) && callee == 0) // its condition
    return std::nullopt;
  return llvm::SmallVector<EdgeType>(node.outputTypes.begin(), node.outputTypes.end());
}

} // namespace sluice::import
