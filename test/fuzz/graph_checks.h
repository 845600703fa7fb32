// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that happens to a graph file before IR is built from it.
#pragma once

#include "compiler/import/GraphCheck.h"
#include "compiler/import/tensorflow/Expansion.h"
#include "test/fuzz/fuzz_target.h"

namespace sluice::fuzz {

inline void checkGraphFile(const std::string &content) {
  import::DiagnosticList diagnostics;
  auto file = import::GraphFile::parse("g", content, diagnostics);
  require(file || diagnostics.hasErrors(), "a file that is refused has a reason");
  if (file) {
    static import::OpTable table; // takes far longer to read than a graph
    auto graph = import::Graph::resolve(
        *file, table, [](llvm::StringRef op) { return import::findExpansion(op) != nullptr; },
        diagnostics);
    require(graph || diagnostics.hasErrors(), "a graph that is refused has a reason");
    import::CheckedGraph checked;
    if (graph)
      (void)import::checkGraph(*graph, checked, diagnostics);
  }
  for (const import::Diagnostic &diagnostic : diagnostics.all())
    (void)import::formatJson(diagnostic);
}

} // namespace sluice::fuzz
