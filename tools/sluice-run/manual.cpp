// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The manual of sluice-run.
#include "tools/manual/exit_terms.h"
#include "tools/manual/program_manual.h"
#include "tools/sluice-run/options.h"

namespace sluice::run {

manual::Manual runManual() {
  manual::Manual manual;
  manual.program = "sluice-run";
  manual.summary = "starts all ranks of a compiled cluster on this machine";
  manual.synopsis = "[own flags] <manifest.json> [flags of executables]";
  manual.description =
      "Starts all ranks of a compiled cluster on this machine, watches them, and tells which one "
      "failed first. Rank 0 has this program's standard input and output; what the other ranks "
      "print "
      "goes to standard error, where each line names its rank. Flags that are named neither here "
      "nor "
      "under those that go to every rank go to rank 0; sluice-run MANIFEST --help lists them.";
  manual::FlagGroup own{
      "Own flags",
      {{"--help", "", "print this text (before the manifest)"},
       {"--version", "", "print the version (before the manifest)"},
       {"--log-prefix", "on|off", "whether lines start with their rank (default on)"},
       {"--grace", "seconds",
        "time for the others to end by themselves once one has ended (default 5)"},
       {"--trace", "file", "write one trace of what ran when on all ranks"},
       {"--merge-traces", "out",
        "instead of starting anything, make one trace of the files that follow"}}};
  own.flags[2].choices = {{"on", ""}, {"off", ""}};
  manual::FlagGroup everyRank{"Flags that go to every rank", {}};
  for (std::string_view name : flagsOfEveryRank())
    everyRank.flags.push_back(manual::describeFlag(*rt::findFlag(name, rt::Role::kFirstRank)));
  manual.groups = {own, everyRank};
  manual.exitCodes = manual::exitTerms(&rt::ExitMeaning::ofLauncher);
  manual.examples = {"sluice-run model/manifest.json --input x=f32=3",
                     "sluice-run model/manifest.json --workers 0 --calls requests.jsonl"};
  manual.seeAlso = {"sluicec(1)", "sluice-program(7)"};
  manual.operandFiles = "json";
  return manual;
}

} // namespace sluice::run
