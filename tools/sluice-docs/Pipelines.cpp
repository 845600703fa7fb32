// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section on pipelines of docs/reference/passes.md, as they are registered for sluice-opt.
#include "compiler/optimize/Passes.h"
#include "tools/sluice-docs/Pages.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static void printPipeline(StringRef name) {
  const PassPipelineInfo *info = PassPipelineInfo::lookup(name);
  OpPassManager passes(ModuleOp::getOperationName());
  auto complain = [](const Twine &message) {
    llvm::errs() << "error: " << message << '\n';
    return failure();
  };
  if (!info || failed(info->addToPipeline(passes, /*options=*/"", complain))) {
    llvm::errs() << "error: expected a pipeline '" << name << "'\n";
    return;
  }
  llvm::outs() << "\n### " << name << "\n\n```text\n";
  info->printHelpStr(/*indent=*/0, /*descIndent=*/24);
  llvm::outs() << "```\n\nWithout options it runs\n\n```text\n";
  passes.printAsTextualPipeline(llvm::outs(), /*pretty=*/true);
  llvm::outs() << "\n```\n";
}

void sluice::docs::printPipelines() {
  optimize::registerOptimizePipeline();
  llvm::outs()
      << "## Pipelines\n\nEach is a flag of [sluice-opt](sluice-opt.md), and a name in its "
         "`--pass-pipeline`.\n";
  printPipeline("optimize");
}
