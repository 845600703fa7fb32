// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a path to a graph: what kind of file it is, and which of its graphs is meant.
#include "compiler/import/savedmodel/Model.h"

#include "compiler/import/FileContent.h"
#include "compiler/import/ForeignFormat.h"
#include "compiler/import/ParseMessage.h"
#include "compiler/import/ReadGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace sluice::import {

using google::protobuf::TextFormat;
using llvm::StringRef;

std::string tagsOf(const graphdef::MetaGraphDef &meta) {
  const auto &tags = meta.meta_info_def().tags();
  return tags.empty() ? "none" : escaped(llvm::join(tags.begin(), tags.end(), ", "));
}

namespace {

bool hasTags(const graphdef::MetaGraphDef &meta, const std::vector<std::string> &wanted) {
  return llvm::all_of(wanted, [&](const std::string &tag) {
    return llvm::is_contained(meta.meta_info_def().tags(), tag);
  });
}

// A graph with these tags and no others is meant before one that has them among others.
std::vector<int> candidates(const graphdef::SavedModel &saved,
                            const std::vector<std::string> &wanted) {
  std::vector<int> exact, more;
  for (int i = 0; i < saved.meta_graphs_size(); ++i) {
    const graphdef::MetaGraphDef &meta = saved.meta_graphs(i);
    if (!hasTags(meta, wanted))
      continue;
    bool same = static_cast<size_t>(meta.meta_info_def().tags_size()) == wanted.size();
    (same ? exact : more).push_back(i);
  }
  return exact.empty() ? more : exact;
}

std::string listTags(const graphdef::SavedModel &saved) {
  constexpr int kShown = 20;
  std::string text;
  for (int i = 0; i < std::min(saved.meta_graphs_size(), kShown); ++i)
    text += (i > 0 ? "; " : "") + tagsOf(saved.meta_graphs(i));
  return text + (saved.meta_graphs_size() > kShown ? "; …" : "");
}

class ModelParser {
public:
  ModelParser(Model &model, const std::vector<std::string> &tags, const Limits &limits,
              DiagnosticList &diagnostics)
      : model_(model), tags_(tags), limits_(limits), diagnostics_(diagnostics) {}

  bool parse(const std::string &content) {
    if (model_.kind == Model::Kind::kSavedModel)
      return parseSavedModel(content);
    if (!tags_.empty())
      return fail(ExitCode::kUsage, "--tag chooses among the graphs of a SavedModel, and this file "
                                    "has only one graph");
    if (model_.kind == Model::Kind::kMetaGraph)
      return parseMetaGraph(content);
    model_.graph = GraphFile::parse(model_.path, content, diagnostics_, limits_);
    return model_.graph != nullptr;
  }

private:
  bool fail(ExitCode code, const std::string &message) {
    diagnostics_.error(code, {model_.path, "", ""}, message);
    return false;
  }

  bool parseSavedModel(const std::string &content) {
    graphdef::SavedModel saved;
    TextFormat::ParseInfoTree positions;
    if (!parseMessage(model_.path, content, "SavedModel", saved, limits_, diagnostics_, &positions))
      return false;
    if (saved.saved_model_schema_version() != 1)
      return fail(ExitCode::kBadGraph, "expected a SavedModel of version 1 but got version " +
                                           std::to_string(saved.saved_model_schema_version()));
    std::optional<int> chosen = choose(saved);
    if (!chosen)
      return false;
    model_.meta.Swap(saved.mutable_meta_graphs(*chosen));
    const auto *field = graphdef::SavedModel::descriptor()->FindFieldByName("meta_graphs");
    return takeGraph(looksLikeText(content) ? positions.GetTreeForNested(field, *chosen) : nullptr);
  }

  std::optional<int> choose(const graphdef::SavedModel &saved) {
    auto refuse = [&](ExitCode code, const std::string &message) {
      fail(code, message);
      return std::nullopt;
    };
    if (saved.meta_graphs_size() == 0)
      return refuse(ExitCode::kBadGraph, "the SavedModel has no graphs");
    std::vector<int> found = candidates(saved, tags_);
    // What programs that serve a model ask for.
    if (tags_.empty() && saved.meta_graphs_size() > 1)
      found = candidates(saved, {"serve"});
    if (found.size() == 1)
      return found.front();
    std::string wanted = tags_.empty() ? "serve" : llvm::join(tags_, ", ");
    return refuse(ExitCode::kUsage,
                  (found.empty() ? "no graph has the tags " : "several graphs have the tags ") +
                      escaped(wanted) + ": choose with --tag; those of the graphs are " +
                      listTags(saved));
  }

