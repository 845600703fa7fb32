// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GraphDef file in memory: parsing within limits, text positions.
//
// The form (binary or text) is found from the content, never from the name. Whatever the bytes
// are, reading ends with a graph or with diagnostics: sizes and nesting are checked before
// anything recursive sees them.
#pragma once

#include "compiler/import/Diagnostic.h"
#include "compiler/import/Limits.h"
#include "compiler/import/graphdef.pb.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sluice::import {

// A position in a text file, counted from 1; line 0 means that there is none.
struct TextPosition {
  uint32_t line = 0;
  uint32_t column = 0;
};

class GraphFile {
public:
  // `path` only names the content in messages.
  static std::unique_ptr<GraphFile> parse(const std::string &path, const std::string &content,
                                          DiagnosticList &diagnostics, const Limits &limits = {});

  // A graph that stood in another message, which is left empty. It may have no nodes. `positions`
  // are those of its nodes, if it stood in a text.
  static std::unique_ptr<GraphFile> take(const std::string &path, graphdef::GraphDef &graph,
                                         std::vector<TextPosition> positions, const Limits &limits);

  const graphdef::GraphDef &graph() const { return graph_; }
  // Before anything refers to it.
  graphdef::GraphDef &mutableGraph() { return graph_; }
  const std::string &path() const { return path_; }
  // What holds for the graph as well.
  const Limits &limits() const { return limits_; }
  TextPosition nodePosition(size_t node) const {
    return node < positions_.size() ? positions_[node] : TextPosition{};
  }
  // "model.pbtxt:12:3", or the path alone.
  std::string nodeLocation(size_t node) const;

private:
  std::string path_;
  Limits limits_;
  graphdef::GraphDef graph_;
  std::vector<TextPosition> positions_;
};

} // namespace sluice::import
