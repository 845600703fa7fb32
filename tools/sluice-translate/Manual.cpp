// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The manual of sluice-translate.
#include "tools/flags/DescribeFlags.h"
#include "tools/manual/exit_terms.h"
#include "tools/sluice-translate/Flags.h"

namespace sluice {

manual::Manual translatorManual(TranslatorFlags &flags) {
  manual::Manual manual;
  manual.program = "sluice-translate";
  manual.summary = "turns foreign graph files into IR";
  manual.synopsis = "--import-graphdef=<file> [flags]";
  manual.description = "Reads a TensorFlow GraphDef, binary or text, and prints the module that "
                       "sluicec begins with, for work with sluice-opt.";
  manual.groups = {describeGroup(flags.category), commonFlags()};
  findFlag(manual, "--diagnostics-format")->choices =
      describeChoices(flags.diagnostics.getParser());
  manual.exitCodes = manual::exitTerms(&rt::ExitMeaning::ofCompiler,
                                       {rt::ExitCode::kExternalTool, rt::ExitCode::kInternalError});
  manual.examples = {"sluice-translate --import-graphdef=model.pb --feed x --fetch y | sluice-opt "
                     "--optimize"};
  manual.seeAlso = {"sluicec(1)", "sluice-opt(1)"};
  manual.operandFiles = "pb pbtxt";
  return manual;
}

} // namespace sluice
