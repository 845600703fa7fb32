// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The manual of what sluicec makes.
#include "tools/manual/program_manual.h"

#include "tools/manual/exit_terms.h"

namespace sluice::manual {

Flag describeFlag(const rt::Flag &flag) {
  Flag out{std::string(flag.name), std::string(flag.value), std::string(flag.help)};
  out.repeats = flag.repeats;
  return out;
}

Manual programManual() {
  Manual manual;
  manual.program = "sluice-program";
  manual.summary = "command line of the executables that sluicec makes";
  manual.synopsis = "[flags]";
  manual.description = "Every executable that sluicec makes understands these flags; --help shows "
                       "them together with "
                       "its own signatures, feeds and fetches. Without --output and --expected "
                       "every fetch is printed. "
                       "All arguments and input files are checked before the first call, and files "
                       "are written after "
                       "the last one.";
  FlagGroup own{"Flags", {}}, ofCluster{"Flags of ranks of a cluster", {}};
  for (std::string_view name : rt::flagNames(rt::Role::kFirstRank)) {
    const rt::Flag &flag = *rt::findFlag(name, rt::Role::kFirstRank);
    bool ofRanks = flag.knownTo == rt::KnownTo::kRanks;
    (ofRanks ? ofCluster : own).flags.push_back(describeFlag(flag));
  }
  manual.groups = {own, ofCluster};
  manual.exitCodes = exitTerms(&rt::ExitMeaning::ofExecutable);
  manual.examples = {"./model --input x=2x2xf32=1,2,3,4 --output y=-",
                     "./model --input x=@x.npy --run train --save weights.safetensors",
                     "./model --calls requests.jsonl"};
  manual.seeAlso = {"sluicec(1)", "sluice-run(1)"};
  return manual;
}

} // namespace sluice::manual
