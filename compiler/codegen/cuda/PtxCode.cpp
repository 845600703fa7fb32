// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX of kernels, by LLVM.
//
// Sums of products stay two roundings, as nothing in the code allows LLVM to join them; ptxas keeps
// what has a rounding mode. Denormals of f32 count as zero, as they do on the CPU.
#include "compiler/codegen/cuda/PtxCode.h"

#include "compiler/codegen/cpu/LlvmPasses.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace sluice::codegen {

static constexpr StringLiteral kTriple = "nvptx64-nvidia-cuda";

// The oldest version of PTX that has all architectures up to this one: older drivers take it.
static StringRef ptxFeature(StringRef architecture) {
  unsigned number = 0;
  architecture.consume_front("sm_");
  architecture.consumeInteger(10, number);
  return number >= 100 ? "+ptx86" : number >= 90 ? "+ptx78" : "+ptx70";
}

static const llvm::Target *findNvptx(std::string &problem) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  return llvm::TargetRegistry::lookupTarget(llvm::Triple(kTriple), problem);
}

FailureOr<PtxCode> PtxCode::create(StringRef architecture, Location location) {
  std::string problem;
  const llvm::Target *target = findNvptx(problem);
  if (!target)
    return emitError(location) << "expected an LLVM that makes PTX: " << problem;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      llvm::Triple(kTriple), architecture, ptxFeature(architecture), llvm::TargetOptions(),
      std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  if (!machine->getMCSubtargetInfo()->isCPUStringValid(architecture))
    return emitError(location) << "expected an architecture that LLVM knows but got '"
                               << architecture << "'";
  return PtxCode(std::move(machine));
}

PtxCode::PtxCode(std::unique_ptr<llvm::TargetMachine> machine) : machine_(std::move(machine)) {}
PtxCode::PtxCode(PtxCode &&) = default;
PtxCode::~PtxCode() = default;

void PtxCode::optimize(llvm::Module &module) {
  runLlvmPasses(module, *machine_, [](llvm::PassBuilder &builder) {
    return builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
  });
}

FailureOr<std::string> PtxCode::compile(gpu::GPUModuleOp kernels, Look look) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateModuleToLLVMIR(kernels, context);
  if (!module)
    return failure();
  module->setTargetTriple(machine_->getTargetTriple());
  module->setDataLayout(machine_->createDataLayout());
  for (llvm::Function &function : *module)
    function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  optimize(*module);
  // Generating code changes the module.
  std::unique_ptr<llvm::Module> kept = look ? llvm::CloneModule(*module) : nullptr;
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine_->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return kernels.emitError("expected a target that makes text");
  passes.run(*module);
  std::string result(text.begin(), text.end());
  if (look && failed(look(*kept, result)))
    return failure();
  return result;
}

} // namespace sluice::codegen
