// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler as a function: from a graph file to a module after some phase, and to files.
#pragma once

#include "compiler/codegen/CompileCodelets.h"
#include "compiler/differentiate/BuildGradients.h"
#include "compiler/emit/DescribeProgram.h"
#include "compiler/import/ConfigFile.h"
#include "compiler/import/savedmodel/ImportModel.h"
#include "compiler/optimize/Passes.h"
#include "compiler/pipeline/DiagnosticPrinter.h"
#include "compiler/pipeline/PhaseTable.h"
#include "compiler/place/ClusterSpec.h"
#include "compiler/report/Report.h"
#include "runtime/base/exit_codes.h"

#include "mlir/IR/OwningOpRef.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class PassManager;
}

namespace sluice {

// What the compiler ends with, as numbers.
enum CompilerExit : int {
  kExitOk = static_cast<int>(rt::ExitCode::kOk),
  kExitCompileError = static_cast<int>(rt::ExitCode::kBadGraph),
  kExitUsage = static_cast<int>(rt::ExitCode::kUsage),
  kExitInputOutput = static_cast<int>(rt::ExitCode::kInputOutput),
  kExitExternalTool = static_cast<int>(rt::ExitCode::kExternalTool),
  kExitInternalError = static_cast<int>(rt::ExitCode::kInternalError),
};

enum class EmitKind { kExecutable, kObject, kLibrary, kMlir, kBytecode, kHtml };
inline bool isProgram(EmitKind kind) {
  return kind == EmitKind::kExecutable || kind == EmitKind::kObject || kind == EmitKind::kLibrary;
}

struct CompileOptions {
  import::Limits limits;
  std::string input;
  std::string output; // empty: IR goes to stdout; a folder for executables of a cluster
  import::ModelRequest model;
  optimize::OptimizeOptions optimize;
  bool raise = true;         // else branches and loops stay the primitives that they are
  bool explainRaise = false; // print what stays primitive, and why
  differentiate::Choices gradients;
  bool explainGradients = false;             // print what is saved for derivatives
  std::optional<place::ClusterSpec> cluster; // absent: one program that runs alone
  std::optional<uint64_t> placementSeed;     // place at random
  bool explainPlace = false;                 // print the device of each op, and why
  bool explainPartition = false;             // print a table of devices and of what they send
  std::string partitionSummary;              // file for figures of the same; empty: none
  bool codelets = true;                      // else every op runs as a kernel
  bool collapse = true;                      // else no loop becomes part of a codelet
  codegen::TargetOptions target;
  std::string device;                   // the target of a program that runs alone; empty: a CPU
  std::string cardLoops = "auto";       // that a card runs by itself (CardWork.h)
  std::optional<int64_t> leastCardWork; // of an op on a card (CardWork.h); absent: by the target
  bool cardIsOptional = true;           // a program that runs alone can leave its card alone
  std::string codeletCache;             // folder (CodeletCache.h); empty: none
  bool explainLoops = false;    // print which loops are collapsed, and what keeps others from it
  bool explainCodelets = false; // print a table of codelets
  std::string report;           // file for a report, as HTML or JSON by its name; empty: none
  PhaseId lastPhase = PhaseId::kEmit;
  EmitKind emit = EmitKind::kExecutable;
  std::string cppClass; // of libraries; empty: made of the output's name
  std::vector<import::NamedVariable> namedVariables; // what headers of libraries call them
  std::string dumpFolder;                            // empty: no dumps
  std::string libraryFolder;
  std::string version; // shown by executables
  bool progress = false;
  bool timePhases = false;     // print how long each phase took
  bool verifyEachPass = false; // else the IR is verified after groups of passes
  bool verbose = false;
};

// What programs made of an input are called: as the file without its extension, or as the folder of
// a model.
std::string programName(llvm::StringRef input);

// Runs the phases up to `options.lastPhase` on one input.
class Compilation {
public:
  Compilation(mlir::MLIRContext &context, const CompileOptions &options, DiagnosticPrinter &printer)
      : context_(context), options_(options), printer_(printer) {}

  // The spine. Returns an exit code; `module()` then holds the IR after the last phase.
  int run();
  // Writes what `options.emit` asks for, and the report if there is to be one.
  int writeOutput();
  // After emit: the program of each rank, or one that runs alone. Fails, with a diagnostic, only
  // when a constant cannot be read.
  mlir::FailureOr<std::vector<emit::DescribedProgram>> describePrograms();
  mlir::ModuleOp module() { return *module_; }
  // The report alone, if the options ask for one.
  int writeReport();

private:
  int import();
  int optimize();
  int raise();
  bool versionsMayPay() const;
  int differentiate();
  int buildDerivatives();
  int lower();
  int place();
  int explainPlace();
  int partition();
  int reportPartition();
  int codegen();
  // Of the module, or of what it is without cards.
  int formCodelets(mlir::ModuleOp module);
  int collapseLoops(mlir::ModuleOp module);
  int compileCodelets();
  // One for each rank, or the whole if it runs alone.
  llvm::SmallVector<mlir::ModuleOp> programModules();
  // What the code of a program is for: what its device's target says, or else the options.
  codegen::TargetOptions targetOf(mlir::ModuleOp program) const;
  // Tells the programs of ranks with a card so.
  int findCards();
  // Of a program that runs alone, if --target says how many cards it has.
  std::optional<unsigned> cardsAlone() const;
  int recordCards();
  int emit();
  int runPhase(PhaseId id, int (Compilation::*body)());
  int dump(PhaseId id);
  int writeModuleOrPrograms();
  bool collectsReport() const {
    return !options_.report.empty() || options_.emit == EmitKind::kHtml;
  }
  void collectPhase(PhaseId id, double milliseconds);
  // All that is left to be told; `programs` if there are any.
  void completeReport(llvm::ArrayRef<emit::DescribedProgram> programs);
  void printTime(llvm::StringRef what, std::chrono::duration<double> took) const;
  int runPasses(mlir::PassManager &passes) { return runPasses(passes, *module_); }
  int runPasses(mlir::PassManager &passes, mlir::ModuleOp module);
  llvm::raw_ostream &reportStream() const;

  mlir::MLIRContext &context_;
  const CompileOptions &options_;
  DiagnosticPrinter &printer_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  mlir::OwningOpRef<mlir::ModuleOp> withoutCards_;       // from codegen on, if it is wanted
  bool startsFromIr_ = false;                            // the input was no graph
  bool asksForDerivatives_ = false;                      // until they are built
  std::vector<std::vector<std::string>> codeletObjects_; // by rank
  std::vector<std::string> written_;                     // the file of each program
  report::Report report_;
};

} // namespace sluice
