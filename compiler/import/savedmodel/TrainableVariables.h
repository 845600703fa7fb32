// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variables of a model are meant to be trained, as its collections say.
#pragma once

#include "compiler/import/savedmodel/Model.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice::import {

// Names of nodes, in the order of the collection; nothing if there is no such collection, or after
// a diagnostic.
std::optional<std::vector<std::string>> trainableVariables(const Model &model,
                                                           DiagnosticList &diagnostics);

} // namespace sluice::import
