// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tensor of a checkpoint belongs to which variable of a graph: found by reading what the
// graph itself does when it is restored, in nodes and in bodies of functions. Nothing is executed.
#pragma once

#include "compiler/import/Diagnostic.h"
#include "compiler/import/Limits.h"
#include "compiler/import/graphdef.pb.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sluice::import {

// What a variable is restored from.
struct RestoredTensor {
  std::string name; // in the checkpoint
  std::string part; // empty: all of it; else as RestoreV2 writes it
};

// What a table is filled from.
struct RestoredTable {
  const graphdef::NodeDef *table = nullptr;  // of the graph
  const graphdef::NodeDef *import = nullptr; // what fills it, maybe in a function
  RestoredTensor keys, values;
};

struct RestoreMap {
  llvm::StringMap<RestoredTensor> byVariable; // by the variable's key
  std::vector<RestoredTable> tables;
};

// Follows `restoreNode` of the graph back to what it needs, which includes what functions that are
// called do. A diagnostic when the calls are endless, a node is not there, or a table is filled
// with something else than the checkpoint holds.
RestoreMap readRestoreMap(const graphdef::GraphDef &graph, llvm::StringRef restoreNode,
                          const Place &place, const Limits &limits, DiagnosticList &diagnostics);

// The key of a variable that a node declares: its container and shared name, or the node's name.
std::string variableKey(const graphdef::NodeDef &node);
// Whether a node declares a variable.
bool declaresVariable(llvm::StringRef op);
// The function that a node calls; empty if it is no call.
llvm::StringRef calledFunction(const graphdef::NodeDef &node);

} // namespace sluice::import
