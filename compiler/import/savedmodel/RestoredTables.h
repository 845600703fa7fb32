// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables with the entries that a checkpoint has of them: nodes of the graph that fill them.
#pragma once

#include "compiler/import/savedmodel/CheckpointValues.h"
#include "compiler/import/savedmodel/RestoreMap.h"
#include "compiler/import/savedmodel/StoredTensors.h"

namespace sluice::import {

// Adds, for each table, constants with its keys and values and the node that fills it, which the
// model then names. A table that is not in the checkpoint of the model itself is an error; in
// another one, a warning.
void addTableImports(Model &model, llvm::ArrayRef<RestoredTable> tables, StoredTensors &stored,
                     Expectation expectation, DiagnosticList &diagnostics);

} // namespace sluice::import
