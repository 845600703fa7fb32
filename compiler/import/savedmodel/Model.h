// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph with what stands around it: a SavedModel, a MetaGraphDef file, or a bare GraphDef.
#pragma once

#include "compiler/import/GraphFile.h"
#include "compiler/import/model.pb.h"

#include <memory>
#include <string>
#include <vector>

namespace sluice::import {

struct Model {
  enum class Kind { kGraph, kMetaGraph, kSavedModel };
  Kind kind = Kind::kGraph;
  std::string path;
  std::string folder; // of a SavedModel; empty for others
  std::unique_ptr<GraphFile> graph;
  // All else of the chosen MetaGraphDef; empty for a bare graph.
  graphdef::MetaGraphDef meta;
  // Nodes that fill tables with what the checkpoint has of them: they run before the first call.
  std::vector<std::string> tableImports;

  // What its checkpoint's files begin with.
  std::string checkpointPrefix() const { return folder + "/variables/variables"; }
};

// Reads a file, or the folder of a SavedModel, within limits; what it is is told by the content.
// With several MetaGraphDefs, `tags` choose one. Null after a diagnostic.
std::unique_ptr<Model> readModel(const std::string &path, const std::vector<std::string> &tags,
                                 const Limits &limits, DiagnosticList &diagnostics);
// The same from bytes in memory; `folder` is that of a SavedModel.
std::unique_ptr<Model> parseModel(const std::string &path, const std::string &folder,
                                  const std::string &content, const std::vector<std::string> &tags,
                                  const Limits &limits, DiagnosticList &diagnostics);

// "serve, gpu", or "none".
std::string tagsOf(const graphdef::MetaGraphDef &meta);

} // namespace sluice::import
