// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Retargets a module and compiles it.
#include "compiler/codegen/sim/CompileTwin.h"

#include "compiler/codegen/cpu/Hardening.h"
#include "compiler/codegen/cpu/TargetCpu.h"
#include "compiler/codegen/sim/Retarget.h"
#include "runtime/sim/image.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace sluice::codegen {

static std::string hashText(const std::string &image) {
  std::string text;
  raw_string_ostream(text) << format_hex_no_prefix(rt::sim::hashOfImage(image), 16);
  return text;
}

std::string twinSymbol(const std::string &image) { return "sluice_sim_twin_" + hashText(image); }
std::string twinFileName(const std::string &image) { return hashText(image) + ".so"; }

static Expected<std::unique_ptr<TargetMachine>> makeMachine(const TargetOptions &options) {
  Triple triple(options.triple.empty() ? sys::getDefaultTargetTriple() : options.triple);
  std::string problem;
  const Target *target = findTarget(triple, problem);
  if (!target)
    return twinError(problem);
  TargetCpu cpu = targetCpu(*target, triple, options.march);
  llvm::TargetOptions how;
  how.FunctionSections = how.DataSections = true;
  how.AllowFPOpFusion = FPOpFusion::Strict;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, cpu.name, cpu.features, how, Reloc::PIC_, std::nullopt, CodeGenOptLevel::Default));
}

// What speaks of the GPU. Kernels become ordinary functions, which only the table knows.
static void forgetGpu(Module &module, const TargetMachine &machine) {
  for (StringRef name : {"nvvm.annotations", "nvvmir.version", "llvm.module.flags", "llvm.ident"})
    if (NamedMDNode *metadata = module.getNamedMetadata(name))
      module.eraseNamedMetadata(metadata);
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (Function &function : module) {
    function.setCallingConv(CallingConv::C);
    for (StringRef name : {"target-cpu", "target-features", "nvvm.reqntid", "nvvm.maxntid"})
      function.removeFnAttr(name);
    if (function.isDeclaration())
      continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    function.setVisibility(GlobalValue::DefaultVisibility);
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr(Attribute::NoUnwind);
    for (Use &use : function.uses())
      if (auto *call = dyn_cast<CallBase>(use.getUser()))
        call->setCallingConv(CallingConv::C);
  }
  for (GlobalVariable &variable : module.globals())
    if (variable.hasInitializer())
      variable.setLinkage(GlobalValue::InternalLinkage);
}

static Expected<std::string> emitObject(Module &module, TargetMachine &machine) {
  std::string problem;
  raw_string_ostream problems(problem);
  if (verifyModule(module, &problems))
    return twinError("the twin is malformed: " + problem);
  SmallVector<char, 0> object;
  raw_svector_ostream stream(object);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile))
    return twinError("expected a target that makes object files");
  passes.run(module);
  return std::string(object.begin(), object.end());
}

// The driver is told only where an image begins, so its end must be found by what is in it.
static Error checkImage(const std::string &bytes, rt::sim::Image &image) {
  std::string problem;
  if (!rt::sim::readImage(bytes, image, problem))
    return twinError(problem);
  if (rt::sim::bytesOfImage(bytes.c_str()).size() != bytes.size())
    return twinError("the image has other bytes behind its end");
  return Error::success();
}

Expected<std::string> compileTwin(const Module &nvptx, const std::string &image,
                                  const TargetOptions &options) {
  rt::sim::Image content;
  if (Error error = checkImage(image, content))
    return error;
  auto machine = makeMachine(options);
  if (!machine)
    return machine.takeError();
  std::unique_ptr<Module> module = CloneModule(nvptx);
  auto kernels = findKernels(*module);
  if (!kernels)
    return kernels.takeError();
  if (Error error = replaceIntrinsics(*module))
    return error;
  forgetGpu(*module, **machine);
  auto *pointer = PointerType::get(module->getContext(), 0);
  auto *dynamicShared =
      new GlobalVariable(*module, pointer, false, GlobalValue::InternalLinkage,
                         ConstantPointerNull::get(pointer), "sluice_sim_dynamic_shared");
  instrumentAccesses(*module); // before the code that asks where dynamic shared memory is
  auto shared = placeShared(*module, dynamicShared);
  if (!shared)
    return shared.takeError();
  emitTable(*module, twinSymbol(image), rt::sim::hashOfImage(image), content.architecture, *kernels,
            *shared, dynamicShared);
  harden(*module);
  return emitObject(*module, **machine);
}

} // namespace sluice::codegen
