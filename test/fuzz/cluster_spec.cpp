// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes cluster.json.
#include "compiler/place/ClusterSpec.h"
#include "test/fuzz/fuzz_target.h"

using namespace sluice;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  import::DiagnosticList diagnostics;
  bool good =
      place::ClusterSpec::parse("c.json", fuzz::textOf(data, size), diagnostics).has_value();
  fuzz::require(good != diagnostics.hasErrors(), "what is refused has a reason");
  return 0;
}
