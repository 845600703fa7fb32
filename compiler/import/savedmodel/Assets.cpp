// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paths of assets as values of constants.
#include "compiler/import/savedmodel/Assets.h"

#include "compiler/import/Graph.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace sluice::import {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using llvm::StringRef;

// Below the folder of assets, without going up.
static bool staysInside(StringRef name) {
  if (name.empty() || path::is_absolute(name) || name.contains('\0'))
    return false;
  for (auto part = path::begin(name); part != path::end(name); ++part)
    if (*part == "..")
      return false;
  return true;
}

static void setText(graphdef::NodeDef &node, const std::string &text) {
  for (graphdef::AttrEntry &entry : *node.mutable_attr())
    if (entry.key() == "value") {
      graphdef::TensorProto &tensor = *entry.mutable_value()->mutable_tensor();
      tensor.clear_tensor_content();
      tensor.clear_string_val();
      tensor.add_string_val(text);
    }
}

bool resolveAssets(Model &model, DiagnosticList &diagnostics) {
  Place place{model.path, "", ""};
  auto fail = [&](ExitCode code, const std::string &file, const std::string &message) {
    diagnostics.error(code, place, "asset " + quoted(file) + ": " + message);
  };
  if (model.meta.asset_file_def().empty())
    return true;
  llvm::StringMap<graphdef::NodeDef *> nodes;
  for (graphdef::NodeDef &node : *model.graph->mutableGraph().mutable_node())
    nodes.try_emplace(node.name(), &node);
  for (const graphdef::AssetFileDef &asset : model.meta.asset_file_def()) {
    auto reference = parseReference(asset.tensor_info().name());
    graphdef::NodeDef *node = reference ? nodes.lookup(reference->node) : nullptr;
    if (!node || node->op() != "Const" || reference->isControl || reference->slot != 0) {
      fail(ExitCode::kBadGraph, asset.filename(),
           "expected a constant that stands for its path but got " +
               quoted(asset.tensor_info().name()));
      continue;
    }
    if (!staysInside(asset.filename())) {
      fail(ExitCode::kBadGraph, asset.filename(),
           "expected a file below the model's folder of assets");
      continue;
    }
    llvm::SmallString<256> file(model.folder);
    path::append(file, "assets", asset.filename());
    std::error_code error = fs::make_absolute(file);
    if (error || !fs::is_regular_file(file)) {
      fail(ExitCode::kInputOutput, asset.filename(),
           "there is no file " + quoted(std::string(file)));
      continue;
    }
    setText(*node, std::string(file));
  }
  return !diagnostics.hasErrors();
}

} // namespace sluice::import
