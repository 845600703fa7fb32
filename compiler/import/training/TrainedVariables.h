// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variables a training step changes.
#pragma once

#include "compiler/import/training/AddTraining.h"
#include "compiler/import/training/NodeWriter.h"

#include <string>
#include <vector>

namespace sluice::import {

// Nodes are named: they move when others are added.
struct TrainedVariable {
  std::string name;
  graphdef::DataType type;
  bool isResource; // and not by reference
};

bool isVariable(const graphdef::NodeDef &node);
TrainedVariable describeVariable(const graphdef::NodeDef &variable);

// Those that are asked for; else, of those that the loss depends on, all that hold floats and are
// trainable by what the file says. In the order of the file. None after a diagnostic.
std::vector<TrainedVariable> chooseVariables(const GraphFile &file, const NodeWriter &nodes,
                                             const TrainingRequest &request,
                                             DiagnosticList &diagnostics);

// "node" of "node:1" and of "^node".
llvm::StringRef nodeOf(llvm::StringRef input);

// " (did you mean …)", among the nodes of the file.
std::string nearestNode(const GraphFile &file, llvm::StringRef wrong);

} // namespace sluice::import
