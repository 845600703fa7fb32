// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sluice-translate: turns foreign graph files into IR.
#include "compiler/emit/WriteOutput.h"
#include "compiler/import/Importer.h"
#include "compiler/import/ReadGraph.h"
#include "dialects/interfaces/RegisterDialects.h"
#include "tools/flags/DescribeFlags.h"
#include "tools/flags/ParseCommandLine.h"
#include "tools/process/ToolProcess.h"
#include "tools/sluice-translate/Flags.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
namespace si = sluice::import;

namespace {

// Signatures own what follows them on the command line.
std::vector<si::SignatureRequest> requests(const sluice::TranslatorFlags &flags) {
  struct Argument {
    unsigned position;
    char kind;
    std::string value;
  };
  std::vector<Argument> arguments;
  auto collect = [&](const cl::list<std::string> &list, char kind) {
    for (unsigned i = 0; i < list.size(); ++i)
      arguments.push_back({list.getPosition(i), kind, list[i]});
  };
  collect(flags.signatures, 's');
  collect(flags.feeds, 'i');
  collect(flags.fetches, 'o');
  collect(flags.targets, 'r');
  llvm::sort(arguments,
             [](const Argument &a, const Argument &b) { return a.position < b.position; });
  std::vector<si::SignatureRequest> result;
  for (const Argument &argument : arguments) {
    if (argument.kind == 's' || result.empty())
      result.emplace_back();
    si::SignatureRequest &current = result.back();
    if (argument.kind == 's')
      current.name = argument.value;
    else if (argument.kind == 'i')
      current.feeds.push_back(argument.value);
    else if (argument.kind == 'o')
      current.fetches.push_back(argument.value);
    else
      current.targets.push_back(argument.value);
  }
  return result;
}

// What is wrong with the flags; sets the limits.
std::optional<std::string> problemOf(const sluice::TranslatorFlags &flags, si::Limits &limits) {
  if (flags.output != "-" && sys::fs::equivalent(flags.output, flags.graphFile))
    return "the output would overwrite the input '" + flags.graphFile + "'";
  return flags.limit.apply(limits);
}

// False after a failure, which has been printed.
bool writeModule(mlir::ModuleOp module, StringRef output) {
  std::string text;
  raw_string_ostream stream(text);
  module->print(stream);
  stream << '\n';
  auto failure = sluice::emit::writeOutput(text, output);
  if (failure)
    errs() << "sluice-translate: error: " << *failure << "\n";
  return !failure;
}

} // namespace

int main(int argc, char **argv) {
  sluice::ToolProcess process(argc, argv);
  mlir::registerAsmPrinterCLOptions();
  cl::SetVersionPrinter([](raw_ostream &out) { out << "sluice-translate " SLUICE_VERSION "\n"; });
  sluice::TranslatorFlags flags;
  if (sluice::asksForHelp({argv, static_cast<size_t>(argc)}))
    return sluice::printHelp(sluice::translatorManual(flags)) ? 0 : 3;
  if (!sluice::parseCommandLine({argv, static_cast<size_t>(argc)}, sys::path::filename(argv[0]),
                                ""))
    return static_cast<int>(si::ExitCode::kUsage);
  si::Limits limits;
  if (auto problem = problemOf(flags, limits)) {
    errs() << "sluice-translate: error: " << *problem << "\n";
    return static_cast<int>(si::ExitCode::kUsage);
  }
  mlir::DialectRegistry registry;
  sluice::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);

  si::DiagnosticList diagnostics;
  si::ImportOptions options;
  options.keepPlacement = flags.keepPlacement;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (auto file = si::readGraph(flags.graphFile, limits, diagnostics))
    module = si::importGraph(context, *file, requests(flags), diagnostics, options);
  errs() << si::formatLines(diagnostics, flags.diagnostics == sluice::DiagnosticsForm::kJson);
  if (!module)
    return static_cast<int>(diagnostics.exitCode());

  return writeModule(*module, flags.output) ? 0 : static_cast<int>(si::ExitCode::kInputOutput);
}
