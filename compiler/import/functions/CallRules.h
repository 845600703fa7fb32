// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nodes that call functions give them, and want from them.
#pragma once

#include "compiler/import/Graph.h"

namespace sluice::import {

// The inputs that all functions of the node are given, in the order of their arguments.
llvm::SmallVector<unsigned> argumentsOf(const Node &node);

// The types that function number `callee` of the node has to give; nothing if it may be any one.
std::optional<llvm::SmallVector<EdgeType>> resultsOf(const Node &node, size_t callee);

} // namespace sluice::import
