// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes IR files as sluicec reads them: scanned, parsed, verified and held to the limits.
#include "compiler/import/IrFile.h"
#include "test/fuzz/fresh_context.h"
#include "test/fuzz/fuzz_target.h"

using namespace sluice;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz::FreshContext context;
  import::DiagnosticList diagnostics;
  import::Limits limits;
  // Not in a child process: this is where crashes are looked for.
  if (auto bytes = import::checkIrBytes("g.mlir", fuzz::textOf(data, size), limits, diagnostics))
    (void)import::parsesHere(context.get(), "g.mlir", *bytes, limits);
  return 0;
}
