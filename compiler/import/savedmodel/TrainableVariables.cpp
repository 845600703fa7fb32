// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the collection `trainable_variables`: a message for each, or names alone.
#include "compiler/import/savedmodel/TrainableVariables.h"

#include "compiler/import/Graph.h"

namespace sluice::import {

std::optional<std::vector<std::string>> trainableVariables(const Model &model,
                                                           DiagnosticList &diagnostics) {
  constexpr llvm::StringLiteral kKey = "trainable_variables";
  std::optional<std::vector<std::string>> nodes;
  auto add = [&](const std::string &tensor) {
    auto reference = parseReference(tensor);
    bool isTensor = reference && !reference->isControl;
    if (isTensor)
      nodes->push_back(reference->node.str());
    else
      diagnostics.error(ExitCode::kBadGraph, {model.path, "", ""},
                        "collection " + quoted(kKey.str()) +
                            ": expected the name of a variable but got " + quoted(tensor));
    return isTensor;
  };
  for (const graphdef::CollectionDefEntry &entry : model.meta.collection_def()) {
    if (entry.key() != kKey)
      continue;
    nodes.emplace();
    for (const std::string &name : entry.value().node_list().value())
      if (!add(name))
        return std::nullopt;
    for (const std::string &bytes : entry.value().bytes_list().value()) {
      graphdef::VariableInCollection variable;
      if (!variable.ParseFromString(bytes)) {
        diagnostics.error(ExitCode::kBadGraph, {model.path, "", ""},
                          "collection " + quoted(kKey.str()) +
                              ": expected a message for each variable but got other bytes");
        return std::nullopt;
      }
      if (!add(variable.variable_name()))
        return std::nullopt;
    }
  }
  return nodes;
}

} // namespace sluice::import
