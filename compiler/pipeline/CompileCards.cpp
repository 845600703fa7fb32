// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver: what there is of cards, and what nodes want of them.
#include "compiler/codegen/CardWork.h"
#include "compiler/codegen/cuda/Assembler.h"
#include "compiler/pipeline/CardRequests.h"
#include "compiler/pipeline/Compile.h"
#include "compiler/place/DeviceTarget.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;

namespace sluice {

std::optional<unsigned> Compilation::cardsAlone() const {
  std::optional<place::CardKind> card = place::cardOf(options_.device);
  return options_.cluster || !card ? std::nullopt : card->count;
}

// Some ops of nodes live no longer than this phase, others are made later.
int Compilation::recordCards() {
  if (!options_.cluster && !cardsAlone())
    return kExitOk;
  return failed(recordCardRequests(*module_, cardsAlone())) ? kExitCompileError : kExitOk;
}

codegen::TargetOptions Compilation::targetOf(ModuleOp program) const {
  codegen::TargetOptions target = options_.target;
  StringRef device = place::targetOf(program);
  if (device.empty())
    device = options_.device;
  if (StringRef cpu = place::cpuOf(device); !cpu.empty())
    target.march = cpu.str();
  if (std::optional<place::CardKind> card = place::cardOf(device))
    target.card = {card->architectures,
                   card->isSimulated ? std::string() : codegen::findAssembler(), card->isSimulated,
                   card->count};
  return target;
}

int Compilation::findCards() {
  if (failed(place::checkTargets(*module_)))
    return kExitCompileError;
  for (ModuleOp program : programModules()) {
    codegen::TargetOptions target = targetOf(program);
    if (!target.card)
      continue;
    if (!target.card->isSimulated && !llvm::sys::fs::can_execute(target.card->assembler)) {
      printer_.error(
          "expected ptxas, the assembler of the CUDA Toolkit, in PATH or in the bin folder "
          "of CUDA_HOME, since code for cards of CUDA is asked for",
          kExitExternalTool);
      return kExitExternalTool;
    }
    program->setAttr(codegen::kHasCardAttr, UnitAttr::get(&context_));
    if (target.card->count)
      program->setAttr(codegen::kCardsAttr,
                       Builder(&context_).getI64IntegerAttr(*target.card->count));
    // What is simulated is there to be tested.
    int64_t least = target.card->isSimulated ? 0 : codegen::kLeastCardWork;
    program->setAttr(codegen::kLeastCardWorkAttr,
                     Builder(&context_).getI64IntegerAttr(options_.leastCardWork.value_or(least)));
    program->setAttr(codegen::kCardLoopsAttr, StringAttr::get(&context_, options_.cardLoops));
    if (options_.placementSeed)
      program->setAttr(codegen::kCardSeedAttr, Builder(&context_).getI64IntegerAttr(
                                                   static_cast<int64_t>(*options_.placementSeed)));
  }
  return kExitOk;
}

} // namespace sluice
