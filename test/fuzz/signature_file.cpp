// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the file of --signatures.
#include "test/fuzz/fuzz_target.h"
#include "tools/sluicec/SignatureFile.h"

using namespace sluice;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  import::DiagnosticList diagnostics;
  bool good = parseSignatures("s.json", fuzz::textOf(data, size), diagnostics).has_value();
  fuzz::require(good != diagnostics.hasErrors(), "what is refused has a reason");
  return 0;
}
