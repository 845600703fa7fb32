// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes manifest.json.
#include "test/fuzz/fuzz_target.h"
#include "tools/sluice-run/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)sluice::run::parseManifest("folder/manifest.json", sluice::fuzz::textOf(data, size));
  return 0;
}
