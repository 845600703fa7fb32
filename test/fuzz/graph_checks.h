// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that happens to a graph file before IR is built from it.
#pragma once

#include "compiler/import/GraphCheck.h"
#include "compiler/import/functions/FunctionBodies.h"
#include "compiler/import/tensorflow/Expansion.h"
#include "test/fuzz/fuzz_target.h"

namespace sluice::fuzz {

inline void checkGraphFile(const std::string &content) {
  import::DiagnosticList diagnostics;
  auto file = import::GraphFile::parse("g", content, diagnostics);
  require(file || diagnostics.hasErrors(), "a file that is refused has a reason");
  if (file) {
    static import::OpTable ops; // takes far longer to read than a graph
    std::optional<import::OpTable> own;
    if (file->graph().has_library())
      own.emplace();
    import::OpTable &table = own ? *own : ops;
    import::FunctionLibrary library(*file, table, diagnostics);
    auto graph = import::Graph::resolve(*file, table, import::isSupported, diagnostics);
    require(graph || diagnostics.hasErrors(), "a graph that is refused has a reason");
    import::CheckedGraph checked;
    if (graph && import::checkGraph(*graph, checked, diagnostics)) {
      import::Selection all;
      all.nodes = checked.order;
      import::FunctionBodies bodies(library, table, *file, /*asksForGradients=*/true, diagnostics);
      import::CalleesOfNodes callees;
      bodies.reach(*graph, all, callees);
    }
  }
  for (const import::Diagnostic &diagnostic : diagnostics.all())
    (void)import::formatJson(diagnostic);
}

} // namespace sluice::fuzz
