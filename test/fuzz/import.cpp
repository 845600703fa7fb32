// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the whole import of graph files: placeholders are fed, the last node is fetched, and run as
// a target in a second signature. A graph that passes all checks becomes IR or gets a reason.
#include "compiler/import/Importer.h"
#include "test/fuzz/fresh_context.h"
#include "test/fuzz/fuzz_target.h"

using namespace sluice;

static std::vector<import::SignatureRequest> requestsFor(const graphdef::GraphDef &graph) {
  import::SignatureRequest fetch{"fetch", {}, {}, {}};
  for (const auto &node : graph.node())
    if (node.op() == "Placeholder")
      fetch.feeds.push_back(node.name());
  import::SignatureRequest run{"run", fetch.feeds, {}, {}};
  const std::string &last = graph.node(graph.node_size() - 1).name();
  fetch.fetches.push_back(last);
  run.targets.push_back(last);
  return {fetch, run};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz::FreshContext context;
  import::DiagnosticList diagnostics;
  auto file = import::GraphFile::parse("g", std::string(fuzz::textOf(data, size)), diagnostics);
  if (!file)
    return -1; // the targets for the two forms of files are quicker at that
  for (const import::SignatureRequest &request : requestsFor(file->graph())) {
    auto module = import::importGraph(context.get(), *file, {request}, diagnostics);
    fuzz::require(module || diagnostics.hasErrors(), "a graph that is refused has a reason");
  }
  return 0;
}
