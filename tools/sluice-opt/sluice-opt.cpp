// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sluice-opt: reads IR, runs passes, prints IR.
#include "compiler/emit/Passes.h"
#include "compiler/import/Passes.h"
#include "compiler/optimize/Passes.h"
#include "compiler/partition/Passes.h"
#include "compiler/place/Passes.h"
#include "dialects/interfaces/RegisterDialects.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  sluice::registerDialects(registry);
  sluice::emit::registerEmitPasses();
  sluice::import::registerImportPasses();
  sluice::optimize::registerOptimizePasses();
  sluice::optimize::registerOptimizePipeline();
  sluice::place::registerPlacePasses();
  sluice::partition::registerPartitionPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "sluice-opt: inspects and transforms Sluice IR\n", registry));
}
