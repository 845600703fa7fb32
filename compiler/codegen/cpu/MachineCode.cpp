// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM as a library: target, optimisation, code.
//
// Loops over vectors are written as such before LLVM sees them, so its loop vectorizer and
// unroller, which are most of the usual pipeline's time, are left out at level 1.
#include "compiler/codegen/cpu/MachineCode.h"

#include "compiler/codegen/cpu/Hardening.h"
#include "compiler/codegen/cpu/LlvmPasses.h"
#include "compiler/codegen/cpu/TargetCpu.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;

namespace sluice::codegen {

// ---- Target -------------------------------------------------------------------------------------

static std::unique_ptr<llvm::TargetMachine> makeMachine(const TargetOptions &options,
                                                        std::string &problem) {
  llvm::Triple triple(options.triple.empty() ? llvm::sys::getDefaultTargetTriple()
                                             : options.triple);
  const llvm::Target *target = findTarget(triple, problem);
  if (!target)
    return nullptr;
  TargetCpu cpu = targetCpu(*target, triple, options.march);
  llvm::TargetOptions how;
  how.FunctionSections = how.DataSections = how.UseInitArray = true;
  how.AllowFPOpFusion = options.contract ? llvm::FPOpFusion::Standard : llvm::FPOpFusion::Strict;
  auto effort = options.level == 0   ? llvm::CodeGenOptLevel::None
                : options.level == 1 ? llvm::CodeGenOptLevel::Less
                                     : llvm::CodeGenOptLevel::Aggressive;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu.name, cpu.features, how, llvm::Reloc::PIC_, std::nullopt, effort));
  if (!machine->getMCSubtargetInfo()->isCPUStringValid(cpu.name)) {
    problem = "unknown CPU '" + cpu.name + "'";
    return nullptr;
  }
  return machine;
}

// As wide as the CPU has, but 256 where only the level speaks for wider ones: such code runs on
// CPUs that pay for the widest registers with their clock.
static unsigned vectorBitsOf(const llvm::TargetMachine &machine) {
  const llvm::MCSubtargetInfo &info = *machine.getMCSubtargetInfo();
  if (!machine.getTargetTriple().isX86())
    return 128;
  if (info.checkFeatures("+avx512f") && !info.checkFeatures("+prefer-256-bit"))
    return 512;
  return info.checkFeatures("+avx") ? 256 : 128;
}

FailureOr<MachineCode> MachineCode::create(const TargetOptions &options, Location location) {
  std::string problem;
  std::unique_ptr<llvm::TargetMachine> machine = makeMachine(options, problem);
  if (!machine)
    return emitError(location) << "expected a target that code can be made for but got '"
                               << options.march << "': " << problem;
  unsigned bits = vectorBitsOf(*machine);
  return MachineCode(options, std::move(machine), bits);
}

std::string MachineCode::description() const {
  return (machine_->getTargetTriple().str() + "|" + machine_->getTargetCPU() + "|" +
          machine_->getTargetFeatureString())
      .str();
}

// ---- Code ---------------------------------------------------------------------------------------

void MachineCode::setAttributes(llvm::Module &module) const {
  module.setTargetTriple(machine_->getTargetTriple());
  module.setDataLayout(machine_->createDataLayout());
  for (llvm::Function &function : module) {
    function.addFnAttr("target-cpu", machine_->getTargetCPU());
    function.addFnAttr("target-features", machine_->getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", std::to_string(vectorBits_));
    // The executor flushes; LLVM must know when it computes something itself.
    function.addFnAttr("denormal-fp-math", "preserve-sign,preserve-sign");
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
  harden(module);
}

void MachineCode::optimize(llvm::Module &module) {
  runLlvmPasses(module, *machine_, [&](llvm::PassBuilder &builder) {
    if (options_.level >= 2)
      return builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
    llvm::ModulePassManager passes;
    cantFail(builder.parsePassPipeline(
        passes, "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,"
                "loop-mssa(loop-rotate,licm),early-cse<memssa>,simplifycfg,adce)"));
    return passes;
  });
}

FailureOr<std::string> MachineCode::compile(ModuleOp source) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateModuleToLLVMIR(source, context);
  if (!module)
    return failure();
  setAttributes(*module);
  optimize(*module);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine_->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return source.emitError("expected a target that makes object files");
  passes.run(*module);
  return std::string(object.begin(), object.end());
}

llvm::StringMap<size_t> functionSizes(StringRef object) {
  llvm::StringMap<size_t> sizes;
  llvm::MemoryBufferRef buffer(object, "codelets");
  auto file = llvm::object::ObjectFile::createELFObjectFile(buffer);
  if (!file) {
    consumeError(file.takeError());
    return sizes;
  }
  for (const llvm::object::ELFSymbolRef symbol :
       cast<llvm::object::ELFObjectFileBase>(file->get())->symbols()) {
    auto name = symbol.getName();
    if (name && symbol.getELFType() == llvm::ELF::STT_FUNC)
      sizes[*name] = symbol.getSize();
    else
      consumeError(name.takeError());
  }
  return sizes;
}

} // namespace sluice::codegen
