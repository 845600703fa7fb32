// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sluice-docs: prints generated reference pages: `sluice-docs ops`, `sluice-docs phases`.
#include "tools/sluice-docs/Pages.h"

#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  llvm::StringRef page = argc == 2 ? argv[1] : "";
  if (page == "ops")
    return mlir::succeeded(sluice::docs::printOpTable(llvm::outs())) ? 0 : 1;
  if (page == "phases") {
    sluice::docs::printPhasePage(llvm::outs());
    return 0;
  }
  llvm::errs() << "error: expected one page name, ops or phases\n";
  return 2;
}
