// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads, changes and compiles kernels.
#include "test/gpu/twins/kernel_module.h"

#include "compiler/codegen/cpu/TargetCpu.h"
#include "compiler/codegen/sim/CompileTwin.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <gtest/gtest.h>

using namespace llvm;

namespace sluice::test {

KernelModule::KernelModule(const std::string &name) : context_(std::make_unique<LLVMContext>()) {
  std::string path = std::string(SLUICE_KERNELS) + "/" + name + ".ll";
  auto text = MemoryBuffer::getFile(path);
  if (!text)
    report_fatal_error(Twine("cannot read ") + path);
  parse((*text)->getBuffer().str());
}

void KernelModule::parse(const std::string &text) {
  SMDiagnostic problem;
  module_ = parseIR(MemoryBufferRef(text, "kernel"), problem, *context_);
  if (!module_)
    report_fatal_error(problem.getMessage());
}

std::vector<CallInst *> KernelModule::calls(StringRef function) {
  std::vector<CallInst *> found;
  for (Function &one : *module_)
    for (Instruction &instruction : instructions(one))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (call->getCalledFunction() && call->getCalledFunction()->getName() == function)
          found.push_back(call);
  return found;
}

void KernelModule::eraseCall(StringRef function, size_t number) {
  CallInst *call = calls(function).at(number);
  call->eraseFromParent();
}

void KernelModule::replaceText(const std::string &before, const std::string &after) {
  std::string text;
  raw_string_ostream(text) << *module_;
  size_t place = text.find(before);
  if (place == std::string::npos || text.find(before, place + 1) != std::string::npos)
    report_fatal_error(Twine("expected once in the kernel: ") + before);
  parse(text.replace(place, before.size(), after));
}

std::string KernelModule::image() const {
  std::string problem;
  Triple triple(module_->getTargetTriple());
  const Target *target = codegen::findTarget(triple, problem);
  if (!target)
    report_fatal_error(Twine(problem));
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(triple, "sm_90", "+ptx80", {}, std::nullopt));
  std::unique_ptr<Module> copy = CloneModule(*module_);
  SmallVector<char, 0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    report_fatal_error("LLVM makes no PTX");
  passes.run(*copy);
  return std::string(text.begin(), text.end());
}

TwinFolder::TwinFolder() {
  if (sys::fs::createUniqueDirectory("sluice-twins", path_))
    report_fatal_error("cannot make a folder");
}

TwinFolder::~TwinFolder() { sys::fs::remove_directories(path_); }

std::string TwinFolder::add(const KernelModule &kernel, const std::string &image) {
  auto object = codegen::compileTwin(kernel.module(), image);
  if (!object)
    report_fatal_error(object.takeError());
  std::string objectPath = path() + "/twin.o",
              library = path() + "/" + codegen::twinFileName(image);
  std::error_code problem;
  raw_fd_ostream(objectPath, problem) << *object;
  if (problem || sys::ExecuteAndWait(
                     SLUICE_LLD, {SLUICE_LLD, "-shared", "-z", "now", objectPath, "-o", library}))
    report_fatal_error("cannot link a twin");
  return image;
}

} // namespace sluice::test
