// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Object files through LLVM: constant arrays and their sizes.
#include "compiler/emit/WriteObject.h"

#include "compiler/codegen/cpu/Hardening.h"
#include "compiler/codegen/cpu/TargetCpu.h"
#include "runtime/program/write_image.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

namespace sluice::emit {

using namespace llvm;

static GlobalVariable *addConstant(Module &module, Constant *value, StringRef name, Align align) {
  auto *global = new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                    GlobalValue::ExternalLinkage, value, name);
  global->setAlignment(align);
  return global;
}

// The features count on x86-64 only, where executables look at them.
static void addRequiredCpu(Module &module, const DescribedProgram &described,
                           const Triple &triple) {
  LLVMContext &context = module.getContext();
  StringRef march = described.march.empty() ? StringRef(SLUICE_RUNTIME_MARCH) : described.march;
  rt::CpuFeatureSet features = codegen::requiredCpuFeatures(triple, {SLUICE_RUNTIME_MARCH, march});
  addConstant(module, ConstantDataArray::getString(context, march), "sluice_program_cpu", Align(1));
  addConstant(module, ConstantInt::get(Type::getInt64Ty(context), features),
              "sluice_program_cpu_features", Align(8));
}

static void fillModule(Module &module, const DescribedProgram &described) {
  LLVMContext &context = module.getContext();
  Type *i64 = Type::getInt64Ty(context);
  std::string image = rt::writeImage(described.program);
  addConstant(module, ConstantDataArray::getString(context, image, /*AddNull=*/false),
              "sluice_program_image", Align(64));
  addConstant(module, ConstantInt::get(i64, image.size()), "sluice_program_image_size", Align(8));
  Type *pointer = PointerType::get(context, 0);
  auto addTable = [&](ArrayRef<std::string> symbols, StringRef name, StringRef countName) {
    SmallVector<Constant *> pointers;
    for (const std::string &symbol : symbols)
      pointers.push_back(new GlobalVariable(module, Type::getInt8Ty(context), true,
                                            GlobalValue::ExternalLinkage, nullptr, symbol));
    auto *type = ArrayType::get(pointer, pointers.size());
    addConstant(module, ConstantArray::get(type, pointers), name, Align(8));
    addConstant(module, ConstantInt::get(i64, pointers.size()), countName, Align(8));
  };
  addTable(described.kernels, "sluice_program_kernels", "sluice_program_kernel_count");
  addTable(described.codelets, "sluice_program_codelets", "sluice_program_codelet_count");
  Constant *openCards = ConstantPointerNull::get(PointerType::get(context, 0));
  if (!described.openCards.empty())
    openCards = Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                                 GlobalValue::ExternalLinkage, described.openCards, module);
  addConstant(module, openCards, "sluice_program_open_cards", Align(8));
}

// What a library exports: its entry, under a name of its own and under one for those who load it.
static void addEntries(Module &module, StringRef libraryName) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *i32 = Type::getInt32Ty(context);
  auto *type = FunctionType::get(i32, {i32, pointer, pointer}, /*isVarArg=*/false);
  auto *open =
      Function::Create(type, GlobalValue::ExternalLinkage, "sluice_open_linked_library", module);
  open->setVisibility(GlobalValue::HiddenVisibility);
  for (const std::string &name : {entryOfLibrary(libraryName), std::string(kLibraryEntry)}) {
    auto *entry = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
    IRBuilder<> builder(BasicBlock::Create(context, "", entry));
    builder.CreateRet(
        builder.CreateCall(open, {entry->getArg(0), entry->getArg(1), entry->getArg(2)}));
  }
}

// Code reaches what stands behind the image by distances of 32 bits.
static rt::Status checkSize(const rt::ProgramDesc &program) {
  constexpr uint64_t kMostBytes = 2'000'000'000;
  uint64_t bytes = 0;
  auto add = [&](const rt::Tensor &tensor) {
    if (tensor.valid() && tensor.dtype() != rt::DType::kString && !tensor.isRepeated())
      bytes += tensor.bytes();
  };
  for (const rt::ResourceDesc &resource : program.resources)
    add(resource.initial);
  for (const rt::SignatureDesc &signature : program.signatures)
    for (const rt::Tensor &constant : signature.constants)
      add(constant);
  if (bytes <= kMostBytes)
    return rt::okStatus();
  return rt::resourceExhausted(rt::format(
      "an executable holds at most %llu bytes of constants and values of variables, but "
      "this one has %llu: cut the graph over several devices",
      static_cast<unsigned long long>(kMostBytes), static_cast<unsigned long long>(bytes)));
}

// What LLVM needs for it, a copy of all constants and another of their section, is gone afterwards.
static rt::Result<SmallVector<char, 0>> compileTables(const DescribedProgram &described) {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  LLVMContext context;
  Module module("program", context);
  Triple triple(described.triple.empty() ? sys::getDefaultTargetTriple() : described.triple);
  fillModule(module, described);
  addRequiredCpu(module, described, triple);
  if (!described.libraryName.empty())
    addEntries(module, described.libraryName);
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return rt::internalError("no LLVM target for '" + triple.str() + "': " + error);
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, "", "", TargetOptions(), Reloc::PIC_, std::nullopt, CodeGenOptLevel::None));
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  codegen::harden(module);
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile))
    return rt::internalError("LLVM cannot write object files for '" + triple.str() + "'");
  passes.run(module);
  return bytes;
}

rt::Result<std::string> writeObject(const DescribedProgram &described) {
  SLUICE_RETURN_IF_ERROR(checkSize(described.program));
  SLUICE_ASSIGN_OR_RETURN(auto bytes, compileTables(described));
  return std::string(bytes.begin(), bytes.end());
}

} // namespace sluice::emit
