// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// docs/reference/exit-codes.md: the table that all programs share.
#include "runtime/base/exit_codes.h"
#include "tools/sluice-docs/Pages.h"

#include "llvm/Support/raw_ostream.h"

void sluice::docs::printExitCodePage(llvm::raw_ostream &out) {
  out << "# Exit codes\n\n"
         "Generated from `runtime/base/exit_codes.h`. A number keeps its meaning from version to\n"
         "version. An empty field: that program never ends so.\n\n"
         "| code | in short | [sluicec](sluicec.md), [sluice-translate](sluice-translate.md) "
         "| [executables](executable-command-line.md) | [sluice-run](sluice-run.md) |\n"
         "|---|---|---|---|---|\n";
  for (const rt::ExitMeaning &exit : rt::kExitMeanings)
    out << "| " << static_cast<int>(exit.code) << " | " << exit.name << " | " << exit.ofCompiler
        << " | " << exit.ofExecutable << " | " << exit.ofLauncher << " |\n";
  out << "\nWith `--interpret` or `--execute`, sluicec ends as the executable would.\n"
         "sluice-translate links nothing and never ends with 6.\n"
         "[sluice-opt](sluice-opt.md#exit-codes) has some of the codes.\n"
         "sluice-run ends with the code of the rank that failed first, also with one that is not "
         "named here.\n";
}
