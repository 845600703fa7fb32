// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spine: every phase in order.
#include "compiler/pipeline/Compile.h"

#include "compiler/emit/LinkExecutable.h"
#include "compiler/emit/Passes.h"
#include "compiler/emit/WriteObject.h"
#include "compiler/import/FileContent.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace mlir;

namespace sluice {

int Compilation::run() {
  // Read the graph file, check all of it, and build one flow.graph for each signature.
  if (int code = runPhase(PhaseId::kImport, &Compilation::import))
    return code;
  // From here on no protobuf is left: everything the file said is IR, names are locations.

  // Make the graphs smaller without changing a bit of any result.
  if (int code = runPhase(PhaseId::kOptimize, &Compilation::optimize))
    return code;
  // From here on types say what is known of shapes.

  // Number nodes and frames: the IR now says what the tables of the executable say.
  return runPhase(PhaseId::kEmit, &Compilation::emit);
}

int Compilation::runPhase(PhaseId id, int (Compilation::*body)()) {
  if (id > options_.lastPhase)
    return kExitOk;
  auto start = std::chrono::steady_clock::now();
  if (options_.progress)
    llvm::errs() << '[' << static_cast<int>(id) + 1 << '/' << phaseTable().size() << "] "
                 << phase(id).name;
  int code = (this->*body)();
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (options_.progress)
    llvm::errs() << llvm::format(" %.1f s\n", took.count());
  return code ? code : dump(id);
}

int Compilation::import() {
  import::DiagnosticList diagnostics;
  StringRef extension = llvm::sys::path::extension(options_.input);
  if (extension == ".mlir" || extension == ".mlirbc") {
    constexpr uint64_t kMaxBytes = uint64_t(2) << 30;
    auto content = import::readRegularFile(options_.input, kMaxBytes, diagnostics);
    printer_.print(diagnostics);
    if (!content)
      return static_cast<int>(diagnostics.exitCode());
    module_ = parseSourceString<ModuleOp>(*content, ParserConfig(&context_), options_.input);
    return module_ ? kExitOk : kExitCompileError;
  }
  module_ = import::importGraphDef(context_, options_.input, options_.signatures, diagnostics);
  printer_.print(diagnostics);
  return module_ ? kExitOk : static_cast<int>(diagnostics.exitCode());
}

int Compilation::optimize() {
  PassManager passes(&context_);
  passes.enableVerifier(false); // every pass has its own tests; verified once below
  optimize::buildOptimizePipeline(passes, options_.optimize);
  if (failed(passes.run(*module_)) || failed(verify(*module_)))
    return kExitCompileError;
  return kExitOk;
}

int Compilation::emit() {
  PassManager passes(&context_);
  passes.enableVerifier(false);
  passes.addPass(emit::createEmitBuildProgram());
  return failed(passes.run(*module_)) ? kExitCompileError : kExitOk;
}

int Compilation::writeFile(StringRef bytes, StringRef path) {
  if (path.empty() || path == "-") {
    llvm::outs() << bytes;
    llvm::outs().flush();
    if (!llvm::outs().has_error())
      return kExitOk;
    printer_.error("cannot write to standard output: " + llvm::outs().error().message(),
                   kExitInputOutput);
    llvm::outs().clear_error(); // told already
    return kExitInputOutput;
  }
  if (auto failure = emit::writeFileAtomically(bytes, path)) {
    printer_.error(failure->message, failure->exitCode);
    return failure->exitCode;
  }
  return kExitOk;
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

int Compilation::dump(PhaseId id) {
  if (options_.dumpFolder.empty())
    return kExitOk;
  if (std::error_code error = llvm::sys::fs::create_directories(options_.dumpFolder)) {
    printer_.error("cannot create folder '" + options_.dumpFolder + "': " + error.message(),
                   kExitInputOutput);
    return kExitInputOutput;
  }
  std::string name = (Twine(static_cast<int>(id) + 1) + "-" + phase(id).name + ".mlir").str();
  return writeFile(printed(*module_), options_.dumpFolder + "/" + name);
}

int Compilation::writeOutput() {
  if (options_.emit == EmitKind::kMlir || options_.lastPhase != PhaseId::kEmit)
    return writeFile(printed(*module_), options_.output);
  FailureOr<emit::DescribedProgram> described = emit::describeProgram(*module_);
  if (failed(described))
    return kExitCompileError;
  described->program.name = llvm::sys::path::stem(options_.input).str();
  described->program.version = options_.version;
  rt::Result<std::string> object = emit::writeObject(*described);
  if (!object.ok()) {
    printer_.error(object.status().toString(), kExitInternalError);
    return kExitInternalError;
  }
  if (options_.emit == EmitKind::kObject)
    return writeFile(*object, options_.output);
  auto failure = emit::linkExecutable(*object, options_.output, options_.libraryFolder,
                                      options_.verbose);
  if (!failure)
    return kExitOk;
  printer_.error(failure->message, failure->exitCode);
  return failure->exitCode;
}

} // namespace sluice
