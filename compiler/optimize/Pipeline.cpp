// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of the passes of the optimize phase.
#include "compiler/optimize/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

using namespace mlir;

namespace sluice::optimize {

void buildOptimizePipeline(OpPassManager &passes, const OptimizeOptions &options) {
  // Names of the graph file are of use to those who differentiate only.
  passes.addPass(createOptimizeExpandComposites({.keepNames = options.keepNames}));
  // Nothing is done for what nobody needs.
  if (options.prune)
    passes.addPass(createOptimizePruneGraph());
  // What is said of lists is said by constants.
  if (options.foldConstants)
    passes.addPass(createOptimizeSimplifyLists());
  // Shapes become types, and types answer questions about shapes.
  if (options.inferShapes)
    passes.addPass(createOptimizeInferShapes({.forgetClaims = options.forgetClaims}));
  // Branches and loops that the file has given their regions.
  if (options.inferShapes)
    passes.addPass(createOptimizeInferRegions());
  if (options.foldConstants) {
    passes.addPass(createOptimizeSlicesToRows());
    passes.addPass(createOptimizeFoldConstants());
    passes.addPass(createOptimizeSimplifyLists());
  }
  // Equal constants make their users equal.
  if (options.mergeDuplicates)
    passes.addPass(createOptimizeMergeDuplicates());
  // Folding leaves operands that nobody needs any more.
  if (options.prune && options.foldConstants)
    passes.addPass(createOptimizePruneGraph());
}

void buildRegionPipeline(OpPassManager &passes, const OptimizeOptions &options) {
  passes.addPass(
      createOptimizeSettleRegions({.fold = options.foldConstants, .infer = options.inferShapes}));
  if (options.foldConstants) {
    passes.addPass(createOptimizeFoldRegions()); // of what is true, there are assertions
    passes.addPass(createOptimizePartsOfProducts());
  }
  if (options.hoistInvariants)
    passes.addPass(createOptimizeInvariantStacks());
  // What nobody needs must not be taken for something that runs anyway.
  if (options.prune) {
    passes.addPass(createOptimizePruneRegions());
    passes.addPass(createOptimizeDropWaits());
  }
  if (options.mergeDuplicates)
    passes.addPass(createOptimizeMergeRegions());
  if (options.hoistInvariants)
    passes.addPass(createOptimizeHoistInvariants());
  // Equal captures are one, and operands of what is hoisted no longer come in.
  if (options.prune && (options.mergeDuplicates || options.hoistInvariants))
    passes.addPass(createOptimizePruneRegions());
}

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<bool> prune{*this, "prune", llvm::cl::desc("remove what no fetch and no target needs"),
                     llvm::cl::init(true)};
  Option<bool> inferShapes{*this, "infer-shapes", llvm::cl::desc("find out shapes"),
                           llvm::cl::init(true)};
  Option<bool> foldConstants{*this, "fold-constants",
                             llvm::cl::desc("compute what depends on constants only"),
                             llvm::cl::init(true)};
  Option<bool> mergeDuplicates{*this, "merge-duplicates",
                               llvm::cl::desc("compute once what is computed twice"),
                               llvm::cl::init(true)};
};
} // namespace

void registerOptimizePipeline() {
  PassPipelineRegistration<PipelineOptions>(
      "optimize", "all passes of the optimize phase in their order",
      [](OpPassManager &passes, const PipelineOptions &options) {
        OptimizeOptions chosen;
        chosen.prune = options.prune;
        chosen.inferShapes = options.inferShapes;
        chosen.foldConstants = options.foldConstants;
        chosen.mergeDuplicates = options.mergeDuplicates;
        buildOptimizePipeline(passes, chosen);
      });
}

} // namespace sluice::optimize
