// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that a model refers to. A tensor of the graph stands for the path of each.
#pragma once

#include "compiler/import/savedmodel/Model.h"

namespace sluice::import {

// Gives each tensor the absolute path that its file has now. False after a diagnostic: a file is
// missing, its name leads out of the model's folder, or its tensor is no constant text.
bool resolveAssets(Model &model, DiagnosticList &diagnostics);

} // namespace sluice::import
