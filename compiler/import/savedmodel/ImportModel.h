// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a model to a module: chooses signatures, finds the values of variables, imports.
#pragma once

#include "compiler/import/Importer.h"
#include "compiler/import/training/AddTraining.h"
#include "compiler/import/savedmodel/Model.h"

#include <string>
#include <vector>

namespace sluice::import {

struct ModelRequest {
  std::vector<std::string> tags;
  std::vector<std::string> signatures; // of the model; none: all of them
  std::string weights;                 // prefix of a checkpoint, or a safetensors file
  // In place of the model's signatures, unless empty.
  std::vector<SignatureRequest> direct;
  // A step that is added, as signature "train" with these feeds; none: those of the first signature.
  std::optional<TrainingRequest> training = std::nullopt;
  std::vector<TensorRequest> trainingFeeds = {};
};

// Null when there were errors.
mlir::OwningOpRef<mlir::ModuleOp> importModel(mlir::MLIRContext &context, const std::string &path,
                                              const ModelRequest &request, const Limits &limits,
                                              DiagnosticList &diagnostics,
                                              const ImportOptions &options = {});

} // namespace sluice::import
