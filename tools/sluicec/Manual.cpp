// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The manual of sluicec, from its flags and the table of phases.
#include "tools/sluicec/Manual.h"

#include "tools/flags/DescribeFlags.h"
#include "tools/manual/exit_terms.h"

namespace sluice {

static manual::TermList phaseList() {
  manual::TermList list{"The phases", {}};
  for (const Phase &phase : phaseTable())
    list.terms.push_back({phase.name.str(), phase.summary.str()});
  return list;
}

static std::vector<manual::Term> phaseChoices(bool interpretable) {
  std::vector<manual::Term> choices;
  for (const Phase &phase : phaseTable())
    if (!interpretable || phase.interpretable)
      choices.push_back({phase.name.str(), ""});
  return choices;
}

manual::Manual compilerManual(Flags &flags) {
  manual::Manual manual;
  manual.program = "sluicec";
  manual.summary = "compiles dataflow graphs into native executables";
  manual.synopsis = "[flags] <graph.pb | saved_model/ | model.meta | module.mlir>";
  manual.description =
      "Compiles a graph into one executable, or into one for each device of a cluster. The input "
      "is "
      "a TensorFlow GraphDef, binary or text (the content decides, not the name), the folder of a "
      "SavedModel, a MetaGraphDef, or IR in a file that ends with .mlir or .mlirbc. x and x:0 name "
      "the same tensor.";
  for (const llvm::cl::OptionCategory *category : flags.categories())
    manual.groups.push_back(describeGroup(*category));
  manual.groups.push_back(commonFlags());
  findFlag(manual, "--emit")->choices = describeChoices(flags.emit.getParser());
  findFlag(manual, "--execute")->choices = describeChoices(flags.execute.getParser());
  findFlag(manual, "--stop-after")->choices = phaseChoices(/*interpretable=*/false);
  findFlag(manual, "--interpret")->choices = phaseChoices(/*interpretable=*/true);
  manual.lists = {phaseList()};
  manual.exitCodes = manual::exitTerms(&rt::ExitMeaning::ofCompiler);
  manual.examples = {"sluicec model.pb --feed x --fetch y -o model && ./model --input x=f32=3",
                     "sluicec saved_model/ --signature serving_default -o model",
                     "sluicec model.pb --fetch y --stop-after=optimize",
                     "sluicec model.pb --feed x --fetch y --interpret --input x=f32=3",
                     "sluicec model.pb --feed x --fetch y --devices 2 -o model",
                     "sluice-run model/manifest.json --input x=f32=3"};
  manual.seeAlso = {"sluice-run(1)", "sluice-translate(1)", "sluice-opt(1)", "sluice-program(7)"};
  manual.operandFiles = "pb pbtxt meta mlir mlirbc";
  return manual;
}

} // namespace sluice
