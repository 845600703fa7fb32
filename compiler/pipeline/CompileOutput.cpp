// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compilation prints and writes: dumps, IR, programs.
#include "compiler/pipeline/Compile.h"

#include "compiler/codegen/CardWork.h"
#include "compiler/emit/ProgramHashes.h"
#include "compiler/import/IrContainer.h"
#include "compiler/pipeline/WritePrograms.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace sluice {

std::string programName(StringRef input) {
  namespace path = llvm::sys::path;
  llvm::SmallString<128> whole(input);
  (void)llvm::sys::fs::make_absolute(whole);
  path::remove_dots(whole, /*remove_dot_dot=*/true);
  StringRef file = whole;
  if (path::stem(whole) == "saved_model") // the folder says more
    file = path::parent_path(whole);
  StringRef name = llvm::sys::fs::is_directory(file) ? path::filename(file) : path::stem(file);
  return name.empty() || name == "/" ? "model" : name.str();
}

void Compilation::printTime(StringRef what, std::chrono::duration<double> took) const {
  if (options_.timePhases)
    llvm::errs() << llvm::formatv("{0,-13} {1,8:f1} ms\n", what, took.count() * 1e3);
}

// For text that explains: standard output belongs to IR that goes there.
llvm::raw_ostream &Compilation::reportStream() const {
  bool printsIr = options_.lastPhase != PhaseId::kEmit || !isProgram(options_.emit);
  return printsIr && options_.output.empty() ? llvm::errs() : llvm::outs();
}

static std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  flags.enableDebugInfo(true, /*prettyForm=*/false);
  module->print(stream, flags);
  stream << '\n';
  return text;
}

static std::string bytecodeOf(ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  [[maybe_unused]] LogicalResult written = writeBytecodeToFile(module, stream);
  assert(succeeded(written) && "only old versions of bytecode can fail");
  return import::wrapBytecode(bytes);
}

int Compilation::dump(PhaseId id) {
  if (options_.dumpFolder.empty())
    return kExitOk;
  if (std::error_code error = llvm::sys::fs::create_directories(options_.dumpFolder)) {
    printer_.error("cannot create folder '" + options_.dumpFolder + "': " + error.message(),
                   kExitInputOutput);
    return kExitInputOutput;
  }
  return writeFile(printed(*module_), options_.dumpFolder + "/" + dumpName(id), printer_);
}

int Compilation::writeOutput() {
  if (options_.emit == EmitKind::kHtml)
    return writeReport();
  int code = writeModuleOrPrograms();
  return code ? code : writeReport();
}

int Compilation::writeModuleOrPrograms() {
  if (options_.emit == EmitKind::kBytecode)
    return writeFile(bytecodeOf(*module_), options_.output, printer_);
  if (options_.emit == EmitKind::kMlir || options_.lastPhase != PhaseId::kEmit)
    return writeFile(printed(*module_), options_.output, printer_);
  auto start = std::chrono::steady_clock::now();
  auto programs = describePrograms();
  int code = failed(programs) ? static_cast<int>(kExitCompileError)
                              : writePrograms(*programs, options_, printer_, written_);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  printTime("write", took);
  report_.writeMilliseconds = took.count() * 1e3;
  return code;
}

SmallVector<ModuleOp> Compilation::programModules() {
  auto ranks = module_->getOps<ModuleOp>();
  SmallVector<ModuleOp> modules(ranks.begin(), ranks.end());
  if (modules.empty())
    modules.push_back(*module_);
  return modules;
}

FailureOr<std::vector<emit::DescribedProgram>> Compilation::describePrograms() {
  std::vector<emit::DescribedProgram> programs;
  for (auto [rank, module] : llvm::enumerate(programModules())) {
    FailureOr<emit::DescribedProgram> described =
        emit::describeProgram(module, withoutCards_ ? *withoutCards_ : ModuleOp());
    if (failed(described))
      return failure();
    described->program.name = programName(options_.input);
    described->program.version = options_.version;
    described->triple = options_.target.triple;
    if (std::optional<codegen::CardTarget> card = targetOf(module).card) {
      described->program.cards = codegen::cardsOf(module);
      described->openCards =
          card->isSimulated ? "sluice_open_simulated_cards" : "sluice_open_cards";
    }
    if (!codeletObjects_.empty()) {
      described->codeletObjects = codeletObjects_[rank];
      described->march = targetOf(module).march;
    }
    programs.push_back(std::move(*described));
  }
  emit::setHashes(programs);
  return programs;
}

} // namespace sluice
