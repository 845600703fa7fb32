// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Man pages, completion scripts and tables of flags.
#include "tools/manual/program_manual.h"
#include "tools/sluice-docs/Pages.h"
#include "tools/sluice-run/options.h"
#include "tools/sluice-translate/Flags.h"
#include "tools/sluicec/Manual.h"

#include "llvm/Support/raw_ostream.h"

using namespace sluice;

namespace {

manual::Manual optManual() {
  manual::Manual manual;
  manual.program = "sluice-opt";
  manual.summary = "inspects and transforms Sluice IR";
  manual.synopsis = "[flags] <file.mlir>";
  manual.description =
      "Reads IR, runs the passes that flags name in their order, checks it and prints it. Each "
      "pass and each pipeline of passes is a flag; --help lists all of them with their options.";
  manual.groups = {
      {"Flags",
       {{"--optimize", "", "run all passes of the optimize phase"},
        {"--pass-pipeline", "text", "run these passes, with their options and nesting"},
        {"--emit-bytecode", "", "print bytecode in place of text"},
        {"--split-input-file", "", "work on each part of the file between lines of // -----"},
        {"--verify-diagnostics", "", "compare diagnostics with expectations in the file"},
        {"--allow-unregistered-dialect", "", "accept ops of dialects that are not known"},
        {"--mlir-print-ir-after-all", "", "print the IR after each pass"},
        {"--mlir-print-debuginfo", "", "print the nodes of ops, and their places"},
        {"--mlir-timing", "", "print how long each pass takes"},
        {.name = "--limit",
         .value = "name=value",
         .help = "how much of something the input may have, as ir-nesting=1000",
         .detail = "The names are those of the reference page of limits.",
         .repeats = true},
        {"-o", "file", "output file (default: -, which is standard output)"},
        {"--help", "", "list all flags and passes"},
        {"--version", "", "print the version"}}}};
  manual.exitCodes = {{"0", "success"},
                      {"1", "the IR is malformed, or a pass fails"},
                      {"2", "wrong flags"},
                      {"3", "a file cannot be read or written"},
                      {"14", "out of memory"}};
  manual.examples = {"sluice-opt model.mlir --optimize --raise-control-flow"};
  manual.seeAlso = {"sluicec(1)", "sluice-translate(1)"};
  manual.operandFiles = "mlir mlirbc";
  return manual;
}

manual::Manual findManual(llvm::StringRef name) {
  if (name == "sluice-run")
    return run::runManual();
  if (name == "sluice-program")
    return manual::programManual();
  if (name == "sluice-opt")
    return optManual();
  llvm::cl::ResetCommandLineParser();
  if (name == "sluice-translate") {
    TranslatorFlags flags;
    return translatorManual(flags);
  }
  if (name == "sluicec") {
    Flags flags;
    return compilerManual(flags);
  }
  return {};
}

} // namespace

bool sluice::docs::printManual(llvm::StringRef form, llvm::StringRef name, llvm::raw_ostream &out) {
  manual::Manual manual = findManual(name);
  if (manual.program.empty())
    return false;
  if (form == "man")
    out << manual::manPage(manual, name == "sluice-program" ? 7 : 1, SLUICE_VERSION);
  else if (form == "flags")
    out << manual::flagTable(manual);
  else if (form == "bash")
    out << manual::bashCompletion(manual);
  else if (form == "zsh")
    out << manual::zshCompletion(manual);
  else if (form == "fish")
    out << manual::fishCompletion(manual);
  else
    return false;
  return true;
}
