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

// Whatever it was before: constants have a path of the machine that saved the model, and
// placeholders are for loaders to feed.
static void makeConstant(graphdef::NodeDef &node, const std::string &text) {
  node.set_op("Const");
  node.clear_attr();
  graphdef::AttrEntry &type = *node.add_attr();
  type.set_key("dtype");
  type.mutable_value()->set_type(graphdef::DT_STRING);
  graphdef::AttrEntry &value = *node.add_attr();
  value.set_key("value");
  graphdef::TensorProto &tensor = *value.mutable_value()->mutable_tensor();
  tensor.set_dtype(graphdef::DT_STRING);
  tensor.mutable_tensor_shape();
  tensor.add_string_val(text);
}

static bool maybePath(const graphdef::NodeDef &node) {
  return (node.op() == "Const" || node.op() == "Placeholder") &&
         llvm::any_of(node.attr(), [](const graphdef::AttrEntry &entry) {
           return entry.key() == "dtype" && entry.value().type() == graphdef::DT_STRING;
         });
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
    if (!node || !maybePath(*node) || reference->isControl || reference->slot != 0) {
      fail(ExitCode::kBadGraph, asset.filename(),
           "expected a constant or a placeholder of strings that stands for its path but got " +
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
    makeConstant(*node, std::string(file));
  }
  return !diagnostics.hasErrors();
}

} // namespace sluice::import
