// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of GraphDef files in both forms.
#include "compiler/import/GraphFile.h"

#include "compiler/import/FileContent.h"
#include "compiler/import/ForeignFormat.h"
#include "compiler/import/ParseMessage.h"

namespace sluice::import {

using google::protobuf::TextFormat;

std::unique_ptr<GraphFile> GraphFile::parse(const std::string &path, const std::string &content,
                                            DiagnosticList &diagnostics, const Limits &limits) {
  auto fail = [&](const std::string &message) {
    diagnostics.error(ExitCode::kBadGraph, {path, "", ""}, message);
    return nullptr;
  };
  if (!looksLikeText(content) && looksLikeMetaGraph(content))
    return fail("is no GraphDef: it begins with what a graph was made with" +
                looksLike(foreignFormat(content)));
  auto file = std::make_unique<GraphFile>();
  file->path_ = path;
  file->limits_ = limits;
  TextFormat::ParseInfoTree positions;
  if (!parseMessage(path, content, "GraphDef", file->graph_, limits, diagnostics, &positions))
    return nullptr;
  if (file->graph_.node_size() == 0)
    return fail(content.empty() ? "the file is empty: no nodes"
                                : "the graph has no nodes" + looksLike(foreignFormat(content)));
  if (looksLikeText(content))
    file->positions_ = positionsOfNodes(positions, file->graph_);
  return file;
}

std::unique_ptr<GraphFile> GraphFile::take(const std::string &path, graphdef::GraphDef &graph,
                                           std::vector<TextPosition> positions,
                                           const Limits &limits) {
  auto file = std::make_unique<GraphFile>();
  file->path_ = path;
  file->limits_ = limits;
  file->graph_.Swap(&graph);
  file->positions_ = std::move(positions);
  return file;
}

std::vector<TextPosition> positionsOfNodes(const TextFormat::ParseInfoTree &positions,
                                           const graphdef::GraphDef &graph) {
  const auto *nodes = graphdef::GraphDef::descriptor()->FindFieldByName("node");
  std::vector<TextPosition> result;
  result.reserve(static_cast<size_t>(graph.node_size()));
  for (int i = 0; i < graph.node_size(); ++i) {
    TextFormat::ParseLocation at = positions.GetLocation(nodes, i);
    result.push_back({static_cast<uint32_t>(at.line + 1), static_cast<uint32_t>(at.column + 1)});
  }
  return result;
}

std::string GraphFile::nodeLocation(size_t node) const {
  TextPosition at = nodePosition(node);
  return withPosition(path_, static_cast<int>(at.line) - 1, static_cast<int>(at.column) - 1);
}

} // namespace sluice::import
