// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the place of sluice-opt in the copy of the tree that a how-to is tried on: the dialects, two phases
// and machine code. All phases would take minutes to build and show nothing more.
#include "compiler/codegen/CompileCodelets.h"
#include "compiler/codegen/Passes.h"
#include "compiler/differentiate/Passes.h"
#include "compiler/optimize/Passes.h"
#include "dialects/interfaces/RegisterDialects.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  sluice::registerDialects(registry);
  sluice::codegen::registerCodegenDialects(registry);
  mlir::registerTransformsPasses();
  sluice::optimize::registerOptimizePasses();
  sluice::optimize::registerOptimizePipeline();
  sluice::codegen::registerCodegenPasses();
  sluice::differentiate::registerDifferentiatePasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "sluice-opt\n", registry));
}
