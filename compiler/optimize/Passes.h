// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the optimize phase, and the pipeline that runs them. They never change a result's bits.
#pragma once

#include "dialects/array/Array.h"
#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace sluice::optimize {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/optimize/Passes.h.inc"

struct OptimizeOptions {
  bool prune = true;
  bool inferShapes = true;
  bool foldConstants = true;
  bool mergeDuplicates = true;
  bool hoistInvariants = true;
  bool forgetClaims = false; // of result types, whoever made them
  bool keepNames = false;    // of composites, for whoever differentiates
};

// For a pass manager on modules.
void buildOptimizePipeline(mlir::OpPassManager &passes, const OptimizeOptions &options);
// As the pass; how many graphs have two versions now.
unsigned versionDims(mlir::ModuleOp module);
// What is done again once branches and loops have regions.
void buildRegionPipeline(mlir::OpPassManager &passes, const OptimizeOptions &options);
// As `optimize`, with an option for each pass.
void registerOptimizePipeline();

} // namespace sluice::optimize
