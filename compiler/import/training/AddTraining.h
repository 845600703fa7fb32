// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A training step for a graph that has none: nodes that are added to it before it is checked.
//
// They are the nodes that TensorFlow's optimizers would add, but for the gradients, which are one
// node of an op of our own. So all else of the importer treats them like the file's.
#pragma once

#include "compiler/import/Importer.h"

#include "llvm/ADT/StringMap.h"

namespace sluice::import {

struct TrainingRequest {
  std::string loss;                   // a tensor, of which all elements are summed
  std::string optimizer = "sgd";      // as parseOptimizer takes it
  std::vector<std::string> variables; // nodes; none: all that the loss depends on
  // Nodes, if the file says which ones are meant by all.
  std::optional<std::vector<std::string>> trainable = std::nullopt;
  std::optional<double> clipNorm; // most that the norm of all derivatives together may be
};

struct Training {
  SignatureRequest signature; // "train": fetches the loss and runs the step
  // Values of the variables that were added, by key.
  llvm::StringMap<double> initial;
};

// Nothing after a diagnostic. `feeds` are those of the step.
std::optional<Training> addTraining(GraphFile &file, const TrainingRequest &request,
                                    const std::vector<TensorRequest> &feeds,
                                    DiagnosticList &diagnostics);

// Gives variables that were added their values, and asks `others`, which may be null, about the
// rest.
std::unique_ptr<InitialValues> withInitial(std::unique_ptr<InitialValues> others,
                                           const llvm::StringMap<double> &initial);

} // namespace sluice::import
