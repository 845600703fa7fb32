// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The import phase: a GraphDef file becomes a module with one `flow.graph` for each signature.
//
// The whole graph is checked first, then each signature is pruned to what its fetches and targets
// need, and built. Whatever is wrong ends up in the diagnostics; nothing is printed.
#pragma once

#include "compiler/import/Diagnostic.h"
#include "compiler/import/GradientRequest.h"
#include "compiler/import/GraphFile.h"
#include "compiler/import/InitialValues.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice::import {

// A tensor that is fed or fetched, and what the caller calls it.
struct TensorRequest {
  std::string tensor; // "x" and "x:0" name the same
  std::string name;   // empty: the tensor's own, with its output: "x:0"
  // What the caller was promised, if anything: it must agree with the graph. A feed takes its
  // shape.
  struct Declared {
    graphdef::DataType type = graphdef::DT_INVALID;
    graphdef::TensorShapeProto shape;
  };
  std::optional<Declared> declared = std::nullopt;

  TensorRequest() = default;
  TensorRequest(std::string tensor) : tensor(std::move(tensor)) {}
  TensorRequest(const char *tensor) : tensor(tensor) {}
};

// One set of feeds, fetches and targets; targets name nodes.
struct SignatureRequest {
  std::string name = "main";
  std::vector<TensorRequest> feeds;
  std::vector<TensorRequest> fetches;
  std::vector<std::string> targets;
  // Derivatives, which are fetched as "gradients/X", those of the second request as "gradients_1/X".
  std::vector<GradientRequest> gradients = {};
  // Runs once, before the first call of another: it has targets only.
  bool initializes = false;
};

struct ImportOptions {
  // Whether ops keep where their nodes ask to be: `wire.requested`, `wire.colocate` (Placement.h).
  bool keepPlacement = false;
  // Where variables have values from at start; null: they have none.
  InitialValues *initialValues = nullptr;
  // Whether a training step was added to the graph (training/AddTraining.h).
  bool trains = false;
};

// Null when there were errors; `diagnostics.exitCode()` says of which kind.
mlir::OwningOpRef<mlir::ModuleOp> importGraph(mlir::MLIRContext &context, const GraphFile &file,
                                              llvm::ArrayRef<SignatureRequest> requests,
                                              DiagnosticList &diagnostics,
                                              const ImportOptions &options = {});

} // namespace sluice::import
