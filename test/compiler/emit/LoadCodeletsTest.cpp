// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of codelets, made here from LLVM IR, in this process.
#include "compiler/emit/LoadCodelets.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <gtest/gtest.h>

namespace sluice::emit {
namespace {

using namespace llvm;

// A codelet whose arena has `arenaBytes` and whose body returns what `function` returns.
std::string codeletText(StringRef symbol, int arenaBytes, StringRef function) {
  return ("@" + symbol + " = constant {ptr, ptr, i64, ptr} {ptr null, ptr @" + symbol +
          "_body, i64 " + Twine(arenaBytes) + ", ptr null}\n" + "declare i32 @" + function +
          "(i32)\n" + "define internal i32 @" + symbol + "_body(ptr %call) {\n" +
          "  %status = call i32 @" + function + "(i32 -7)\n" + "  ret i32 %status\n}\n")
      .str();
}

std::string objectOf(const std::string &text) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(text, diagnostic, context);
  if (!module) {
    ADD_FAILURE() << diagnostic.getMessage().str();
    return "";
  }
  Triple triple(sys::getDefaultTargetTriple());
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(triple, "", "", TargetOptions(), Reloc::PIC_));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile));
  passes.run(*module);
  return std::string(bytes.begin(), bytes.end());
}

TEST(LoadCodelets, CodeOfSeveralObjectsCanBeCalled) {
  DescribedProgram program;
  program.codelets = {"sluice_codelet_b", "sluice_codelet_a"};
  program.codeletObjects = {objectOf(codeletText("sluice_codelet_a", 64, "abs")),
                            objectOf(codeletText("sluice_codelet_b", 0, "abs"))};
  auto loaded = LoadedCodelets::load(program);
  ASSERT_TRUE(loaded.ok()) << loaded.status().toString();
  LoadedCodelets codelets = std::move(*loaded);
  ASSERT_EQ(codelets.table().size(), 2u);
  EXPECT_EQ(codelets.table()[0]->arenaBytes, 0);
  EXPECT_EQ(codelets.table()[1]->arenaBytes, 64);
  EXPECT_EQ(codelets.table()[1]->sizes, nullptr);
  EXPECT_EQ(codelets.table()[1]->body(nullptr), 7);
}

TEST(LoadCodelets, ProgramsWithoutCodeletsNeedNothing) {
  auto loaded = LoadedCodelets::load({});
  ASSERT_TRUE(loaded.ok());
  EXPECT_TRUE(loaded->table().empty());
}

TEST(LoadCodelets, SaysWhatIsMissing) {
  DescribedProgram program;
  program.codelets = {"sluice_codelet_a"};
  auto without = LoadedCodelets::load(program);
  ASSERT_FALSE(without.ok());
  EXPECT_NE(without.status().message().find("sluice_codelet_a"), std::string::npos);
  program.codeletObjects = {objectOf(codeletText("sluice_codelet_a", 0, "sluice_nobody_has_this"))};
  auto undefined = LoadedCodelets::load(program);
  ASSERT_FALSE(undefined.ok());
  EXPECT_NE(undefined.status().message().find("sluice_nobody_has_this"), std::string::npos);
  program.codeletObjects = {"no object at all"};
  EXPECT_FALSE(LoadedCodelets::load(program).ok());
}

} // namespace
} // namespace sluice::emit
