// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The import phase: a GraphDef file becomes a module with one `flow.graph` for each signature.
//
// The whole graph is checked first, then each signature is pruned to what its fetches and targets
// need, and built. Whatever is wrong ends up in the diagnostics; nothing is printed.
#pragma once

#include "compiler/import/Diagnostic.h"
#include "compiler/import/GraphFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace sluice::import {

// One set of feeds, fetches and targets. "x" and "x:0" name the same tensor; targets name nodes.
struct SignatureRequest {
  std::string name = "main";
  std::vector<std::string> feeds;
  std::vector<std::string> fetches;
  std::vector<std::string> targets;
};

struct ImportOptions {
  // Whether ops keep where their nodes ask to be: `wire.requested`, `wire.colocate` (Placement.h).
  bool keepPlacement = false;
};

// Null when there were errors; `diagnostics.exitCode()` says of which kind.
mlir::OwningOpRef<mlir::ModuleOp> importGraph(mlir::MLIRContext &context, const GraphFile &file,
                                              llvm::ArrayRef<SignatureRequest> requests,
                                              DiagnosticList &diagnostics,
                                              const ImportOptions &options = {});

} // namespace sluice::import
