// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sluice-docs: prints what is generated from the programs' own tables: the reference pages `ops`,
// `tensorflow-ops`, `phases` and `exit-codes`; the table of `limits`; the section on `pipelines`;
// with the name of a program its man page (`man`), its table of flags (`flags`), or its completion
// script (`bash`, `zsh`, `fish`).
#include "tools/sluice-docs/LimitTable.h"
#include "tools/sluice-docs/Pages.h"

#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  llvm::StringRef page = argc == 2 ? argv[1] : "";
  if (page == "ops")
    return mlir::succeeded(sluice::docs::printOpTable(llvm::outs())) ? 0 : 1;
  if (page == "tensorflow-ops")
    return mlir::succeeded(sluice::docs::printTensorFlowOpPage(llvm::outs())) ? 0 : 1;
  if (page == "pipelines") {
    sluice::docs::printPipelines();
    return 0;
  }
  if (page == "phases") {
    sluice::docs::printPhasePage(llvm::outs());
    return 0;
  }
  if (page == "exit-codes") {
    sluice::docs::printExitCodePage(llvm::outs());
    return 0;
  }
  if (page == "limits") {
    sluice::docs::printLimitTable(llvm::outs());
    return 0;
  }
  if (argc == 3 && sluice::docs::printManual(argv[1], argv[2], llvm::outs()))
    return 0;
  llvm::errs()
      << "error: expected ops, tensorflow-ops, pipelines, phases, exit-codes, limits, or one of "
         "man, flags, bash, zsh and fish with the name of a program\n";
  return 2;
}