  bool parseMetaGraph(const std::string &content) {
    TextFormat::ParseInfoTree positions;
    return parseMessage(model_.path, content, "MetaGraphDef", model_.meta, limits_, diagnostics_,
                        &positions) &&
           takeGraph(looksLikeText(content) ? &positions : nullptr);
  }

  // Out of the message, with the positions of that if it was a text.
  bool takeGraph(TextFormat::ParseInfoTree *positions) {
    const auto *field = graphdef::MetaGraphDef::descriptor()->FindFieldByName("graph_def");
    TextFormat::ParseInfoTree *inner = positions ? positions->GetTreeForNested(field, -1) : nullptr;
    graphdef::GraphDef &graph = *model_.meta.mutable_graph_def();
    if (graph.node_size() == 0)
      return fail(ExitCode::kBadGraph, "the graph has no nodes");
    std::vector<TextPosition> ofNodes;
    if (inner)
      ofNodes = positionsOfNodes(*inner, graph);
    model_.graph = GraphFile::take(model_.path, graph, std::move(ofNodes), limits_);
    model_.meta.clear_graph_def();
    return true;
  }

  Model &model_;
  const std::vector<std::string> &tags_;
  const Limits &limits_;
  DiagnosticList &diagnostics_;
};

std::string inFolder(StringRef folder, StringRef file) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, file);
  return std::string(path);
}

// The file of a SavedModel's folder; nothing after a diagnostic.
std::optional<std::string> modelFileIn(const std::string &folder, DiagnosticList &diagnostics) {
  for (const char *name : {"saved_model.pb", "saved_model.pbtxt"})
    if (std::string path = inFolder(folder, name); llvm::sys::fs::exists(path))
      return path;
  std::string chunked = inFolder(folder, "saved_model.cpb");
  if (llvm::sys::fs::exists(chunked))
    diagnostics.error(ExitCode::kUnsupported, {chunked, "", ""},
                      "a SavedModel in chunks, as TensorFlow writes those above 2 GB, is not "
                      "supported");
  else
    diagnostics.error(ExitCode::kInputOutput, {folder, "", ""},
                      "expected a graph file or a SavedModel but got a directory that has "
                      "neither saved_model.pb nor saved_model.pbtxt");
  return std::nullopt;
}

} // namespace

std::unique_ptr<Model> parseModel(const std::string &path, const std::string &folder,
                                  const std::string &content, const std::vector<std::string> &tags,
                                  const Limits &limits, DiagnosticList &diagnostics) {
  auto model = std::make_unique<Model>();
  model->path = path;
  if (!folder.empty() || looksLikeSavedModel(content)) {
    model->kind = Model::Kind::kSavedModel;
    model->folder = folder.empty() ? llvm::sys::path::parent_path(path).str() : folder;
    if (model->folder.empty())
      model->folder = ".";
  } else if (looksLikeMetaGraph(content) || StringRef(path).ends_with(".meta")) {
    model->kind = Model::Kind::kMetaGraph;
  }
  if (!ModelParser(*model, tags, limits, diagnostics).parse(content))
    return nullptr;
  checkSizes(*model->graph, limits, diagnostics);
  return diagnostics.hasErrors() ? nullptr : std::move(model);
}

std::unique_ptr<Model> readModel(const std::string &path, const std::vector<std::string> &tags,
                                 const Limits &limits, DiagnosticList &diagnostics) {
  bool isFolder = llvm::sys::fs::is_directory(path);
  std::optional<std::string> file = isFolder ? modelFileIn(path, diagnostics) : path;
  if (!file)
    return nullptr;
  auto content = readRegularFile(*file, limits, LimitId::kFileBytes, diagnostics);
  return content ? parseModel(*file, isFolder ? path : "", *content, tags, limits, diagnostics)
                 : nullptr;
}

} // namespace sluice::import
