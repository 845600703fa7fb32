// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes graph files in text form, up to all checks of the graph.
#include "compiler/import/FileContent.h"
#include "test/fuzz/graph_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string content(sluice::fuzz::textOf(data, size));
  if (!sluice::import::looksLikeText(content))
    return -1;
  sluice::fuzz::checkGraphFile(content);
  return 0;
}
