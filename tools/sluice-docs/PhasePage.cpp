// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// docs/reference/phases.md: the phase table.
#include "compiler/pipeline/PhaseTable.h"
#include "tools/sluice-docs/Pages.h"

#include "llvm/Support/raw_ostream.h"

void sluice::docs::printPhasePage(llvm::raw_ostream &out) {
  out << "# The phases of the compiler\n\n"
         "Generated from the phase table (`compiler/pipeline/PhaseTable.cpp`); see\n"
         "[architecture](../architecture.md#the-phases). Each name is a value of\n"
         "`sluicec --stop-after`; where the last column says yes, also of `sluicec "
         "--interpret`.\n\n"
         "| phase | what it does | what holds afterwards | interpreter |\n"
         "|---|---|---|---|\n";
  for (const Phase &phase : phaseTable())
    out << "| " << phase.name << " | " << phase.summary << " | " << phase.invariant << " | "
        << (phase.interpretable ? "yes" : "no") << " |\n";
}
