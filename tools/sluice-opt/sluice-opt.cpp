// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sluice-opt: reads IR, runs passes, prints IR.
#include "compiler/codegen/CompileCodelets.h"
#include "compiler/codegen/Passes.h"
#include "compiler/codegen/cpu/Passes.h"
#include "compiler/emit/Passes.h"
#include "compiler/import/Passes.h"
#include "compiler/lower/Passes.h"
#include "compiler/optimize/Passes.h"
#include "compiler/partition/Passes.h"
#include "compiler/place/Passes.h"
#include "compiler/raise/Passes.h"
#include "dialects/interfaces/RegisterDialects.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

// The library's options, hundreds of them, are no use here; those of MLIR are not registered yet.
static void hideOptionsOfLlvm() {
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    option->setHiddenFlag(llvm::cl::Hidden);
}

int main(int argc, char **argv) {
  hideOptionsOfLlvm();
  mlir::DialectRegistry registry;
  sluice::registerDialects(registry);
  sluice::codegen::registerCodegenDialects(registry);
  mlir::registerTransformsPasses();
  sluice::codegen::registerCodegenPasses();
  sluice::codegen::registerCodegenCpuPasses();
  sluice::emit::registerEmitPasses();
  sluice::import::registerImportPasses();
  sluice::lower::registerLowerPasses();
  sluice::optimize::registerOptimizePasses();
  sluice::optimize::registerOptimizePipeline();
  sluice::place::registerPlacePasses();
  sluice::partition::registerPartitionPasses();
  sluice::raise::registerRaisePasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "sluice-opt: inspects and transforms Sluice IR\n", registry));
}
