// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of what a graph file holds.
#include "compiler/import/ReadGraph.h"

#include "compiler/import/FileContent.h"

namespace sluice::import {

namespace {

class Sizes {
public:
  Sizes(const GraphFile &file, const Limits &limits, DiagnosticList &diagnostics)
      : file_(file), limits_(limits), diagnostics_(diagnostics) {}

  void check() {
    const graphdef::GraphDef &graph = file_.graph();
    auto nodes = static_cast<uint64_t>(graph.node_size());
    if (!limits_.allows(LimitId::kNodes, nodes))
      return diagnostics_.error(ExitCode::kBadGraph, {file_.path(), "", ""},
                                limits_.excess(LimitId::kNodes, "nodes", nodes));
    for (size_t i = 0; i < nodes; ++i)
      checkNode(i, graph.node(static_cast<int>(i)));
  }

private:
  void checkNode(size_t index, const graphdef::NodeDef &node) {
    auto check = [&](LimitId limit, const char *things, uint64_t amount) {
      if (!limits_.allows(limit, amount))
        diagnostics_.error(ExitCode::kBadGraph, {file_.nodeLocation(index), node.name(), node.op()},
                           limits_.excess(limit, things, amount));
    };
    check(LimitId::kNameBytes, "bytes in the name", node.name().size());
    check(LimitId::kNameBytes, "bytes in the name of the op", node.op().size());
    check(LimitId::kAttributes, "attributes", static_cast<uint64_t>(node.attr_size()));
    for (const graphdef::AttrEntry &entry : node.attr())
      check(LimitId::kNameBytes, "bytes in the name of an attribute", entry.key().size());
  }

  const GraphFile &file_;
  const Limits &limits_;
  DiagnosticList &diagnostics_;
};

} // namespace

void checkSizes(const GraphFile &file, const Limits &limits, DiagnosticList &diagnostics) {
  Sizes(file, limits, diagnostics).check();
}

std::unique_ptr<GraphFile> readGraph(const std::string &path, const Limits &limits,
                                     DiagnosticList &diagnostics) {
  auto content = readRegularFile(path, limits, LimitId::kFileBytes, diagnostics);
  auto file = content ? GraphFile::parse(path, *content, diagnostics, limits) : nullptr;
  if (file)
    checkSizes(*file, limits, diagnostics);
  return diagnostics.hasErrors() ? nullptr : std::move(file);
}

} // namespace sluice::import
