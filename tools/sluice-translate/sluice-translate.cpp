// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sluice-translate: turns foreign graph files into IR.
#include "compiler/emit/AtomicFile.h"
#include "compiler/import/Importer.h"
#include "dialects/interfaces/RegisterDialects.h"
#include "tools/ParseCommandLine.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

using namespace llvm;
namespace si = sluice::import;

namespace {

cl::OptionCategory category("Translation");
cl::opt<std::string> graphFile("import-graphdef",
                               cl::desc("GraphDef file to import (.pb or .pbtxt)"),
                               cl::value_desc("file"), cl::Required, cl::cat(category));
cl::list<std::string> signatures("signature", cl::cat(category), cl::value_desc("name"),
                                 cl::desc("Begin a signature: the feeds, fetches and targets after "
                                          "it belong to it (default: main)"));
cl::list<std::string> feeds("feed", cl::desc("Tensor that the caller gives"),
                            cl::value_desc("tensor"), cl::cat(category));
cl::list<std::string> fetches("fetch", cl::desc("Tensor that the caller receives"),
                              cl::value_desc("tensor"), cl::cat(category));
cl::list<std::string> targets("run", cl::desc("Node to run for its effect"), cl::value_desc("node"),
                              cl::cat(category));
cl::opt<std::string> output("o", cl::desc("Output file (default: -)"), cl::init("-"),
                            cl::value_desc("file"), cl::cat(category));
enum class Format { kText, kJson };
cl::opt<Format>
    diagnosticsFormat("diagnostics-format", cl::desc("How problems are printed"),
                      cl::values(clEnumValN(Format::kText, "text", "Lines for people"),
                                 clEnumValN(Format::kJson, "json", "One JSON object a line")),
                      cl::init(Format::kText), cl::cat(category));
cl::opt<bool> keepPlacement("keep-placement", cl::cat(category),
                            cl::desc("Keep where nodes ask to be: devices and colocation"));
cl::opt<uint64_t> maxBytes("max-bytes", cl::desc("Largest file to read"),
                           cl::init(uint64_t(2) << 30), cl::cat(category));

// Signatures own what follows them on the command line.
std::vector<si::SignatureRequest> requests() {
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
  collect(signatures, 's');
  collect(feeds, 'i');
  collect(fetches, 'o');
  collect(targets, 'r');
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
    else
      (argument.kind == 'o' ? current.fetches : current.targets).push_back(argument.value);
  }
  return result;
}

// False after a failure, which has been printed.
bool writeModule(mlir::ModuleOp module) {
  std::string text;
  raw_string_ostream stream(text);
  module->print(stream);
  stream << '\n';
  if (output != "-") {
    auto failure = sluice::emit::writeFileAtomically(text, output);
    if (failure)
      errs() << "sluice-translate: error: " << *failure << "\n";
    return !failure;
  }
  outs() << text;
  outs().flush();
  bool good = !outs().has_error();
  if (!good)
    errs() << "sluice-translate: error: cannot write to standard output: "
           << outs().error().message() << "\n";
  outs().clear_error();
  return good;
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  mlir::registerAsmPrinterCLOptions();
  cl::HideUnrelatedOptions(category);
  // A closed pipe and a file that may not grow are failed writes, which have an exit code.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  if (!sluice::parseCommandLine({argv, static_cast<size_t>(argc)}, sys::path::filename(argv[0]),
                                "sluice-translate: turns foreign graph files into IR\n"))
    return static_cast<int>(si::ExitCode::kUsage);
  if (output != "-" && sys::fs::equivalent(output, graphFile)) {
    errs() << "sluice-translate: error: the output would overwrite the input '" << graphFile
           << "'\n";
    return static_cast<int>(si::ExitCode::kUsage);
  }
  mlir::DialectRegistry registry;
  sluice::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);

  si::DiagnosticList diagnostics;
  si::ImportOptions options;
  options.maxBytes = maxBytes;
  options.keepPlacement = keepPlacement;
  auto module = si::importGraphDef(context, graphFile, requests(), diagnostics, options);
  bool json = diagnosticsFormat == Format::kJson;
  for (const si::Diagnostic &diagnostic : diagnostics.all())
    errs() << (json ? si::formatJson(diagnostic) : si::formatText(diagnostic)) << "\n";
  if (diagnostics.suppressed() > 0 && !json)
    errs() << diagnostics.suppressed() << " more not shown\n";
  if (!module)
    return static_cast<int>(diagnostics.exitCode());

  return writeModule(*module) ? 0 : static_cast<int>(si::ExitCode::kInputOutput);
}
