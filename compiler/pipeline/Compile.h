// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler as a function: from a graph file to a module after some phase, and to files.
#pragma once

#include "compiler/import/Importer.h"
#include "compiler/optimize/Passes.h"
#include "compiler/pipeline/DiagnosticPrinter.h"
#include "compiler/pipeline/PhaseTable.h"

#include <string>
#include <vector>

namespace sluice {

// Exit codes of the compiler (docs/reference/sluicec.md).
enum CompilerExit : int {
  kExitOk = 0,
  kExitCompileError = 1,
  kExitUsage = 2,
  kExitInputOutput = 3,
  kExitUnsupported = 4,
  kExitExternalTool = 6,
  kExitInternalError = 70,
};

enum class EmitKind { kExecutable, kObject, kMlir };

struct CompileOptions {
  std::string input;
  std::string output; // empty: IR goes to stdout
  std::vector<import::SignatureRequest> signatures;
  optimize::OptimizeOptions optimize;
  PhaseId lastPhase = PhaseId::kEmit;
  EmitKind emit = EmitKind::kExecutable;
  std::string dumpFolder; // empty: no dumps
  std::string libraryFolder;
  std::string version; // shown by executables
  bool progress = false;
  bool verbose = false;
};

// Runs the phases up to `options.lastPhase` on one input.
class Compilation {
public:
  Compilation(mlir::MLIRContext &context, const CompileOptions &options, DiagnosticPrinter &printer)
      : context_(context), options_(options), printer_(printer) {}

  // The spine. Returns an exit code; `module()` then holds the IR after the last phase.
  int run();
  // Writes what `options.emit` asks for.
  int writeOutput();
  mlir::ModuleOp module() { return *module_; }

private:
  int import();
  int optimize();
  int emit();
  int runPhase(PhaseId id, int (Compilation::*body)());
  int dump(PhaseId id);
  int writeFile(llvm::StringRef bytes, llvm::StringRef path);

  mlir::MLIRContext &context_;
  const CompileOptions &options_;
  DiagnosticPrinter &printer_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

} // namespace sluice
